#include "row_families.h"

enum { SHORT_ROW = 8 }; /* entries; ours: bundles of rows of 16, uniform, take 6 % longer than single rows */

void torc_list_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    (void)problem;
    torc_listing_add(listing, kernel);
}

void torc_list_parallel_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    if (torc_reaches_across(problem, kernel.shape) || torc_leaves_threads_idle(problem, kernel.shape)) {
        torc_listing_add_ways(listing, kernel, 1);
    }
}

/* A warp for each short row, where there are long ones. */
void torc_list_block_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    kernel.ways = TORC_WARP / kernel.shape.lanes;
    if (problem->rows->max_row > TORC_SHORT_ROW) {
        torc_listing_add(listing, kernel);
    }
}

/* A row is computed once, so that threads only share its entries out and store it: by the widest stores, and
 * as many at once as fill a line or the row, or else each is a sector of its own. */
void torc_list_uniform(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    kernel.shape = (torc_shape){1, TORC_VECTOR_BYTES};
    while (!torc_is_legal_vector(kernel.shape.vector, problem)) {
        kernel.shape.vector /= 2;
    }
    for (kernel.ways = 1; kernel.ways <= TORC_WARP; kernel.ways *= 2) {
        int64_t at_once = (int64_t)kernel.ways * kernel.shape.vector;
        if (at_once >= problem->ncols || at_once * (int64_t)problem->c_size >= TORC_LINE_BYTES ||
            kernel.ways == TORC_WARP) {
            torc_listing_add(listing, kernel);
        }
    }
}

/* Short rows, several a group, where rows of B fill lines: where they do not, other kernels are faster on an
 * H200. */
void torc_list_bundles(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    const torc_statistics *rows = problem->rows;
    int64_t at_once = (int64_t)kernel.shape.lanes * kernel.shape.vector;
    int64_t span = at_once < problem->ncols ? at_once : problem->ncols;
    if (rows->mean_row <= SHORT_ROW && rows->max_row <= TORC_WARP &&
        span * (int64_t)problem->b_size >= TORC_LINE_BYTES) {
        torc_listing_add(listing, kernel);
    }
}

/* Ours: where presence decides which entries count, a row waits for it too, and rows differ more. Sums on
 * R-MAT, N = 4, take rows 1.7 to 2.3 times as long as slices there, and 1.4 times without, unless a mask lets
 * few rows through (bench/results/2026-11-21-h200-masks.txt). */
static double batch_of(
    const torc_work *w, const torc_spmm_kernel *kernel, double rate, const torc_rates *rates)
{
    static const double PRESENCE = 1.5;
    double batch = rate + w->piece * rates->element;
    return kernel->has_mask || kernel->b_is_bitmap ? PRESENCE * batch : batch;
}

static double seconds_of_rows(double *longest, const torc_work *w, double batch, const torc_rates *rates)
{
    double mean = torc_batches(w->entries, w->ways), most = torc_batches(w->most, w->ways);
    double waiting = 1 + w->spread * (rates->imbalance + rates->divergence * log2(TORC_WARP / w->group));
    *longest = rates->row + torc_batches(w->longest, w->ways) * batch;
    return w->rows * rates->row + w->full_rows * fmin(mean * waiting, most) * batch;
}

double torc_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    return seconds_of_rows(longest, w, batch_of(w, kernel, rates->batch, rates), rates);
}

double torc_cached_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    return seconds_of_rows(longest, w, batch_of(w, kernel, rates->cached_batch, rates), rates);
}

/* Rows that a block has, and entries of each. */
typedef struct long_rows {
    double count, length;
} long_rows;

/* As many of the longest as the deviation tells of, were all others of the mean length. */
static long_rows few_long_rows(const torc_work *w)
{
    double beyond = w->most - w->mean, all = w->rows * w->mean / w->most;
    return (long_rows){fmin(all, fmax(1, w->rows * pow(w->deviation / beyond, 2))), w->most};
}

/* Were lengths lognormal, of this mean and deviation. */
static long_rows many_long_rows(const torc_work *w)
{
    double variance = log1p(pow(w->deviation / w->mean, 2)), spread = sqrt(2 * variance);
    double limit = (log(TORC_SHORT_ROW / w->mean) + variance / 2) / spread;
    double count = w->rows / 2 * erfc(limit), entries = w->rows / 2 * w->mean * erfc(limit - spread / 2);
    return (long_rows){count, count > 0 ? fmin(w->most, entries / count) : 0};
}

static double seconds_of_long_rows(const torc_work *w, long_rows rows, double batch, const torc_rates *rates)
{
    double ways = TORC_PIECE_GROUPS * w->ways, pieces = rows.count * ceil(rows.length / TORC_PIECE_NNZ);
    double of_piece = rates->row + torc_batches(fmin(rows.length, TORC_PIECE_NNZ), ways) * batch;
    return pieces * TORC_PIECE_GROUPS * of_piece;
}

/* Groups of a block share a long row, or a piece of one. Of two guesses how many there are the worse counts.
 */
double torc_block_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch = batch_of(w, kernel, rates->batch, rates), ways = TORC_PIECE_GROUPS * w->ways;
    double of_short = torc_batches(fmin(w->entries, TORC_SHORT_ROW), w->ways) * batch;
    double short_rows = w->full_rows, of_long = 0;
    if (w->mean >= TORC_SHORT_ROW) {
        short_rows = 0;
        of_long = seconds_of_long_rows(w, (long_rows){w->full_rows, w->entries}, batch, rates);
    } else if (w->most > TORC_SHORT_ROW) {
        of_long = fmax(seconds_of_long_rows(w, few_long_rows(w), batch, rates),
            seconds_of_long_rows(w, many_long_rows(w), batch, rates));
    }
    *longest = rates->row + fmax(torc_batches(fmin(w->most, TORC_PIECE_NNZ), ways) * batch, of_short);
    return w->rows * rates->row + short_rows * of_short + of_long;
}

double torc_bundle_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    (void)kernel;
    double batch = rates->shared_batch + w->piece * rates->element;
    *longest = rates->row + torc_batches(TORC_BUNDLE_ROWS * w->most, 1) * batch;
    double mean = rates->row + torc_batches(TORC_BUNDLE_ROWS * w->entries, 1) * batch;
    return ceil(w->full_rows / TORC_BUNDLE_ROWS) * mean + w->rows * rates->bundled_row;
}
