#include "bench_matrix.h"
#include "graph_rmat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 20, UNIFORM_ROW = 16 };

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        fprintf(stderr, "torc-bench: out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

float bench_random(uint64_t *state)
{
    return (float)(random_bits(state) >> 40) * 0x1p-24f;
}

static int compare_keys(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* keys: row << 32 | column, any order, repeated ones count once. */
static bench_matrix from_keys(const char *name, int64_t n, uint64_t *keys, int64_t nkeys)
{
    qsort(keys, (size_t)nkeys, sizeof *keys, compare_keys);
    bench_matrix matrix = {.name = name, .n = n};
    matrix.row_ptr = allocate((size_t)(n + 1) * sizeof(int32_t));
    matrix.col_idx = allocate((size_t)nkeys * sizeof(int32_t));
    matrix.values = allocate((size_t)nkeys * sizeof(float));
    memset(matrix.row_ptr, 0, (size_t)(n + 1) * sizeof(int32_t));
    uint64_t state = 1;
    for (int64_t e = 0; e < nkeys; e++) {
        if (e > 0 && keys[e] == keys[e - 1]) {
            continue;
        }
        matrix.row_ptr[(keys[e] >> 32) + 1]++;
        matrix.col_idx[matrix.nnz] = (int32_t)(keys[e] & UINT32_MAX);
        matrix.values[matrix.nnz++] = bench_random(&state);
    }
    for (int64_t i = 0; i < n; i++) {
        matrix.max_row = matrix.row_ptr[i + 1] > matrix.max_row ? matrix.row_ptr[i + 1] : matrix.max_row;
        matrix.row_ptr[i + 1] += matrix.row_ptr[i];
    }
    return matrix;
}

static bench_matrix make_rmat(void)
{
    torc_graph graph = {0};
    if (!torc_graph_generate_rmat(&graph, SCALE)) {
        fprintf(stderr, "torc-bench: %s\n", graph.error);
        exit(EXIT_FAILURE);
    }
    uint64_t *keys = allocate(graph.nedges * sizeof *keys);
    for (uint64_t e = 0; e < graph.nedges; e++) {
        keys[e] = graph.source[e] << 32 | graph.target[e];
    }
    bench_matrix matrix = from_keys("rmat", (int64_t)graph.nvertices, keys, (int64_t)graph.nedges);
    free(keys);
    torc_graph_release(&graph);
    return matrix;
}

static bench_matrix make_uniform(void)
{
    uint64_t n = UINT64_C(1) << SCALE, nkeys = n * UNIFORM_ROW, state = 2;
    uint64_t *keys = allocate(nkeys * sizeof *keys);
    for (uint64_t e = 0; e < nkeys; e++) {
        keys[e] = (e / UNIFORM_ROW) << 32 | (random_bits(&state) & (n - 1));
    }
    bench_matrix matrix = from_keys("uniform", (int64_t)n, keys, (int64_t)nkeys);
    free(keys);
    return matrix;
}

bench_matrix bench_matrix_make(const char *name)
{
    return strcmp(name, "rmat") == 0 ? make_rmat() : make_uniform();
}

void bench_matrix_free(bench_matrix *matrix)
{
    free(matrix->row_ptr);
    free(matrix->col_idx);
    free(matrix->values);
    *matrix = (bench_matrix){0};
}
