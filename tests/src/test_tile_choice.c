/* What is looked at before tiles come first, and where they never do. */
#include "plain_problem.h"
#include "tile_choice.h"
#include "tile_family.h"
#include <criterion/criterion.h>
#include <math.h>

static const double ROUNDED = .5 / TORC_FEATURE_ONE;

/* 19200 rows of 400 in 4096 columns: 33 blocks of 582 rows. */
static const torc_statistics rows = {.nrows = 19200,
    .ncols = 4096,
    .nnz = 7680000,
    .max_row = 1600,
    .mean_row = 400,
    .deviation_row = 200,
    .near_footprint = .5,
    .far_footprint = .0625,
    .sector_footprint = .5};

static torc_problem product(int64_t ncols)
{
    return plus_of(TORC_TIMES, TORC_FP32, ncols, &rows);
}

static torc_spmm_kernel tiles_of(const torc_problem *problem)
{
    torc_spmm_kernel tiles = problem->kernel;
    tiles.family = TORC_TILES;
    tiles.shape = (torc_shape){8, 4};
    return tiles;
}

static torc_spmm_kernel gathers_of(const torc_problem *problem)
{
    torc_spmm_kernel gathers = problem->kernel;
    gathers.family = TORC_CACHED_ROWS;
    gathers.shape = (torc_shape){16, 2};
    return gathers;
}

Test(tile_choice, looks_at_what_its_features_name)
{
    torc_problem problem = product(144);
    torc_spmm_kernel tiles = tiles_of(&problem), first = gathers_of(&problem);
    torc_prediction of_tiles = torc_predict(&tiles, &problem, &torc_measured_rates);
    torc_prediction of_first = torc_predict(&first, &problem, &torc_measured_rates);
    torc_tiling made = torc_tiling_of(&tiles, &problem);
    int16_t features[TORC_TILE_FEATURES];
    double f[TORC_TILE_FEATURES], least = of_first.seconds / 2;
    torc_tile_features(features, &tiles, &first, &problem, least);
    for (int i = 0; i < TORC_TILE_FEATURES; i++) {
        f[i] = (double)features[i] / TORC_FEATURE_ONE;
    }
    cr_expect_float_eq(f[TORC_TILE_longer], log2(of_tiles.seconds / least), ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_behind], f[TORC_TILE_longer] - 1, 2 * ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_gather], of_first.gather / of_first.seconds, ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_seconds], log2(of_first.seconds), ROUNDED);
    cr_expect(f[TORC_TILE_family] == TORC_CACHED_ROWS && f[TORC_TILE_vector] == 1 && f[TORC_TILE_size] == 4);
    cr_expect(f[TORC_TILE_deviation] == .5 && f[TORC_TILE_longest] == 2);
    cr_expect(f[TORC_TILE_near] == -1 && f[TORC_TILE_far] == -4 && f[TORC_TILE_sectors] == -1);
    cr_expect(made.parts == 1 && f[TORC_TILE_parts] == 1 && made.spans == 4);
    cr_expect_float_eq(f[TORC_TILE_rounds], log2(made.blocks * 4 / problem.device.multiprocessors), ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_share], made.share, ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_steps], log2(made.steps), ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_filling], log2(made.steps / made.tiles), ROUNDED);
    cr_expect_float_eq(f[TORC_TILE_left], 16. / 144, ROUNDED); /* 4 lines of 32, and half a line */
}

Test(tile_choice, never_puts_tiles_first_that_are_predicted_to_take_much_longer)
{
    for (int64_t n = 32; n <= 256; n *= 2) {
        torc_problem problem = product(n);
        torc_spmm_kernel tiles = tiles_of(&problem), first = gathers_of(&problem);
        double seconds = torc_predict(&tiles, &problem, &torc_measured_rates).seconds;
        cr_expect(!torc_tiles_come_first(&tiles, &first, &problem, seconds / 1.26), "N = %ld", (long)n);
    }
}
