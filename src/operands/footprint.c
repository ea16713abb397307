#include "footprint.h"
#include "window_bit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };
static const double ALMOST = 1 - 1e-9; /* of the columns, where a window names all */

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

/* How many bits the entries set that were not set before. */
static uint32_t set_bits(uint64_t *bits, const uint32_t *columns, int64_t count, int64_t ncols)
{
    uint32_t set = 0;
    for (int64_t p = 0; p < count; p++) {
        uint32_t bit = torc_window_bit(columns[p], ncols);
        uint64_t word = bits[bit / WORD];
        bits[bit / WORD] |= UINT64_C(1) << bit % WORD;
        set += bits[bit / WORD] != word;
    }
    return set;
}

/* How many different sectors the columns, at most TORC_RUN, lie in. */
static uint32_t count_sectors(const uint32_t *columns, int64_t count)
{
    uint32_t sectors = 0;
    for (int64_t p = 0; p < count; p++) {
        int64_t first = 0;
        while (columns[first] / TORC_SECTOR_COLUMNS != columns[p] / TORC_SECTOR_COLUMNS) {
            first++;
        }
        sectors += first == p;
    }
    return sectors;
}

torc_status torc_footprint_count(
    torc_window windows[TORC_WINDOWS], const uint32_t *col_idx, int64_t nnz, int64_t nrows, int64_t ncols)
{
    enum { SIZE = TORC_WINDOW_BITS / 8 };
    torc_window_ends ends = torc_window_ends_of(nnz, nrows);
    if (nnz == 0) {
        memset(windows, 0, TORC_WINDOWS * sizeof *windows);
        return TORC_SUCCESS;
    }
    uint64_t *bits = malloc(SIZE); /* more than a thread's stack may have */
    if (!bits) {
        return TORC_OUT_OF_MEMORY;
    }
    int64_t entries = least(nnz, TORC_FAR_WINDOW), near = least(nnz, TORC_NEAR_WINDOW);
    for (int64_t w = 0; w < TORC_WINDOWS; w++) {
        memset(bits, 0, SIZE);
        const uint32_t *columns = col_idx + (nnz - entries) * w / (TORC_WINDOWS - 1);
        windows[w] = (torc_window){.sectors = 0};
        uint32_t set = 0;
        for (int64_t e = 0, begin = 0; e < TORC_WINDOW_ENDS; begin = ends.entries[e++]) {
            set += set_bits(bits, columns + begin, ends.entries[e] - begin, ncols);
            windows[w].columns[e] = set;
        }
        for (int64_t p = 0; p < near; p += TORC_RUN) {
            windows[w].sectors += count_sectors(columns + p, least(near - p, TORC_RUN));
        }
    }
    free(bits);
    return TORC_SUCCESS;
}

static double columns_of(uint32_t bits, int64_t ncols)
{
    return ncols <= TORC_WINDOW_BITS ? bits
                                     : -(double)TORC_WINDOW_BITS * log1p(-(double)bits / TORC_WINDOW_BITS);
}

/* Columns that so many entries name, one of the ends, an entry. */
static double footprint(
    const torc_statistics *statistics, const torc_window windows[TORC_WINDOWS], int64_t entries)
{
    torc_window_ends ends = torc_window_ends_of(statistics->nnz, statistics->nrows);
    double columns = 0;
    int e = 0;
    while (ends.entries[e] != entries) {
        e++;
    }
    for (int w = 0; w < TORC_WINDOWS; w++) {
        columns += columns_of(windows[w].columns[e], statistics->ncols);
    }
    return fmin(1, columns / TORC_WINDOWS / (double)(entries > 0 ? entries : 1));
}

void torc_footprint_set(torc_statistics *statistics, const torc_window windows[TORC_WINDOWS])
{
    int64_t nnz = statistics->nnz, near = least(nnz, TORC_NEAR_WINDOW);
    double sectors = 0;
    for (int w = 0; w < TORC_WINDOWS; w++) {
        sectors += windows[w].sectors;
    }
    statistics->near_footprint = footprint(statistics, windows, near);
    statistics->sector_footprint = sectors / TORC_WINDOWS / (double)(near > 0 ? near : 1);
    statistics->brick_footprint = footprint(statistics, windows, torc_few_entries(nnz, statistics->nrows, 1));
    statistics->tall_brick_footprint =
        footprint(statistics, windows, torc_few_entries(nnz, statistics->nrows, 2));
    statistics->far_footprint = footprint(statistics, windows, least(nnz, TORC_FAR_WINDOW));
}

enum { POINTS = 3 };

torc_footprint torc_footprint_of(const torc_statistics *statistics)
{
    double nnz = fmax(1, (double)statistics->nnz), all = fmax(1, fmin(nnz, (double)statistics->ncols));
    double near = fmin(nnz, TORC_NEAR_WINDOW), far = fmin(nnz, TORC_FAR_WINDOW);
    double near_columns = fmin(all, fmax(1, near * statistics->near_footprint));
    double far_columns = fmax(near_columns, far * statistics->far_footprint);
    far_columns = fmin(all, fmin(far_columns, far / near * near_columns)); /* sampled windows may differ */
    return (torc_footprint){
        .entries = {0, log2(near), log2(far)},
        .columns = {0, log2(near_columns), log2(far_columns)},
        .far = far_columns,
        .all = all,
        .rate = -log1p(-fmin(far_columns / all, ALMOST)) / far,
    };
}

double torc_footprint_columns(const torc_footprint *footprint, double entries)
{
    double x = log2(entries);
    const double *xs = footprint->entries, *ys = footprint->columns;
    for (int i = 1; i < POINTS; i++) {
        if (x < xs[i]) {
            return exp2(ys[i - 1] + (x - xs[i - 1]) / (xs[i] - xs[i - 1]) * (ys[i] - ys[i - 1]));
        }
    }
    return fmax(footprint->far, -footprint->all * expm1(-entries * footprint->rate));
}

double torc_footprint_misses(const torc_footprint *footprint, double columns)
{
    double y = log2(columns);
    const double *xs = footprint->entries, *ys = footprint->columns;
    for (int i = 1; i < POINTS; i++) {
        if (y < ys[i]) {
            double slope = (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1]);
            return slope * exp2(y - xs[i - 1] - (y - ys[i - 1]) / slope);
        }
    }
    return fmax(0, footprint->all - columns) * footprint->rate;
}

/* Of `all` columns those that `entries` name, where each draws its share of them from a Gamma distribution of
 * such a shape: the less it is, the more unequal they are. */
static double named_of_shape(double all, double entries, double shape)
{
    return -all * expm1(-shape * log1p(entries / (shape * all)));
}

/* The shape by which so many entries name so many columns. */
static double shape_of(double all, double entries, double columns)
{
    enum { STEPS = 32 };
    double low = -16, high = 8; /* logarithms: one column is named by most entries; all by as many */
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        bool is_more = named_of_shape(all, entries, exp(middle)) > columns;
        high = is_more ? middle : high;
        low = is_more ? low : middle;
    }
    return exp(low);
}

torc_named_columns torc_footprint_named(const torc_footprint *footprint, double entries)
{
    double far = exp2(footprint->entries[POINTS - 1]), all = footprint->all, known = fmin(entries, far);
    double columns = torc_footprint_columns(footprint, known), shape = shape_of(all, known, columns);
    double named = entries > far ? fmax(columns, named_of_shape(all, entries, shape)) : columns;
    double once = entries * exp(-(shape + 1) * log1p(entries / (shape * all)));
    return (torc_named_columns){.all = named, .once = fmin(once, named)};
}
