#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

bench_matrix bench_make_small_world(const bench_small_world *model)
{
    int64_t n = model->n, nedges = 0;
    uint64_t state = model->seed;
    bench_edge *edges = bench_allocate((size_t)(n * model->degree), sizeof *edges);
    for (int64_t v = 0; v < n; v++) {
        for (int64_t step = 1; step <= model->degree / 2; step++) {
            bool is_rewired = bench_random_fraction(&state) < model->rewired;
            int64_t w = (v + (is_rewired ? 1 + bench_random_below(&state, n - 1) : step)) % n;
            edges[nedges++] = (bench_edge){(int32_t)v, (int32_t)w};
            edges[nedges++] = (bench_edge){(int32_t)w, (int32_t)v};
        }
    }
    bench_matrix matrix = bench_rows_from_edges(n, n, edges, nedges);
    free(edges);
    return matrix;
}
