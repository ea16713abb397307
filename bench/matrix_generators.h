/* matrix_generators.h: the families of generated matrices, each from its sizes alone, so that tests can make
 * them small. Every call makes the same matrix again. */
#ifndef BENCH_MATRIX_GENERATORS_H
#define BENCH_MATRIX_GENERATORS_H

#include "bench_matrix.h"
#include <stdbool.h>

/* `draws` uniformly random columns a row, repeated ones once. */
bench_matrix bench_make_uniform(int64_t nrows, int64_t ncols, int draws);

/* n × n: `draws` columns a row, repeated ones once, from a window of 192 on the diagonal that 16 rows share.
 */
bench_matrix bench_make_band(int64_t n, int draws);

/* Graph500's R-MAT: 2^scale vertices, 16 edges a vertex, (a,b,c,d) = (.57,.19,.19,.05); vertices shuffled, or
 * in the order of the recursion, hubs first. Chakrabarti, Zhan, Faloutsos, R-MAT: A Recursive Model for Graph
 * Mining (SDM 2004). */
bench_matrix bench_make_rmat(int scale, bool is_shuffled);

/* The same with other numbers: how many edges a vertex has in the mean, and the probabilities of three of the
 * four quarters, in 65536ths, cumulative. */
typedef struct bench_rmat {
    int scale, edges;
    int a, ab, abc;
    bool is_shuffled;
    uint64_t seed;
} bench_rmat;

bench_matrix bench_make_rmat_of(const bench_rmat *model);

/* Roads: side × side crossings in row order, each of the four streets there with probability 0.7. Symmetric.
 */
bench_matrix bench_make_road(int64_t side);

/* A batch of graphs without edges between them: 10 to 39 atoms, bonded as a tree with two or three rings. n
 * atoms in all. Symmetric. */
bench_matrix bench_make_molecules(int64_t n);

/* Finite elements: nodes of an x × y × z grid, coupled to 77 % of the 26 around them, three unknowns a node,
 * so dense 3 × 3 blocks. Symmetric. */
bench_matrix bench_make_fem(int64_t x, int64_t y, int64_t z);

/* Communities of vertices with degrees of their own: a row has a Lomax-distributed number of columns
 * (mean, capped), `inside` percent drawn from its community and the rest from all, both in proportion to
 * degree. Communities are runs of rows, or scattered. After Karrer and Newman, Stochastic blockmodels and
 * community structure in networks (2011). */
typedef struct bench_communities {
    int64_t n, community; /* vertices in all, and in one */
    double mean;
    int64_t cap;
    int inside;
    bool is_scattered;
} bench_communities;

bench_matrix bench_make_communities(const bench_communities *model);

/* Rows of any lengths and columns of any places. Most rows have `mean` columns, or a Lomax-distributed number
 * of that mean if `is_skewed`; of each `rows_a_hub`, 0: none, one has `hub` columns. Of its columns `near`
 * percent lie in a window on the diagonal, which so many rows share, and all others anywhere, more at the
 * front: in proportion to a power of a uniform number. A row has `cap` columns at most, and as many as a few
 * tries per column find. */
typedef struct bench_mixture {
    int64_t nrows, ncols;
    double mean;
    bool is_skewed;
    int64_t cap, rows_a_hub, hub;
    int64_t window, sharers;
    int near;
    double power; /* 1: uniform */
    uint64_t seed;
} bench_mixture;

bench_matrix bench_make_mixture(const bench_mixture *model);

/* The rows of a matrix in random order, and its columns too, in the same one if it is square. */
bench_matrix bench_shuffle(const bench_matrix *matrix, bool with_columns, uint64_t seed);

/* The copying model of the Web: a page takes each link, with probability 0.6, from an earlier page near by,
 * and otherwise draws one, mostly near by too. 11 links a page, Lomax-distributed, at most 250. Kumar et al.,
 * Stochastic models for the Web graph (FOCS 2000). */
bench_matrix bench_make_web(int64_t n);

/* A batch of protein graphs, as D&D has them: 30 to 539 residues, each in contact with the one before it in
 * the chain, mostly with one a turn of a helix before it, and with one anywhere before it. Symmetric. */
bench_matrix bench_make_residues(int64_t n);

/* Reviews, as FraudYelp's R-S-R has them: those of a product that give it as many stars are joined, all with
 * all. Products come one after another, with a Lomax-distributed number of reviews. Symmetric. */
bench_matrix bench_make_reviews(int64_t n);

/* n vertices in a ring, each joined to the `degree` nearest, an even number less than n; then the share
 * `rewired` of the edges gets another end, any. Symmetric. Watts and Strogatz, Collective dynamics of
 * small-world networks (1998). */
typedef struct bench_small_world {
    int64_t n, degree;
    double rewired;
    uint64_t seed;
} bench_small_world;

bench_matrix bench_make_small_world(const bench_small_world *model);

/* What the tokens of a text attend to, n × n: `window` of them on either side, and the global ones, which
 * attend to all: the first, or one of each `spacing`. Rows are taken `block` at a time, and have so many
 * random blocks, block × block, in the mean. Beltagy et al., Longformer (2020); Zaheer et al., Big Bird
 * (2020). */
typedef struct bench_attention {
    int64_t n, window;
    int64_t globals, spacing; /* spacing 1: the first */
    int64_t block;
    double blocks;
    uint64_t seed;
} bench_attention;

bench_matrix bench_make_attention(const bench_attention *model);

/* Users' ratings of items: a user has a Lomax-distributed number of them (mean, capped), or as many as a few
 * tries each find; the k-th most popular item is drawn in proportion to k^-skew, skew below 1. Which item
 * that is, is random. These are the expected degrees of Chung and Lu, Connected components in random graphs
 * with given expected degree sequences (2002). */
typedef struct bench_ratings {
    int64_t nrows, ncols;
    double mean;
    int64_t cap;
    double skew;
    uint64_t seed;
} bench_ratings;

bench_matrix bench_make_ratings(const bench_ratings *model);

/* An optimisation problem, n × n: a diagonal, `near` percent of a band that reaches so far on either side,
 * and `filled` percent of a few rows and columns, `dense` of them from `first` on. Symmetric. */
typedef struct bench_arrow {
    int64_t n, reach;
    int near;
    int64_t first, dense;
    int filled;
} bench_arrow;

bench_matrix bench_make_arrow(const bench_arrow *model);

/* Points of an x × y × z grid, each with its neighbours along the axes, or with all in the box around it: 5
 * or 9 points where z is 1, otherwise 7 or 27. Points of the boundary have fewer, unless the grid wraps
 * around. Symmetric. */
typedef struct bench_stencil {
    int64_t x, y, z;
    bool is_box, wraps;
} bench_stencil;

bench_matrix bench_make_stencil(const bench_stencil *grid);

/* Pruned weights, n × n: each place is zero with that chance in percent, whatever the others are. */
bench_matrix bench_make_pruned(int64_t n, int zeros);

/* From a Matrix Market file. */
bench_matrix bench_read_matrix(const char *path);

/* 1 + (mean - 1)·(u^-½ - 1) for uniform u, at most cap: the heavy-tailed degrees of communities and pages. */
int64_t bench_lomax(uint64_t *state, double mean, int64_t cap);

/* 0 to n - 1 in random order, to be freed. */
int32_t *bench_random_order(int64_t n, uint64_t *state);

#endif
