#include "ranking.h"
#include "families.h"
#include "listing.h"
#include "occupancy.h"
#include "slice_families.h"
#include <math.h>

static const double LONE_WAVE = 10. / 3; /* of rounds, where most of the device is idle */
enum { MANY_SHARES = 8 };

/* After each ROUND of trees, no more are asked of kernels that are too far behind the first: by FAR times
 * what a tree can say, over the root of how many were asked. */
enum { ROUND = 10 };
static const double FAR = 80;

/* More than sums of trees differ by: what was left behind sooner comes after what was left behind later. */
enum { LEFT_BEHIND = 1 << 25 };

bool torc_rank_applies(const torc_problem *problem)
{
    const torc_spmm_kernel *kernel = &problem->kernel;
    torc_semiring semiring = kernel->semiring;
    bool is_wide = problem->ncols * (int64_t)problem->c_size >= TORC_LINE_BYTES;
    bool is_sum = semiring.add == TORC_PLUS_MONOID && !semiring.definition &&
                  (semiring.multiply == TORC_TIMES || semiring.multiply == TORC_SECOND);
    return is_sum && (semiring.type == TORC_FP32 || semiring.type == TORC_FP64) &&
           kernel->b_access == TORC_ACCESS_ARRAY && problem->b_size == problem->c_size &&
           problem->is_everywhere && (is_wide || !kernel->has_accum) && problem->rows->nnz > 0;
}

/* How the threads of a kernel share a product. */
typedef struct threads {
    double waves, blocks;     /* of a multiprocessor its share */
    double resident;          /* of a multiprocessor */
    double held;              /* by the device */
    double mean, longest;     /* batches of a group */
    double idle, warp, block; /* as the features */
} threads;

/* The longest of so many rows, in deviations beyond the mean. */
static double beyond_mean(double rows)
{
    return sqrt(2 * log(fmax(1, rows)));
}

static double groups_of(const torc_work *w, const torc_spmm_kernel *kernel)
{
    torc_cut cut = torc_families[kernel->family].cut;
    return cut == TORC_CUT_SLICES    ? ceil(w->full_rows * w->entries / torc_warp_slice_of(kernel))
           : cut == TORC_CUT_BUNDLES ? ceil(w->full_rows / TORC_BUNDLE_ROWS)
                                     : w->rows;
}

static double longest_batches(const torc_work *w, const torc_spmm_kernel *kernel)
{
    torc_cut cut = torc_families[kernel->family].cut;
    return cut == TORC_CUT_BUNDLES  ? torc_batches(TORC_BUNDLE_ROWS * w->most, 1)
           : cut == TORC_CUT_PIECES ? torc_batches(w->longest, TORC_PIECE_GROUPS * w->ways)
                                    : torc_batches(w->longest, w->ways);
}

static threads threads_of(const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    bool is_by_slices = torc_is_by_slices(kernel);
    double of_block = torc_families[kernel->family].threads,
           multiprocessors = problem->device.multiprocessors;
    double spans = ceil((double)problem->ncols / (kernel->shape.lanes * kernel->shape.vector));
    double all = groups_of(w, kernel) * spans * w->group, slice = torc_batches(TORC_SLICE_NNZ, w->ways);
    double resident = torc_resident_threads(kernel, problem);
    double uneven = is_by_slices ? 0 : w->deviation / fmax(1e-3, w->mean);
    return (threads){
        .waves = all / (resident * multiprocessors),
        .blocks = fmax(1, ceil(all / of_block)) / multiprocessors,
        .resident = resident,
        .held = resident * multiprocessors,
        .mean = is_by_slices ? slice : torc_batches(w->entries, w->ways),
        .longest = is_by_slices ? slice : longest_batches(w, kernel),
        .idle = is_by_slices ? 1 : ceil(w->entries / w->ways) * w->ways / fmax(1e-3, w->entries),
        .warp = uneven * beyond_mean(TORC_WARP / w->group),
        .block = uneven * beyond_mean(of_block / w->group),
    };
}

void torc_rank_product_features(int16_t features[TORC_RANK_FEATURES], const torc_problem *problem)
{
    const torc_device_facts *device = &problem->device;
    const torc_statistics *rows = problem->rows;
    double mean = fmax(1e-3, rows->mean_row), ncols = (double)problem->ncols;
    double b_bytes = (double)rows->ncols * ncols * (double)problem->b_size;
    features[TORC_RANK_columns] = torc_feature_logarithm(ncols);
    features[TORC_RANK_size] = torc_feature((double)problem->c_size);
    features[TORC_RANK_rows] = torc_feature_logarithm((double)rows->nrows);
    features[TORC_RANK_b_rows] = torc_feature_logarithm((double)rows->ncols);
    features[TORC_RANK_entries] = torc_feature_logarithm((double)rows->nnz);
    features[TORC_RANK_mean] = torc_feature_logarithm(mean);
    features[TORC_RANK_deviation] = torc_feature(rows->deviation_row / mean);
    features[TORC_RANK_longest] = torc_feature_logarithm((double)rows->max_row / mean);
    features[TORC_RANK_most] = torc_feature_logarithm((double)rows->max_row);
    features[TORC_RANK_empty] = torc_feature((double)rows->empty_rows / fmax(1, (double)rows->nrows));
    features[TORC_RANK_near] = torc_feature_logarithm(rows->near_footprint);
    features[TORC_RANK_far] = torc_feature_logarithm(rows->far_footprint);
    features[TORC_RANK_sectors] = torc_feature_logarithm(rows->sector_footprint);
    features[TORC_RANK_b_bytes] = torc_feature_logarithm(b_bytes / (double)device->l2_bytes);
    features[TORC_RANK_balance] =
        torc_feature_logarithm(device->bandwidth / (device->clock * device->multiprocessors));
}

void torc_rank_kernel_features(int16_t features[TORC_RANK_FEATURES], const torc_spmm_kernel *kernel,
    const torc_problem *problem, const torc_prediction *prediction, double least)
{
    torc_work w = torc_work_of(kernel, problem);
    threads t = threads_of(&w, kernel, problem);
    double width = (double)kernel->shape.lanes * kernel->shape.vector, ncols = (double)problem->ncols;
    double spans = ceil(ncols / width), size = (double)problem->c_size;
    features[TORC_RANK_longer] = torc_feature_logarithm(prediction->seconds / least);
    features[TORC_RANK_memory] = torc_feature(prediction->memory / prediction->seconds);
    features[TORC_RANK_gather] = torc_feature(prediction->gather / prediction->seconds);
    features[TORC_RANK_lines] = torc_feature(prediction->lines / prediction->seconds);
    features[TORC_RANK_threads] = torc_feature(prediction->threads / prediction->seconds);
    features[TORC_RANK_seconds] = torc_feature_logarithm(prediction->seconds);
    features[TORC_RANK_family] = torc_feature(kernel->family);
    features[TORC_RANK_lanes] = torc_feature_logarithm(kernel->shape.lanes);
    features[TORC_RANK_vector] = torc_feature_logarithm(kernel->shape.vector);
    features[TORC_RANK_ways] = torc_feature_logarithm(w.ways);
    features[TORC_RANK_spans] = torc_feature_logarithm(spans);
    features[TORC_RANK_fill] = torc_feature(ncols / (spans * width));
    features[TORC_RANK_waves] = torc_feature_logarithm(t.waves);
    features[TORC_RANK_rounds] = torc_feature(fmin(LONE_WAVE, ceil(t.waves) / t.waves));
    features[TORC_RANK_shares] = torc_feature(t.blocks > MANY_SHARES ? 1 : ceil(t.blocks) / t.blocks);
    features[TORC_RANK_batches] = torc_feature_logarithm(t.mean);
    features[TORC_RANK_most_batches] = torc_feature_logarithm(t.longest);
    features[TORC_RANK_idle] = torc_feature(t.idle);
    features[TORC_RANK_tail] = torc_feature_logarithm(t.longest / prediction->seconds);
    features[TORC_RANK_resident] = torc_feature(t.resident / torc_families[kernel->family].threads);
    features[TORC_RANK_flight] =
        torc_feature_logarithm(fmin(t.waves, 1) * t.held * kernel->shape.vector * size);
    features[TORC_RANK_span] = torc_feature_logarithm(fmin(width, ncols) * size);
    features[TORC_RANK_warp] = torc_feature(t.warp);
    features[TORC_RANK_block] = torc_feature(t.block);
    features[TORC_RANK_stragglers] =
        torc_feature_logarithm(fmax(1, w.longest / fmax(1, w.entries) / fmax(1e-3, t.waves)));
}

/* Of so many kernels, of which so many trees were asked, the numbers of those that are not too far behind the
 * first of them. The others stay behind. */
static int keep_near(int near[], int count, int32_t scores[], int trees)
{
    int left = (torc_rank_trees.count - trees) / ROUND + 1;
    double far = FAR * INT16_MAX / sqrt(trees);
    int32_t best = INT32_MIN;
    for (int i = 0; i < count; i++) {
        best = scores[near[i]] > best ? scores[near[i]] : best;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (best - scores[near[i]] <= far) {
            near[kept++] = near[i];
        } else {
            scores[near[i]] -= left * LEFT_BEHIND;
        }
    }
    return kept;
}

void torc_rank_scores(int32_t scores[], int16_t (*features)[TORC_RANK_FEATURES], int count)
{
    int near[TORC_RANK_MOST], kept = count;
    for (int i = 0; i < count; i++) {
        scores[i] = 0;
        near[i] = i;
    }
    for (int t = 0; t < torc_rank_trees.count && (kept > 1 || t == 0); t += TORC_TREES_ABREAST) {
        kept = t > 0 && t % ROUND == 0 ? keep_near(near, kept, scores, t) : kept;
        for (int i = 0; i < kept; i++) {
            scores[near[i]] += torc_trees_ask(&torc_rank_trees, t, features[near[i]]);
        }
    }
}
