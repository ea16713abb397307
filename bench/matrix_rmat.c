#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

/* Four levels of the recursion use one random word. */
enum {
    EDGES_A_VERTEX = 16,
    A = 37356,
    AB = 49807,
    ABC = 62259,
    SEED = 3,
    LEVEL_BITS = 16,
    LEVELS_A_WORD = 4
};

static bench_edge draw_edge(const bench_rmat *model, uint64_t *state)
{
    bench_edge edge = {0, 0};
    uint64_t word = 0;
    for (int level = 0; level < model->scale; level++) {
        word = level % LEVELS_A_WORD == 0 ? bench_random(state) : word >> LEVEL_BITS;
        int part = (int)(word & 0xffff);
        bool is_lower = part >= model->ab, is_right = is_lower ? part >= model->abc : part >= model->a;
        edge.row = 2 * edge.row + is_lower;
        edge.column = 2 * edge.column + is_right;
    }
    return edge;
}

bench_matrix bench_make_rmat_of(const bench_rmat *model)
{
    int64_t n = INT64_C(1) << model->scale, nedges = n * model->edges;
    int32_t *label = bench_allocate((size_t)n, sizeof *label);
    bench_edge *edges = bench_allocate((size_t)nedges, sizeof *edges);
    uint64_t state = model->seed;
    for (int64_t v = 0; v < n; v++) {
        int64_t w = model->is_shuffled ? bench_random_below(&state, v + 1) : v;
        label[v] = label[w];
        label[w] = (int32_t)v;
    }
    for (int64_t e = 0; e < nedges; e++) {
        bench_edge edge = draw_edge(model, &state);
        edges[e] = (bench_edge){label[edge.row], label[edge.column]};
    }
    bench_matrix matrix = bench_rows_from_edges(n, n, edges, nedges);
    free(label);
    free(edges);
    return matrix;
}

bench_matrix bench_make_rmat(int scale, bool is_shuffled)
{
    const bench_rmat model = {scale, EDGES_A_VERTEX, A, AB, ABC, is_shuffled, SEED};
    return bench_make_rmat_of(&model);
}
