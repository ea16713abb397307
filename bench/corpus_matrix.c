#include "corpus_matrix.h"
#include "bench_random.h"
#include "matrix_generators.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROWS = 32, MOST_ROWS = 6000000, SHUFFLED_PERCENT = 30 };

typedef struct draw {
    uint64_t state;
    double entries; /* that the matrix shall have, about */
} draw;

static double uniform(draw *d, double least, double most)
{
    return least + (most - least) * bench_random_fraction(&d->state);
}

/* Each doubling is as likely as any other. */
static double scaled(draw *d, double least, double most)
{
    return exp(uniform(d, log(least), log(fmax(least, most))));
}

static int64_t rows_of(double rows)
{
    return (int64_t)fmin(MOST_ROWS, fmax(LEAST_ROWS, rows));
}

/* Square, without structure, with a mean that leaves room for a square. */
static bench_mixture square(draw *d, double least_mean, double most_mean)
{
    double mean = scaled(d, least_mean, fmin(most_mean, sqrt(d->entries / 2)));
    int64_t n = rows_of(d->entries / mean);
    return (bench_mixture){.nrows = n,
        .ncols = n,
        .mean = mean,
        .cap = n,
        .window = n,
        .sharers = 1,
        .power = 1,
        .seed = bench_random(&d->state)};
}

static bench_matrix make_uniform(draw *d)
{
    bench_mixture model = square(d, 1, 1000);
    model.is_skewed = bench_random_chance(&d->state, 30);
    return bench_make_mixture(&model);
}

static bench_matrix make_rectangular(draw *d)
{
    bench_mixture model = square(d, 1, 500);
    double aspect = scaled(d, 1. / 64, 64);
    model.ncols = rows_of(fmax(2 * model.mean, (double)model.nrows / aspect));
    model.window = model.cap = model.ncols;
    model.is_skewed = bench_random_chance(&d->state, 40);
    model.power = bench_random_chance(&d->state, 50) ? scaled(d, 1, 6) : 1;
    return bench_make_mixture(&model);
}

static bench_matrix make_band(draw *d)
{
    bench_mixture model = square(d, 2, 400);
    model.sharers = INT64_C(1) << bench_random_below(&d->state, 7);
    model.window = (int64_t)fmin((double)model.ncols, ceil(model.mean * scaled(d, 1.2, 30)));
    model.near = bench_random_chance(&d->state, 60) ? 100 : (int)uniform(d, 70, 99);
    return bench_make_mixture(&model);
}

/* Dense blocks on the diagonal, and some entries beside them. */
static bench_matrix make_blocks(draw *d)
{
    bench_mixture model = square(d, 3, 300);
    model.window = model.sharers = (int64_t)fmin((double)model.ncols, ceil(model.mean * scaled(d, 1.1, 4)));
    model.near = bench_random_chance(&d->state, 50) ? 100 : (int)uniform(d, 60, 99);
    return bench_make_mixture(&model);
}

/* A grid of so many nodes, in three dimensions. */
static void draw_sides(int64_t *sides, draw *d, double nodes)
{
    double x = cbrt(nodes) * scaled(d, .3, 3), y = sqrt(nodes / fmax(3, x)) * scaled(d, .5, 2);
    sides[0] = (int64_t)fmax(3, x);
    sides[1] = (int64_t)fmax(3, y);
    sides[2] = (int64_t)fmax(3, nodes / (double)(sides[0] * sides[1]));
}

static bench_matrix make_fem(draw *d)
{
    int64_t sides[3];
    draw_sides(sides, d, fmax(27, d->entries / 190));
    return bench_make_fem(sides[0], sides[1], sides[2]);
}

static bench_matrix make_road(draw *d)
{
    return bench_make_road((int64_t)fmin(2500, fmax(8, sqrt(d->entries / 2.8))));
}

static bench_matrix make_molecules(draw *d)
{
    return bench_make_molecules(rows_of(d->entries / 2.1));
}

/* Pages have up to 250 links, for which there have to be others. */
static bench_matrix make_web(draw *d)
{
    return bench_make_web(rows_of(fmax(1000, d->entries / 11)));
}

static bench_matrix make_communities(draw *d)
{
    double mean = scaled(d, 5, fmin(600, sqrt(d->entries / 8)));
    int64_t n = rows_of(d->entries / mean);
    bench_communities model = {n, 0, mean, 0, (int)uniform(d, 30, 95), bench_random_chance(&d->state, 50)};
    model.community = (int64_t)fmin((double)n, mean * scaled(d, 2, 40));
    model.cap = (int64_t)fmin((double)model.community / 2 + 1, mean * scaled(d, 2, 50));
    return bench_make_communities(&model);
}

static bench_matrix make_rmat(draw *d)
{
    bench_rmat model = {.edges = (int)scaled(d, 2, 64), .is_shuffled = bench_random_chance(&d->state, 60)};
    double a = uniform(d, .3, .65), b = (1 - a) * uniform(d, .25, .45), c = (1 - a) * uniform(d, .25, .45);
    model.a = (int)(65536 * a);
    model.ab = (int)(65536 * (a + b));
    model.abc = (int)(65536 * (a + b + c));
    model.scale = (int)fmin(22, fmax(6, round(log2(d->entries / model.edges))));
    model.seed = bench_random(&d->state);
    return bench_make_rmat_of(&model);
}

static bench_matrix make_power(draw *d)
{
    bench_mixture model = square(d, 1.5, 200);
    model.is_skewed = true;
    model.cap = (int64_t)fmax(8, (double)model.ncols * scaled(d, .001, .5));
    model.power = scaled(d, 1, 5);
    return bench_make_mixture(&model);
}

/* A few long rows, many short ones. */
static bench_matrix make_hubs(draw *d)
{
    bench_mixture model = square(d, 1, 12);
    model.rows_a_hub = model.nrows / (1 + bench_random_below(&d->state, 32)) + 1;
    model.hub = (int64_t)((double)model.ncols * scaled(d, .02, .8));
    model.near = bench_random_chance(&d->state, 40) ? 80 : 0;
    model.window = (int64_t)fmin((double)model.ncols, 64 * ceil(model.mean));
    return bench_make_mixture(&model);
}

/* Few rows, many entries in each. */
static bench_matrix make_pruned(draw *d)
{
    d->entries = fmin(d->entries, 4e6);
    double density = scaled(d, .01, .4);
    bench_mixture model = square(d, 1, 1);
    model.nrows = rows_of(sqrt(d->entries / density) * scaled(d, .5, 2));
    model.ncols = model.cap = model.window = rows_of(d->entries / density / (double)model.nrows);
    model.mean = (double)model.ncols * density;
    return bench_make_mixture(&model);
}

/* Residues have five contacts in the mean. */
static bench_matrix make_residues(draw *d)
{
    return bench_make_residues(rows_of(d->entries / 5));
}

/* 175 others in the mean, or of a single product 29 %. */
static bench_matrix make_reviews(draw *d)
{
    return bench_make_reviews(rows_of(fmax(d->entries / 175, sqrt(d->entries / .29))));
}

static bench_matrix make_small_world(draw *d)
{
    bench_small_world model = {.degree = 2 * (int64_t)scaled(d, 1, fmin(20.99, sqrt(d->entries / 8)))};
    model.n = rows_of(d->entries / (double)model.degree);
    model.rewired = scaled(d, .001, 1);
    model.seed = bench_random(&d->state);
    return bench_make_small_world(&model);
}

/* Half full at most. Window, global tokens and blocks share the entries. */
static bench_matrix make_attention(draw *d)
{
    double n = scaled(d, fmax(256, sqrt(2 * d->entries)), fmin(65536, d->entries / 3)), left = d->entries / n;
    bench_attention model = {.n = (int64_t)n, .block = INT64_C(16) << bench_random_below(&d->state, 3)};
    model.globals = (int64_t)fmax(1, left * uniform(d, 0, .15));
    model.spacing = bench_random_chance(&d->state, 50) ? 1 : model.n / model.globals;
    model.blocks = left * uniform(d, 0, .6) / (double)model.block;
    left -= 2 * (double)model.globals + model.blocks * (double)model.block;
    model.window = (int64_t)fmax(1, left / 2);
    model.seed = bench_random(&d->state);
    return bench_make_attention(&model);
}

/* More users than items, or fewer. */
static bench_matrix make_ratings(draw *d)
{
    bench_ratings model = {.mean = scaled(d, 2, fmin(300, sqrt(d->entries / 8)))};
    model.nrows = rows_of(d->entries / model.mean);
    model.ncols = rows_of(fmax(4 * model.mean, (double)model.nrows / scaled(d, 1. / 8, 64)));
    model.cap = (int64_t)fmax(2 * model.mean, (double)model.ncols * scaled(d, .01, .5));
    model.skew = uniform(d, .3, .95);
    model.seed = bench_random(&d->state);
    return bench_make_ratings(&model);
}

/* Dense rows and columns are last, or anywhere. */
static bench_matrix make_arrow(draw *d)
{
    double mean = scaled(d, 3, fmin(200, sqrt(d->entries / 8))), of_dense = mean * scaled(d, .01, .5);
    bench_arrow model = {.n = rows_of(d->entries / mean), .near = (int)uniform(d, 30, 101)};
    model.filled = (int)scaled(d, 10, 101);
    model.dense = (int64_t)fmax(1, of_dense / 2 * 100 / model.filled);
    model.reach = (int64_t)fmax(1, (mean - of_dense) / 2 * 100 / model.near);
    int64_t last = model.n - model.dense;
    model.first = bench_random_chance(&d->state, 60) ? last : bench_random_below(&d->state, last);
    return bench_make_arrow(&model);
}

/* Of 5, 9, 7 or 27 points, in a plane or not. */
static bench_matrix make_stencil(draw *d)
{
    static const double points[2][2] = {{7, 27}, {5, 9}};
    bool is_flat = bench_random_chance(&d->state, 50), is_box = bench_random_chance(&d->state, 50);
    double nodes = (double)rows_of(d->entries / points[is_flat][is_box]);
    int64_t sides[3] = {0, 0, 1};
    if (is_flat) {
        sides[0] = (int64_t)fmin(nodes / 3, fmax(3, sqrt(nodes) * scaled(d, .03, 30)));
        sides[1] = (int64_t)nodes / sides[0];
    } else {
        draw_sides(sides, d, nodes);
    }
    bench_stencil grid = {sides[0], sides[1], sides[2], is_box, bench_random_chance(&d->state, 30)};
    return bench_make_stencil(&grid);
}

static const struct {
    const char *name;
    bench_matrix (*make)(draw *d);
    int may_shuffle; /* its order means something */
} families[] = {
    {"uniform", make_uniform, 0},
    {"rmat", make_rmat, 0},
    {"band", make_band, 1},
    {"communities", make_communities, 0},
    {"rectangular", make_rectangular, 0},
    {"fem", make_fem, 1},
    {"power", make_power, 1},
    {"road", make_road, 1},
    {"hubs", make_hubs, 0},
    {"blocks", make_blocks, 1},
    {"web", make_web, 1},
    {"pruned", make_pruned, 0},
    {"molecules", make_molecules, 1},
    {"residues", make_residues, 1},
    {"reviews", make_reviews, 1},
    {"smallworld", make_small_world, 1},
    {"attention", make_attention, 0},
    {"ratings", make_ratings, 0},
    {"arrow", make_arrow, 1},
    {"stencil", make_stencil, 1},
};
_Static_assert(sizeof families / sizeof *families == CORPUS_FAMILIES, "CORPUS_FAMILIES");

const char *corpus_family_name(int family)
{
    return families[family].name;
}

corpus_families corpus_families_all(void)
{
    corpus_families all = {.count = CORPUS_FAMILIES};
    for (int family = 0; family < CORPUS_FAMILIES; family++) {
        all.numbers[family] = family;
    }
    return all;
}

static int find_family(const char *name)
{
    int family = 0;
    while (family < CORPUS_FAMILIES && strcmp(families[family].name, name) != 0) {
        family++;
    }
    return family;
}

bool corpus_families_parse(corpus_families *chosen, char *names)
{
    *chosen = (corpus_families){0};
    for (const char *name; (name = strsep(&names, ","));) {
        int family = find_family(name);
        if (family == CORPUS_FAMILIES || chosen->count == CORPUS_FAMILIES) {
            return false;
        }
        chosen->numbers[chosen->count++] = family;
    }
    return true;
}

bench_matrix corpus_matrix_make(const corpus_families *chosen, uint64_t seed, double most_entries)
{
    int family = chosen->numbers[seed % (uint64_t)chosen->count];
    draw d = {.state = bench_mix(seed + 1)};
    d.entries = scaled(&d, CORPUS_LEAST_ENTRIES, most_entries);
    bench_matrix matrix = families[family].make(&d);
    if (families[family].may_shuffle && bench_random_chance(&d.state, SHUFFLED_PERCENT)) {
        bench_matrix other =
            bench_shuffle(&matrix, bench_random_chance(&d.state, 70), bench_random(&d.state));
        bench_matrix_free(&matrix);
        matrix = other;
    }
    snprintf(matrix.name, sizeof matrix.name, "%s-%llu", families[family].name, (unsigned long long)seed);
    return matrix;
}
