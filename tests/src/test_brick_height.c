/* How high the windows of an operand's bricks are, by its statistics alone. */
#include "brick_height.h"
#include <criterion/criterion.h>

/* Footprints as measured: bench/results/2026-11-24-h200-brick-windows.txt. With 16 and 32 rows band took less
 * time, the next three more. */
Test(brick_height, grows_where_more_rows_share_their_columns)
{
    static const struct {
        const char *name;
        torc_statistics A;
        int height;
    } cases[] = {
        {"band", {.nrows = 262144, .nnz = 14298315, .brick_footprints = {.4146, .2283, .1236}}, 4},
        {"fem", {.nrows = 201600, .nnz = 12119652, .brick_footprints = {.2606, .1985, .1720}}, 1},
        {"protein-like", {.nrows = 132534, .nnz = 39561252, .brick_footprints = {.7271, .7271, .7271}}, 1},
        {"web-berkstan-like", {.nrows = 685230, .nnz = 7600595, .brick_footprints = {.7899, .6302, .4899}},
            1},
        {"pairs of blocks", {.nrows = 40000, .nnz = 4000000, .brick_footprints = {.125, .0625, .0625}}, 2},
        {"few rows", {.nrows = 4000, .nnz = 400000, .brick_footprints = {.125, .0625, .0313}}, 1},
        {"nothing else known", {.nrows = 40000, .nnz = 4000000, .brick_footprints = {.125}}, 1},
        {"nothing known", {.nrows = 40000, .nnz = 4000000}, 1},
        {"no rows", {.nrows = 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int height = torc_brick_height(&cases[i].A);
        cr_expect_eq(height, cases[i].height, "%s: %d", cases[i].name, height);
    }
}

/* 4 rows of 16 columns each, of which 8 rows share all: 2 bricks a window, and half of one. */
Test(brick_height, counts_columns_and_half_a_brick_more_a_window)
{
    torc_statistics A = {.nrows = 64, .nnz = 1024, .brick_footprints = {.125, .125, .125}};
    static const double expected[] = {16 + 8 * 3.5 / 8, 16 + 4 * 3.5 / 8, 16 + 2 * 3.5 / 8};
    for (int height = 1; height <= TORC_BRICK_MOST_HEIGHT; height *= 2) {
        cr_expect_eq(torc_brick_columns(&A, height), 128);
        cr_expect_eq(torc_brick_count(&A, height), expected[torc_height_index(height)]);
    }
    cr_expect_eq(torc_brick_cost(1), 1);
}
