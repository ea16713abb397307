#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

enum { SMALLEST = 30, SIZES = 510, TURN = 3, TURN_PERCENT = 55, FOLD_PERCENT = 97, EDGES_A_RESIDUE = 6 };

typedef struct contacts {
    bench_edge *edges;
    int64_t nedges;
} contacts;

static void touch(contacts *list, int64_t v, int64_t w)
{
    list->edges[list->nedges++] = (bench_edge){(int32_t)v, (int32_t)w};
    list->edges[list->nedges++] = (bench_edge){(int32_t)w, (int32_t)v};
}

static void make_protein(contacts *list, int64_t first, int64_t size, uint64_t *state)
{
    for (int64_t v = 1; v < size; v++) {
        int64_t turn = TURN + bench_random_below(state, 2);
        touch(list, first + v, first + v - 1);
        if (v >= turn && bench_random_chance(state, TURN_PERCENT)) {
            touch(list, first + v, first + v - turn);
        }
        if (v > TURN + 1 && bench_random_chance(state, FOLD_PERCENT)) {
            touch(list, first + v, first + bench_random_below(state, v - 1));
        }
    }
}

bench_matrix bench_make_residues(int64_t n)
{
    uint64_t state = 6;
    contacts list = {bench_allocate((size_t)(EDGES_A_RESIDUE * n), sizeof(bench_edge)), 0};
    for (int64_t first = 0, size; first < n; first += size) {
        size = SMALLEST + bench_random_below(&state, SIZES);
        size = size < n - first ? size : n - first;
        make_protein(&list, first, size, &state);
    }
    bench_matrix matrix = bench_rows_from_edges(n, n, list.edges, list.nedges);
    free(list.edges);
    return matrix;
}
