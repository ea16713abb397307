#include "program_answer.h"

#include "bench_graphblas.h"
#include "bench_random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bench_result *add(bench_answer *answer, bench_result result)
{
    answer->results[answer->nresults] = result;
    return &answer->results[answer->nresults++];
}

bench_result *bench_answer_matrix(bench_answer *answer, GrB_Matrix *matrix, bench_kind kind)
{
    TRY(GrB_Matrix_wait(*matrix, GrB_MATERIALIZE));
    bench_result *result = add(answer, (bench_result){.matrix = *matrix, .kind = kind});
    *matrix = NULL;
    return result;
}

bench_result *bench_answer_vector(bench_answer *answer, GrB_Vector *vector, bench_kind kind)
{
    TRY(GrB_Vector_wait(*vector, GrB_MATERIALIZE));
    bench_result *result = add(answer, (bench_result){.vector = *vector, .kind = kind});
    *vector = NULL;
    return result;
}

void bench_answer_free(bench_answer *answer)
{
    for (int r = 0; r < answer->nresults; r++) {
        GrB_Matrix_free(&answer->results[r].matrix);
        GrB_Vector_free(&answer->results[r].vector);
    }
    *answer = (bench_answer){.steps = 0};
}

double bench_sum_bound(double unit, double nsums, double terms)
{
    const double lambda = 8;
    return 2 * nsums * lambda * sqrt(terms) * unit; /* both answers may be off */
}

/* Entries as arrays; a vector is a matrix of one row. */
typedef struct entries {
    GrB_Index nrows, ncols, count;
    GrB_Index *row, *column;
    double *value;
} entries;

static entries read_entries(const bench_result *result)
{
    entries e = {.nrows = 1};
    if (result->matrix) {
        TRY(GrB_Matrix_nrows(&e.nrows, result->matrix));
        TRY(GrB_Matrix_ncols(&e.ncols, result->matrix));
        TRY(GrB_Matrix_nvals(&e.count, result->matrix));
    } else {
        TRY(GrB_Vector_size(&e.ncols, result->vector));
        TRY(GrB_Vector_nvals(&e.count, result->vector));
    }
    e.row = bench_allocate(e.count + 1, sizeof *e.row);
    e.column = bench_allocate(e.count + 1, sizeof *e.column);
    e.value = bench_allocate(e.count + 1, sizeof *e.value);
    if (result->matrix) {
        TRY(GrB_Matrix_extractTuples_FP64(e.row, e.column, e.value, &e.count, result->matrix));
    } else {
        TRY(GrB_Vector_extractTuples_FP64(e.column, e.value, &e.count, result->vector));
    }
    return e;
}

/* The depth of v in the tree where parent[v] is its parent, a root its own: n + 1 where there is no way to a
 * root. depth[v] is 0 until it is known, and one more than the depth afterwards. */
static GrB_Index find_depth(GrB_Index *depth, const GrB_Index *parent, GrB_Index v, GrB_Index n)
{
    GrB_Index length = 0, root = v;
    while (depth[root] == 0 && parent[root] < n && parent[root] != root && length <= n) {
        root = parent[root];
        length++;
    }
    bool is_root = parent[root] == root;
    GrB_Index known = depth[root] ? depth[root] : is_root ? 1 : n + 2;
    for (GrB_Index u = v, left = length;; u = parent[u], left--) {
        depth[u] = known + left < n + 2 ? known + left : n + 2;
        if (left == 0) {
            return depth[v] - 1;
        }
    }
}

/* Each value, a parent, becomes the depth of its vertex. */
static void parents_to_depths(entries *e)
{
    GrB_Index n = e->ncols, size = e->nrows * n;
    GrB_Index *parent = bench_allocate(size, sizeof *parent), *depth = bench_allocate(size, sizeof *depth);
    memset(parent, 0xff, size * sizeof *parent);
    for (GrB_Index p = 0; p < e->count; p++) {
        parent[e->row[p] * n + e->column[p]] = (GrB_Index)e->value[p];
    }
    for (GrB_Index p = 0; p < e->count; p++) {
        GrB_Index row = e->row[p] * n;
        e->value[p] = (double)find_depth(depth + row, parent + row, e->column[p], n);
    }
    free(parent);
    free(depth);
}

static void add_result(bench_checksum *checksum, const bench_result *result)
{
    entries e = read_entries(result);
    if (result->kind == BENCH_PARENTS) {
        parents_to_depths(&e);
    }
    bool has_values = result->kind == BENCH_EXACT || result->kind == BENCH_PARENTS;
    bool is_rounded = result->kind == BENCH_ROUNDED;
    uint64_t exact = bench_mix(e.count + 1);
    long double sum = 0, size = 0;
#pragma omp parallel for reduction(+ : exact)
    for (GrB_Index p = 0; p < e.count; p++) {
        uint64_t position = bench_mix(e.row[p] * e.ncols + e.column[p] + 1), bits = 0;
        if (has_values) {
            memcpy(&bits, &e.value[p], sizeof bits);
        }
        exact += bench_mix(position ^ bits);
    }
    for (GrB_Index p = 0; is_rounded && p < e.count; p++) {
        uint64_t position = bench_mix(e.row[p] * e.ncols + e.column[p] + 1);
        long double weight = (long double)(position >> 11) * 0x1p-53L;
        sum += weight * e.value[p];
        size += weight * (fabs(e.value[p]) + result->cancelled);
    }
    checksum->exact += exact;
    checksum->sum += (double)sum;
    checksum->bound += (double)(result->bound * size);
    free(e.row);
    free(e.column);
    free(e.value);
}

bench_checksum bench_answer_checksum(const bench_answer *answer)
{
    bench_checksum checksum = {0};
    for (int r = 0; r < answer->nresults; r++) {
        add_result(&checksum, &answer->results[r]);
    }
    return checksum;
}
