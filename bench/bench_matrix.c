/* bench_matrix.c: the suite at its full sizes. */
#include "bench_matrix.h"
#include "matrix_generators.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_matrix_names[] = {"uniform", "rmat", "rmat-ordered", "band", "road", "molecules",
    "fem", "reddit-like", "protein-like", "web", "rectangular", NULL};

enum { MOST_PRUNED = 1 << 15 };

static bench_matrix of_communities(int64_t which)
{
    static const bench_communities models[] = {
        {232965, 5700, 503, 21657, 70, true}, {132534, 2048, 640, 7750, 80, false}};
    return bench_make_communities(&models[which]);
}

static bench_matrix of_rmat(int64_t is_shuffled)
{
    return bench_make_rmat(20, is_shuffled != 0);
}

static bench_matrix of_band(int64_t n)
{
    return bench_make_band(n, 64);
}

static bench_matrix of_squares(int64_t n)
{
    return bench_make_uniform(n, n, 16);
}

static bench_matrix of_fem(int64_t side)
{
    return bench_make_fem(side, side, side + 2);
}

static bench_matrix of_rectangle(int64_t ncols)
{
    return bench_make_uniform(4 * ncols, ncols, 500);
}

/* The suite, and what stands for those of Acc-SpMM's table 2 that are not in it. */
static const struct {
    const char *name;
    bench_matrix (*make)(int64_t argument);
    int64_t argument;
} known[] = {
    {"uniform", of_squares, 1 << 20},
    {"rmat", of_rmat, true},
    {"rmat-ordered", of_rmat, false},
    {"band", of_band, 1 << 18},
    {"road", bench_make_road, 1400},
    {"molecules", bench_make_molecules, 3100000},
    {"fem", of_fem, 40},
    {"reddit-like", of_communities, 0},
    {"protein-like", of_communities, 1},
    {"web", bench_make_web, 685000},
    {"rectangular", of_rectangle, 50000},
    {"yeast-h-like", bench_make_molecules, 3138114},
    {"ovcar-8h-like", bench_make_molecules, 1889542},
    {"yeast-like", bench_make_molecules, 1710902},
    {"road-ca-like", bench_make_road, 1404},
    {"road-pa-like", bench_make_road, 1044},
    {"dd-like", bench_make_residues, 334926},
    {"web-berkstan-like", bench_make_web, 685230},
    {"fraud-yelp-like", bench_make_reviews, 45954},
};

static bench_matrix make(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i].make(known[i].argument);
        }
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
