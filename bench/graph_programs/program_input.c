/* program_input.c: each input from the graph's arrays, by the calls that a reader of files would make. */
#include "program_input.h"

#include "bench_graphblas.h"
#include "bench_random.h"

#include <stdlib.h>

enum { MOST_WEIGHT = 255, LABELLED = 20, SIXTEENTHS = 16, WEIGHTS_A_COLUMN = 4 };

/* As readers of files do (LAGraph_MMRead): by edges. */
static GrB_Matrix make_pattern(const bench_matrix *graph)
{
    GrB_Index n = (GrB_Index)graph->nrows, nnz = (GrB_Index)graph->nnz;
    GrB_Index *row = bench_allocate(nnz + 1, sizeof *row), *column = bench_allocate(nnz + 1, sizeof *column);
    GrB_Matrix A;
    GrB_Scalar present;
    for (int64_t i = 0; i < graph->nrows; i++) {
        for (int64_t p = graph->row_ptr[i]; p < graph->row_ptr[i + 1]; p++) {
            row[p] = (GrB_Index)i;
            column[p] = (GrB_Index)graph->col_idx[p];
        }
    }
    TRY(GrB_Matrix_new(&A, GrB_BOOL, n, n));
    TRY(GrB_Scalar_new(&present, GrB_BOOL));
    TRY(GrB_Scalar_setElement_BOOL(present, true));
    TRY(GxB_Matrix_build_Scalar(A, row, column, present, nnz));
    TRY(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    GrB_Scalar_free(&present);
    free(row);
    free(column);
    return A;
}

static GrB_Matrix make_transpose(GrB_Matrix A, GrB_Index n)
{
    GrB_Matrix AT;
    TRY(GrB_Matrix_new(&AT, GrB_BOOL, n, n));
    TRY(GrB_transpose(AT, NULL, NULL, A, NULL));
    TRY(GrB_Matrix_wait(AT, GrB_MATERIALIZE));
    return AT;
}

static GrB_Matrix make_symmetric(GrB_Matrix A, GrB_Matrix AT, GrB_Index n)
{
    GrB_Matrix S;
    TRY(GrB_Matrix_new(&S, GrB_BOOL, n, n));
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(S, NULL, NULL, GrB_ONEB_BOOL, A, AT, NULL));
    TRY(GrB_Matrix_wait(S, GrB_MATERIALIZE));
    return S;
}

/* The transpose's values, drawn by the edge. */
static GrB_Matrix make_weights(const bench_matrix *graph, GrB_Index n)
{
    GrB_Index nnz = (GrB_Index)graph->nnz;
    GrB_Index *row = bench_allocate(nnz + 1, sizeof *row), *column = bench_allocate(nnz + 1, sizeof *column);
    float *weight = bench_allocate(nnz + 1, sizeof *weight);
    GrB_Matrix weights;
    for (int64_t i = 0; i < graph->nrows; i++) {
        for (int64_t p = graph->row_ptr[i]; p < graph->row_ptr[i + 1]; p++) {
            row[p] = (GrB_Index)graph->col_idx[p];
            column[p] = (GrB_Index)i;
            weight[p] = (float)(1 + bench_mix(bench_mix((uint64_t)i + 1) + row[p]) % MOST_WEIGHT);
        }
    }
    TRY(GrB_Matrix_new(&weights, GrB_FP32, n, n));
    TRY(GrB_Matrix_build_FP32(weights, row, column, weight, nnz, GrB_MIN_FP32));
    TRY(GrB_Matrix_wait(weights, GrB_MATERIALIZE));
    free(row);
    free(column);
    free(weight);
    return weights;
}

static GrB_Matrix make_features(GrB_Index n)
{
    GrB_Index size = n * BENCH_FEATURES;
    float *feature = bench_allocate(size, sizeof *feature);
    void *values = feature;
    GrB_Matrix features;
    for (GrB_Index p = 0; p < size; p++) {
        feature[p] = (float)(bench_mix(p + 1) & 1);
    }
    TRY(GrB_Matrix_new(&features, GrB_FP32, n, BENCH_FEATURES));
    TRY(GxB_Matrix_pack_FullR(features, &values, size * sizeof *feature, false, NULL));
    return features;
}

/* At most four weights a column. */
static GrB_Matrix make_layer(uint64_t seed)
{
    GrB_Index width = BENCH_FEATURES;
    GrB_Matrix W;
    TRY(GrB_Matrix_new(&W, GrB_FP32, width, width));
    TRY(GrB_Matrix_assign_FP32(W, NULL, NULL, 0, GrB_ALL, width, GrB_ALL, width, NULL));
    for (GrB_Index j = 0; j < width; j++) {
        for (int w = 0; w < WEIGHTS_A_COLUMN; w++) {
            GrB_Index i = (GrB_Index)bench_random_below(&seed, BENCH_FEATURES);
            TRY(GrB_Matrix_setElement_FP32(W, bench_random_chance(&seed, 50) ? 1 : -1, i, j));
        }
    }
    TRY(GrB_Matrix_wait(W, GrB_MATERIALIZE));
    return W;
}

static GrB_Matrix make_centres(GrB_Index n)
{
    GrB_Index size = n * BENCH_CENTRES;
    double *centre = bench_allocate(size, sizeof *centre);
    void *values = centre;
    GrB_Matrix centres;
    for (GrB_Index p = 0; p < size; p++) {
        centre[p] = (double)(bench_mix(p + 1) % SIXTEENTHS) / SIXTEENTHS;
    }
    TRY(GrB_Matrix_new(&centres, GrB_FP64, n, BENCH_CENTRES));
    TRY(GxB_Matrix_pack_FullR(centres, &values, size * sizeof *centre, false, NULL));
    return centres;
}

static GrB_Matrix make_labels(GrB_Index n)
{
    GrB_Matrix labels;
    TRY(GrB_Matrix_new(&labels, GrB_FP32, n, BENCH_CLASSES));
    TRY(GxB_Matrix_Option_set(labels, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    for (GrB_Index v = 0; v < n; v++) {
        uint64_t drawn = bench_mix(v + 1);
        for (GrB_Index c = 0; drawn % LABELLED == 0 && c < BENCH_CLASSES; c++) {
            TRY(GrB_Matrix_setElement_FP32(labels, c == drawn / LABELLED % BENCH_CLASSES, v, c));
        }
    }
    TRY(GrB_Matrix_wait(labels, GrB_MATERIALIZE));
    return labels;
}

static GrB_Vector make_degree(const bench_matrix *graph, GrB_Index n)
{
    GrB_Vector degree;
    TRY(GrB_Vector_new(&degree, GrB_INT64, n));
    for (int64_t i = 0; i < graph->nrows; i++) {
        if (bench_row_length(graph, i) > 0) {
            TRY(GrB_Vector_setElement_INT64(degree, bench_row_length(graph, i), (GrB_Index)i));
        }
    }
    TRY(GrB_Vector_wait(degree, GrB_MATERIALIZE));
    return degree;
}

/* Where fewer vertices have out-edges, they are sources more than once. */
static void choose_sources(GrB_Index *sources, const bench_matrix *graph)
{
    int64_t candidates = 0, chosen = 0, seen = 0;
    for (int64_t i = 0; i < graph->nrows; i++) {
        candidates += bench_row_length(graph, i) > 0;
    }
    bench_require(candidates > 0, "the graph", "no edges");
    int64_t wanted = candidates < BENCH_MOST_SOURCES ? candidates : BENCH_MOST_SOURCES;
    for (int64_t i = 0; i < graph->nrows && chosen < wanted; i++) {
        if (bench_row_length(graph, i) > 0 && seen++ % (candidates / wanted) == 0) {
            sources[chosen++] = (GrB_Index)i;
        }
    }
    for (; chosen < BENCH_MOST_SOURCES; chosen++) {
        sources[chosen] = sources[chosen - wanted];
    }
}

static GrB_Index longest_column(const bench_matrix *graph)
{
    int32_t *entries = bench_allocate((size_t)graph->ncols, sizeof *entries), longest = 0;
    for (int64_t p = 0; p < graph->nnz; p++) {
        int32_t count = ++entries[graph->col_idx[p]];
        longest = count > longest ? count : longest;
    }
    free(entries);
    return (GrB_Index)longest;
}

bench_input bench_input_make(const bench_matrix *graph, unsigned needs, int most_steps)
{
    bench_input input = {.n = (GrB_Index)graph->nrows,
        .most_steps = most_steps,
        .longest_row = (GrB_Index)bench_row_length(graph, graph->longest_row),
        .longest_column = longest_column(graph)};
    GrB_Index n = input.n;
    choose_sources(input.sources, graph);
    input.degree = make_degree(graph, n);
    input.A = make_pattern(graph);
    if (needs & (BENCH_NEEDS_AT | BENCH_NEEDS_S)) {
        input.AT = make_transpose(input.A, n);
    }
    if (needs & BENCH_NEEDS_S) {
        input.S = make_symmetric(input.A, input.AT, n);
    }
    if (!(needs & BENCH_NEEDS_A)) {
        GrB_Matrix_free(&input.A);
    }
    if (!(needs & BENCH_NEEDS_AT)) {
        GrB_Matrix_free(&input.AT);
    }
    input.weights = needs & BENCH_NEEDS_WEIGHTS ? make_weights(graph, n) : NULL;
    input.features = needs & BENCH_NEEDS_FEATURES ? make_features(n) : NULL;
    for (int layer = 0; layer < BENCH_LAYERS && (needs & BENCH_NEEDS_FEATURES); layer++) {
        input.layers[layer] = make_layer((uint64_t)layer + 1);
    }
    input.centres = needs & BENCH_NEEDS_CENTRES ? make_centres(n) : NULL;
    input.labels = needs & BENCH_NEEDS_LABELS ? make_labels(n) : NULL;
    return input;
}

void bench_input_free(bench_input *input)
{
    GrB_Matrix *matrices[] = {&input->A, &input->AT, &input->S, &input->weights, &input->features,
        &input->layers[0], &input->layers[1], &input->centres, &input->labels};
    for (size_t m = 0; m < sizeof matrices / sizeof matrices[0]; m++) {
        GrB_Matrix_free(matrices[m]);
    }
    GrB_Vector_free(&input->degree);
}
