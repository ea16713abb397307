/* bench_matrix.c: the suite at its full sizes. */
#include "bench_matrix.h"
#include "matrix_generators.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_matrix_names[] = {"uniform", "rmat", "rmat-ordered", "band", "road", "molecules",
    "fem", "reddit-like", "protein-like", "web", "rectangular", NULL};

enum { MOST_PRUNED = 1 << 15 };

static bench_matrix make(const char *name)
{
    static const bench_communities reddit = {232965, 5700, 503, 21657, 70, true};
    static const bench_communities protein = {132534, 2048, 640, 7750, 80, false};
    if (strcmp(name, "uniform") == 0) {
        return bench_make_uniform(1 << 20, 1 << 20, 16);
    }
    if (strcmp(name, "rmat") == 0) {
        return bench_make_rmat(20, true);
    }
    if (strcmp(name, "rmat-ordered") == 0) {
        return bench_make_rmat(20, false);
    }
    if (strcmp(name, "band") == 0) {
        return bench_make_band(1 << 18, 64);
    }
    if (strcmp(name, "road") == 0) {
        return bench_make_road(1400);
    }
    if (strcmp(name, "molecules") == 0) {
        return bench_make_molecules(3100000);
    }
    if (strcmp(name, "fem") == 0) {
        return bench_make_fem(40, 40, 42);
    }
    if (strcmp(name, "reddit-like") == 0) {
        return bench_make_communities(&reddit);
    }
    if (strcmp(name, "protein-like") == 0) {
        return bench_make_communities(&protein);
    }
    if (strcmp(name, "web") == 0) {
        return bench_make_web(685000);
    }
    if (strcmp(name, "rectangular") == 0) {
        return bench_make_uniform(200000, 50000, 500);
    }
    long long n;
    int zeros, length = 0;
    if (sscanf(name, "pruned-%lld-%d%n", &n, &zeros, &length) == 2 && name[length] == '\0' && n > 0 &&
        n <= MOST_PRUNED && zeros >= 0 && zeros < 100) {
        return bench_make_pruned(n, zeros);
    }
    return bench_read_matrix(name);
}

bench_matrix bench_matrix_make(const char *name)
{
    bench_matrix matrix = make(name);
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    snprintf(matrix.name, sizeof matrix.name, "%.*s", (int)strcspn(base, ".,"), base);
    return matrix;
}

void bench_matrix_free(bench_matrix *matrix)
{
    free(matrix->row_ptr);
    free(matrix->col_idx);
    *matrix = (bench_matrix){0};
}
