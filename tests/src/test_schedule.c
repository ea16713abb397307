/* test_schedule.c: each constraint of the search leaves out what it names and nothing else; what is kept is
 * ranked; rows of tiles are all rows once. */
#include "schedule.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 600, MOST_ENTRIES = 1 << 16, MULTIPROCESSORS = 132 };

static uint32_t row_ptr[MOST_ROWS + 1], col_idx[MOST_ENTRIES];
static torc_candidate_schedule list[TORC_MOST_SCHEDULES];
static int count, nkept;

/* A row i of length_of (i) entries, columns from i on. */
static torc_host_csr matrix(int64_t nrows, int64_t ncols, int64_t (*length_of)(int64_t row))
{
    for (int64_t i = 0; i < nrows; i++) {
        row_ptr[i + 1] = row_ptr[i];
        for (int64_t p = 0; p < length_of(i); p++) {
            col_idx[row_ptr[i + 1]++] = (uint32_t)((i + p) % ncols);
        }
    }
    return (torc_host_csr){nrows, ncols, row_ptr, col_idx};
}

static int64_t ten(int64_t row)
{
    (void)row;
    return 10;
}

static int64_t one_in_eight_is_long(int64_t row)
{
    return row % 64 < 8 ? 70 : 2;
}

static void search(torc_host_csr A, int64_t ncols, size_t value_size, int multiprocessors)
{
    torc_device_facts device = {.compute_capability = 90, .multiprocessors = multiprocessors};
    torc_search_problem problem = {A, ncols, value_size, torc_device_complete(device)};
    count = torc_search_schedules(list, &nkept, &problem);
}

static const torc_candidate_schedule *find(int rows, int columns, bool is_dealt)
{
    for (int i = 0; i < count; i++) {
        const torc_schedule *s = &list[i].schedule;
        if (s->rows == rows && s->columns == columns && s->is_dealt == is_dealt) {
            return &list[i];
        }
    }
    cr_assert_fail("(%d, %d) is not among %d schedules", rows, columns, count);
    return NULL;
}

Test(schedule, all_are_listed_once_and_those_kept_come_first_by_time)
{
    search(matrix(512, 512, ten), 128, sizeof(float), MULTIPROCESSORS);
    cr_assert_eq(count, TORC_MOST_SCHEDULES);
    cr_assert_gt(nkept, 10);
    for (int rows = 1; rows <= TORC_MOST_TILE_ROWS; rows++) {
        for (int columns = 16; columns <= TORC_MOST_TILE_COLUMNS; columns += 16) {
            find(rows, columns, false);
            find(rows, columns, true);
        }
    }
    for (int i = 0; i < count; i++) {
        cr_assert_eq(list[i].verdict == TORC_SCHEDULE_KEPT, i < nkept);
        cr_assert(i == 0 || i >= nkept || list[i - 1].seconds <= list[i].seconds);
        cr_assert(i >= nkept || list[i].seconds > 0);
    }
}

Test(schedule, more_registers_than_a_multiprocessor_has_are_left_out)
{
    search(matrix(512, 512, ten), 1024, sizeof(double), MULTIPROCESSORS);
    cr_expect_gt(torc_counted_registers(32, sizeof(double)), 2 * 32);
    cr_expect_lt(torc_counted_registers(32, sizeof(float)), torc_counted_registers(32, sizeof(double)));
    cr_expect_leq(torc_counted_registers(TORC_MOST_TILE_ROWS, sizeof(double)), 255);
    for (int i = 0; i < count; i++) {
        int registers = (list[i].registers + 7) / 8 * 8;
        bool is_too_much = registers * list[i].schedule.columns > 65536;
        cr_assert_eq(list[i].verdict == TORC_SCHEDULE_REGISTERS, is_too_much);
    }
    cr_expect_eq(find(32, 1024, false)->verdict, TORC_SCHEDULE_REGISTERS);
    cr_expect_neq(find(8, 1024, false)->verdict, TORC_SCHEDULE_REGISTERS);
}

Test(schedule, columns_that_are_no_multiple_of_a_warp_are_left_out)
{
    search(matrix(512, 512, ten), 48, sizeof(float), MULTIPROCESSORS);
    cr_expect_eq(find(4, 48, false)->verdict, TORC_SCHEDULE_WARPS, "though it has no padding");
    cr_expect_eq(find(4, 64, false)->verdict, TORC_SCHEDULE_KEPT, "a quarter is padding");
}

Test(schedule, half_as_many_blocks_as_multiprocessors_are_enough_and_fewer_are_not)
{
    search(matrix(512, 512, ten), 128, sizeof(float), MULTIPROCESSORS);
    cr_expect_eq(find(8, 128, false)->blocks, 64);
    cr_expect_eq(find(8, 128, false)->verdict, TORC_SCHEDULE_BLOCKS, "64 of 66");
    cr_expect_eq(find(7, 128, false)->verdict, TORC_SCHEDULE_KEPT, "74");
    search(matrix(512, 512, ten), 128, sizeof(float), 128);
    cr_expect_eq(find(8, 128, false)->verdict, TORC_SCHEDULE_KEPT, "64 of 64");
}

Test(schedule, tiles_of_A_that_differ_by_more_than_a_quarter_are_left_out_unless_rows_are_dealt)
{
    torc_host_csr A = matrix(512, 512, one_in_eight_is_long);
    search(A, 128, sizeof(float), 64);
    cr_expect_eq(find(8, 128, false)->verdict, TORC_SCHEDULE_ROWS, "a tile has the eight long ones");
    cr_expect_eq(find(8, 128, true)->verdict, TORC_SCHEDULE_KEPT, "each tile has one");
    cr_expect_eq(find(1, 128, true)->verdict, TORC_SCHEDULE_ROWS, "rows differ, in whatever order");
    uint32_t order[MOST_ROWS];
    torc_schedule adjacent = {8, 128, false};
    cr_assert_eq(torc_arrange_rows(order, &A, &adjacent), TORC_SUCCESS);
    /* Of eight tiles one has 560 entries and seven have 16: the mean is 84, the deviation √7/8 · 544. */
    cr_expect_float_eq(torc_tile_imbalance(&A, order, 8), 179.9166 / 84, 1e-4);
}

Test(schedule, columns_of_which_more_than_a_quarter_are_padding_are_left_out)
{
    search(matrix(512, 512, ten), 96, sizeof(float), MULTIPROCESSORS);
    cr_expect_eq(find(4, 128, false)->verdict, TORC_SCHEDULE_KEPT, "32 of 128");
    search(matrix(512, 512, ten), 95, sizeof(float), MULTIPROCESSORS);
    cr_expect_eq(find(4, 128, false)->verdict, TORC_SCHEDULE_COLUMNS, "33 of 128");
    cr_expect_eq(find(4, 96, false)->verdict, TORC_SCHEDULE_KEPT);
}

Test(schedule, matrices_of_many_entries_or_hardly_any_are_not_searched)
{
    cr_expect(torc_search_may_gain(1, 32768));
    cr_expect_not(torc_search_may_gain(1, 32769), "their instructions are too many");
    cr_expect_not(torc_search_may_gain(1, 0));
    cr_expect(torc_search_may_gain(160, 10));
    cr_expect_not(torc_search_may_gain(161, 10), "nearly all rows are empty");
}

Test(schedule, tiles_have_all_rows_once_however_they_are_arranged)
{
    uint64_t state = 1;
    for (int round = 0; round < 200; round++) {
        int64_t nrows = 1 + random_below(&state, 300);
        torc_host_csr A = matrix(nrows, 512, one_in_eight_is_long);
        torc_schedule schedule = {1 + (int)random_below(&state, 32), 32, round % 2};
        uint32_t order[MOST_ROWS];
        int times[MOST_ROWS] = {0};
        cr_assert_eq(torc_arrange_rows(order, &A, &schedule), TORC_SUCCESS);
        for (int64_t p = 0; p < nrows; p++) {
            cr_assert_lt(order[p], nrows, "%d rows of %ld", schedule.rows, (long)nrows);
            times[order[p]]++;
        }
        for (int64_t i = 0; i < nrows; i++) {
            cr_assert_eq(times[i], 1);
        }
    }
}

/* Tiles that share columns load fewer values of B. */
Test(schedule, rows_that_name_the_same_columns_are_predicted_to_take_less)
{
    search(matrix(512, 512, ten), 128, sizeof(float), MULTIPROCESSORS);
    double side_by_side = find(4, 128, false)->seconds;
    search(matrix(512, 1 << 20, ten), 128, sizeof(float), MULTIPROCESSORS);
    double same = find(4, 128, false)->seconds;
    cr_expect_float_eq(side_by_side, same, 1e-12);
    for (uint32_t e = 0; e < row_ptr[512]; e++) {
        col_idx[e] = e; /* no column twice */
    }
    search((torc_host_csr){512, 1 << 20, row_ptr, col_idx}, 128, sizeof(float), MULTIPROCESSORS);
    cr_expect_gt(find(4, 128, false)->seconds, same);
}

Test(schedule, columns_that_no_entry_names_take_neither_memory_nor_time)
{
    static torc_candidate_schedule narrow[TORC_MOST_SCHEDULES];
    torc_host_csr A = matrix(256, 256, ten);
    search(A, 128, sizeof(float), MULTIPROCESSORS);
    memcpy(narrow, list, sizeof list);
    for (uint32_t e = 0; e < A.row_ptr[A.nrows]; e++) {
        col_idx[e] *= UINT32_MAX / 256;
    }
    A.ncols = UINT32_MAX;
    search(A, 128, sizeof(float), MULTIPROCESSORS);
    cr_assert_eq(count, TORC_MOST_SCHEDULES);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(list[i].seconds, narrow[i].seconds, "schedule %d", i);
    }
}
