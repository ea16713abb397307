#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

enum { SMALLEST = 10, SIZES = 30, RING = 5, BRANCH_PERCENT = 20 };

typedef struct bonds {
    bench_edge *edges;
    int64_t nedges;
} bonds;

static void bond(bonds *list, int64_t v, int64_t w)
{
    list->edges[list->nedges++] = (bench_edge){(int32_t)v, (int32_t)w};
    list->edges[list->nedges++] = (bench_edge){(int32_t)w, (int32_t)v};
}

static void make_molecule(bonds *list, int64_t first, int64_t size, uint64_t *state)
{
    for (int64_t v = 1; v < size; v++) { /* a chain that branches off at one of the last atoms */
        int64_t back = bench_random_chance(state, BRANCH_PERCENT) ? 1 + bench_random_below(state, 3) : 1;
        bond(list, first + v, first + (back < v ? v - back : 0));
    }
    for (int64_t rings = 2 + bench_random_below(state, 2); rings > 0 && size > RING; rings--) {
        int64_t v = RING + bench_random_below(state, size - RING);
        bond(list, first + v, first + v - RING);
    }
}

bench_matrix bench_make_molecules(int64_t n)
{
    uint64_t state = 4;
    bonds list = {
        bench_allocate((size_t)(3 * n), sizeof(bench_edge)), 0}; /* at most 2 (9 + 3) for 10 atoms */
    for (int64_t first = 0, size; first < n; first += size) {
        size = SMALLEST + bench_random_below(&state, SIZES);
        size = size < n - first ? size : n - first;
        make_molecule(&list, first, size, &state);
    }
    bench_matrix matrix = bench_rows_from_edges(n, n, list.edges, list.nedges);
    free(list.edges);
    return matrix;
}
