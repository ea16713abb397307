/* Scores are sums over trees; features say what they name. */
#include "ranking.h"
#include <criterion/criterion.h>
#include <math.h>

static const double ROUNDED = .5 / TORC_FEATURE_ONE;

static int32_t sum_of(const int16_t features[TORC_RANK_FEATURES])
{
    int32_t sum = 0;
    for (int t = 0; t < torc_rank_trees.count; t += TORC_TREES_ABREAST) {
        sum += torc_trees_ask(&torc_rank_trees, t, features);
    }
    return sum;
}

/* Twins stay together: two that are ranked alone have the sum of all trees. Among others, those that are left
 * behind have less than those that are not. */
Test(kernel_ranking, adds_up_what_trees_say)
{
    enum { KERNELS = 32 };
    int16_t features[KERNELS][TORC_RANK_FEATURES];
    int32_t alone[KERNELS], scores[KERNELS], least = INT32_MAX;
    uint64_t state = 7;
    for (int i = 0; i < KERNELS; i += 2) {
        for (int f = 0; f < TORC_RANK_FEATURES; f++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            features[i][f] = features[i + 1][f] = (int16_t)(state >> 48);
        }
        torc_rank_scores(&alone[i], &features[i], 2);
        cr_assert(alone[i] == sum_of(features[i]) && alone[i + 1] == alone[i]);
    }
    torc_rank_scores(scores, features, KERNELS);
    int whole = 0;
    for (int i = 0; i < KERNELS; i++) {
        whole += scores[i] == alone[i];
        least = scores[i] == alone[i] && scores[i] < least ? scores[i] : least;
    }
    cr_expect(whole > 0 && whole < KERNELS, "%d of them were asked of all trees", whole);
    for (int i = 0; i < KERNELS; i++) {
        cr_expect(scores[i] == alone[i] || scores[i] < least, "%d: %d of %d", i, scores[i], alone[i]);
    }
}

static torc_statistics rows(void)
{
    return (torc_statistics){.nrows = 1024,
        .ncols = 4096,
        .nnz = 8192,
        .empty_rows = 256,
        .max_row = 64,
        .mean_row = 8,
        .deviation_row = 4,
        .near_footprint = .5,
        .far_footprint = .25,
        .sector_footprint = 1};
}

static torc_problem product(const torc_statistics *rows)
{
    return (torc_problem){.kernel = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false},
                              .a_type = TORC_FP64,
                              .b_type = TORC_FP64,
                              .a_access = TORC_ACCESS_ARRAY,
                              .b_access = TORC_ACCESS_ARRAY},
        .ncols = 12,
        .b_size = 8,
        .c_size = 8,
        .b_alignment = 32,
        .c_alignment = 32,
        .is_everywhere = true,
        .rows = rows,
        .device = torc_device_complete((torc_device_facts){0})};
}

/* The features, as numbers again. */
static void look(float f[TORC_RANK_FEATURES], const torc_spmm_kernel *kernel, const torc_problem *problem,
    const torc_prediction *prediction)
{
    int16_t features[TORC_RANK_FEATURES];
    torc_rank_product_features(features, problem);
    torc_rank_kernel_features(features, kernel, problem, prediction, 1e-6);
    for (int i = 0; i < TORC_RANK_FEATURES; i++) {
        f[i] = (float)features[i] / TORC_FEATURE_ONE;
    }
}

Test(kernel_ranking, looks_at_what_its_features_name)
{
    torc_statistics of_a = rows();
    torc_problem problem = product(&of_a);
    torc_spmm_kernel kernel = problem.kernel;
    torc_prediction prediction = {.seconds = 4e-6, .memory = 1e-6, .threads = 3e-6};
    float f[TORC_RANK_FEATURES];
    kernel.family = TORC_PARALLEL_ROWS;
    kernel.shape = (torc_shape){4, 2};
    kernel.ways = 4;
    look(f, &kernel, &problem, &prediction);
    cr_expect_float_eq(f[TORC_RANK_longer], 2, ROUNDED);
    cr_expect(f[TORC_RANK_memory] == .25F && f[TORC_RANK_gather] == 0 && f[TORC_RANK_threads] == .75F);
    cr_expect(
        f[TORC_RANK_family] == TORC_PARALLEL_ROWS && f[TORC_RANK_lanes] == 2 && f[TORC_RANK_vector] == 1);
    cr_expect(f[TORC_RANK_ways] == 2 && f[TORC_RANK_spans] == 1 && f[TORC_RANK_fill] == .75F);
    cr_expect(f[TORC_RANK_size] == 8 && f[TORC_RANK_rows] == 10 && f[TORC_RANK_b_rows] == 12);
    cr_expect(f[TORC_RANK_entries] == 13 && f[TORC_RANK_mean] == 3 && f[TORC_RANK_deviation] == .5F);
    cr_expect(f[TORC_RANK_longest] == 3 && f[TORC_RANK_most] == 6 && f[TORC_RANK_empty] == .25F);
    cr_expect(f[TORC_RANK_near] == -1 && f[TORC_RANK_far] == -2 && f[TORC_RANK_sectors] == 0);
}

/* 1024 rows of two groups of 16 threads each, 768 of them with 10 2/3 entries in the mean, one with 64. */
Test(kernel_ranking, looks_at_how_threads_share_the_product)
{
    torc_statistics of_a = rows();
    torc_problem problem = product(&of_a);
    torc_spmm_kernel kernel = problem.kernel;
    torc_prediction prediction = {.seconds = 4e-6};
    float f[TORC_RANK_FEATURES];
    problem.device.multiprocessors = 100;
    kernel.family = TORC_PARALLEL_ROWS;
    kernel.shape = (torc_shape){4, 2};
    kernel.ways = 4;
    look(f, &kernel, &problem, &prediction);
    double held = 32768 / exp2(f[TORC_RANK_waves]);
    cr_expect_float_eq(held, f[TORC_RANK_resident] * 256 * 100, held * ROUNDED, "%g threads", held);
    cr_expect_float_eq(f[TORC_RANK_rounds], fmin(10. / 3, held / 32768), ROUNDED);
    cr_expect_float_eq(f[TORC_RANK_shares], 2 / 1.28, ROUNDED); /* 128 blocks of 256 threads */
    cr_expect(f[TORC_RANK_batches] == 0 && f[TORC_RANK_most_batches] == 2);
    cr_expect_float_eq(f[TORC_RANK_idle], 1.125, ROUNDED); /* 3 turns of 4 ways */
    cr_expect_float_eq(f[TORC_RANK_tail], log2(4 / 4e-6), ROUNDED);
    cr_expect(f[TORC_RANK_flight] == 19 && f[TORC_RANK_span] == 6);
    cr_expect_float_eq(f[TORC_RANK_warp], sqrt(2 * log(2)) / 2, ROUNDED);
    cr_expect_float_eq(f[TORC_RANK_block], sqrt(2 * log(16)) / 2, ROUNDED);
    cr_expect_float_eq(f[TORC_RANK_stragglers], log2(6 * held / 32768), 2 * ROUNDED);
    kernel.family = TORC_SLICES; /* 64 of them */
    kernel.ways = 1;
    look(f, &kernel, &problem, &prediction);
    cr_expect_float_eq(f[TORC_RANK_shares], 50, ROUNDED); /* 512 threads */
    cr_expect(f[TORC_RANK_batches] == 5 && f[TORC_RANK_most_batches] == 5 && f[TORC_RANK_idle] == 1);
    cr_expect(f[TORC_RANK_warp] == 0 && f[TORC_RANK_block] == 0);
}

Test(kernel_ranking, is_of_sums_of_real_numbers_that_are_all_written)
{
    torc_statistics of_a = rows(), nothing = {.nrows = 8, .ncols = 8};
    torc_problem plain = product(&of_a), second = plain, masked = plain, added = plain, least = plain,
                 integers = plain, empty = product(&nothing), iso = plain, narrow;
    second.kernel.semiring.multiply = TORC_SECOND;
    masked.is_everywhere = false;
    added.kernel.has_accum = true;
    narrow = added;
    added.ncols = 16;
    least.kernel.semiring.add = TORC_MIN_MONOID;
    integers.kernel.semiring.type = TORC_INT64;
    iso.kernel.b_access = TORC_ACCESS_ISO;
    cr_expect(torc_rank_applies(&plain) && torc_rank_applies(&second) && torc_rank_applies(&added));
    cr_expect(!torc_rank_applies(&masked) && !torc_rank_applies(&narrow) && !torc_rank_applies(&least));
    cr_expect(!torc_rank_applies(&integers) && !torc_rank_applies(&empty) && !torc_rank_applies(&iso));
}
