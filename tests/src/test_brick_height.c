/* How high the windows of an operand's bricks are, by its statistics and the type of its values. */
#include "brick_height.h"
#include <criterion/criterion.h>

/* The first five as measured: bench/results/2026-11-26-h200-brick-windows.txt. */
Test(brick_height, is_two_where_more_rows_share_their_columns)
{
    static const struct {
        const char *name;
        torc_statistics A;
        int height;
    } cases[] = {
        {"band", {.nrows = 262144, .nnz = 14298315, .brick_footprint = .4146, .tall_brick_footprint = .2280},
            2},
        {"fraud-yelp-like",
            {.nrows = 45954, .nnz = 6710416, .brick_footprint = .5479, .tall_brick_footprint = .3452}, 2},
        {"fem", {.nrows = 201600, .nnz = 12119652, .brick_footprint = .2606, .tall_brick_footprint = .1985},
            1},
        {"web-berkstan-like",
            {.nrows = 685230, .nnz = 7299551, .brick_footprint = .7899, .tall_brick_footprint = .6288}, 1},
        {"dd-like",
            {.nrows = 334926, .nnz = 1664228, .brick_footprint = .6703, .tall_brick_footprint = .5944}, 1},
        {"few rows", {.nrows = 4000, .nnz = 400000, .brick_footprint = .125, .tall_brick_footprint = .0625},
            1},
        {"no rows", {.nrows = 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int height = torc_brick_height(&cases[i].A, TORC_FP32);
        cr_expect_eq(height, cases[i].height, "%s: %d", cases[i].name, height);
        cr_expect_eq(torc_brick_height(&cases[i].A, TORC_FP64), 1, "%s in fp64", cases[i].name);
    }
}

/* 16 entries a row, of which 8 rows share all, and 16 none besides: 2 bricks of 8 rows, and half of one. */
Test(brick_height, counts_columns_and_half_a_brick_more_a_window)
{
    torc_statistics A = {.nrows = 64, .nnz = 1024, .brick_footprint = .125, .tall_brick_footprint = .125};
    cr_expect_eq(torc_brick_columns(&A, 1), 128);
    cr_expect_eq(torc_brick_columns(&A, 2), 128);
    cr_expect_eq(torc_brick_count(&A, 1), 16 + 8 * 3.5 / 8);
    cr_expect_eq(torc_brick_count(&A, 2), 16 + 4 * 3.5 / 8);
    cr_expect_eq(torc_brick_cost(1), 1);
}
