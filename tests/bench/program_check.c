#include "program_check.h"
#include "bench_graphblas.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 100, GRAPHS = 5 };

/* Four cliques, of 12, 64, 12 and 12 vertices, which take turns among the first 48. An edge leads from the
 * large one to the one before it and to the one after it, and is not among the first of any vertex. */
static bench_matrix make_cliques(void)
{
    enum { SIZE = 100, MIXED = 48, LARGE = 1 };
    bench_edge *edges = bench_allocate(SIZE * SIZE, sizeof *edges);
    int64_t count = 0;
    for (int32_t p = 0; p < SIZE * SIZE; p++) {
        int32_t i = p / SIZE, j = p % SIZE;
        if (i != j && (i < MIXED ? i % 4 : LARGE) == (j < MIXED ? j % 4 : LARGE)) {
            edges[count++] = (bench_edge){i, j};
        }
    }
    edges[count++] = (bench_edge){41, 40};
    edges[count++] = (bench_edge){41, 42};
    bench_matrix graph = bench_rows_from_edges(SIZE, SIZE, edges, count);
    free(edges);
    return graph;
}

static bench_matrix make_graph(int which)
{
    switch (which) {
    case 0:
        return bench_make_rmat(7, true);
    case 1:
        return bench_make_road(9);
    case 2:
        return bench_make_web(256);
    case 3: /* many vertices without edges */
        return bench_make_uniform(40, 40, 1);
    default:
        return make_cliques();
    }
}

double *dense_of(GrB_Matrix matrix, GrB_Vector vector)
{
    GrB_Index nrows = 1, ncols, count;
    if (matrix) {
        TRY(GrB_Matrix_nrows(&nrows, matrix));
        TRY(GrB_Matrix_ncols(&ncols, matrix));
    } else {
        TRY(GrB_Vector_size(&ncols, vector));
    }
    count = nrows * ncols;
    GrB_Index *row = bench_allocate(count, sizeof *row), *column = bench_allocate(count, sizeof *column);
    double *value = bench_allocate(count, sizeof *value), *all = bench_allocate(count, sizeof *all);
    for (GrB_Index p = 0; p < nrows * ncols; p++) {
        all[p] = NAN;
    }
    if (matrix) {
        TRY(GrB_Matrix_extractTuples_FP64(row, column, value, &count, matrix));
    } else {
        TRY(GrB_Vector_extractTuples_FP64(column, value, &count, vector));
    }
    for (GrB_Index p = 0; p < count; p++) {
        all[row[p] * ncols + column[p]] = value[p];
    }
    free(row);
    free(column);
    free(value);
    return all;
}

void expect_of_batch(const char *name, size_t batch, void (*check)(const checked_run *it))
{
    static const char *const names[GRAPHS] = {"rmat", "road", "web", "uniform", "cliques"};
    const bench_program *program = bench_program_find(name);
    for (int which = 0; which < GRAPHS; which++) {
        bench_matrix graph = make_graph(which);
        checked_run it = {.where = names[which], .n = (size_t)graph.nrows, .batch = batch};
        it.graph = plain_graph_of(&graph);
        it.input = bench_input_make(&graph, program->needs, MOST_STEPS);
        it.longest = (double)(it.input.longest_row + it.input.longest_column);
        program->run(&it.answer, &it.input, batch);
        it.values = dense_of(it.answer.results[0].matrix, it.answer.results[0].vector);
        cr_expect_gt(it.answer.steps, 0);
        check(&it);
        free(it.values);
        bench_answer_free(&it.answer);
        bench_input_free(&it.input);
        plain_graph_free(&it.graph);
        bench_matrix_free(&graph);
    }
}

void expect_on_every_graph(const char *name, void (*check)(const checked_run *it))
{
    const bench_program *program = bench_program_find(name);
    cr_assert(program, "%s", name);
    expect_of_batch(name, program->batch, check);
}

void expect_near(const checked_run *it, size_t p, double value, double expected, double bound)
{
    cr_expect(fabs(value - expected) <= bound, "%s, %zu: %.17g, not %.17g", it->where, p, value, expected);
}

void expect_equal(const checked_run *it, size_t p, double value, double expected)
{
    expect_near(it, p, value, expected, 0);
}

void begin_graphblas(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

void end_graphblas(void)
{
    GrB_finalize();
}
