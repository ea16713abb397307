/* test_bench_rows.c: rows under construction: order, repeated columns, short and long rows, edges. */
#include "bench_random.h"
#include "matrix_rows.h"
#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_row(const bench_matrix *matrix, int64_t row, int64_t length, const int32_t *columns)
{
    cr_assert_eq(bench_row_length(matrix, row), length, "row %d", (int)row);
    for (int64_t p = 0; p < length; p++) {
        cr_expect_eq(matrix->col_idx[matrix->row_ptr[row] + p], columns[p], "row %d", (int)row);
    }
}

Test(bench_rows, columns_come_out_in_order_and_once)
{
    bench_rows rows;
    bench_rows_begin(&rows, 3, 200, 1); /* less than will come */
    cr_expect(bench_rows_add(&rows, 199));
    cr_expect(bench_rows_add(&rows, 0));
    cr_expect(!bench_rows_add(&rows, 199));
    cr_expect(bench_rows_add(&rows, 63));
    cr_expect(bench_rows_add(&rows, 64));
    cr_expect_eq(bench_rows_length(&rows), 4);
    bench_rows_close(&rows);
    bench_rows_close(&rows);
    cr_expect(bench_rows_add(&rows, 199)); /* of another row */
    bench_rows_close(&rows);
    bench_matrix matrix = bench_rows_end(&rows);
    cr_expect_eq(matrix.nnz, 5);
    cr_expect_eq(matrix.longest_row, 0);
    expect_row(&matrix, 0, 4, (int32_t[]){0, 63, 64, 199});
    expect_row(&matrix, 1, 0, NULL);
    expect_row(&matrix, 2, 1, (int32_t[]){199});
    bench_matrix_free(&matrix);
}

Test(bench_rows, a_short_row_of_a_wide_matrix_comes_out_as_a_long_one_does)
{
    /* 3 columns of a million are sorted, 3000 of them are read off the bits */
    for (int64_t count = 3; count <= 3000; count *= 1000) {
        uint64_t state = 11;
        bench_rows rows;
        bench_rows_begin(&rows, 2, 1000000, count);
        for (int row = 0; row < 2; row++) {
            while (bench_rows_length(&rows) < count) {
                bench_rows_add(&rows, bench_random_below(&state, 1000000));
            }
            bench_rows_close(&rows);
        }
        bench_matrix matrix = bench_rows_end(&rows);
        cr_assert_eq(matrix.nnz, 2 * count);
        for (int64_t p = 1; p < matrix.nnz; p++) {
            cr_expect(p == count || matrix.col_idx[p - 1] < matrix.col_idx[p], "entry %d", (int)p);
        }
        bench_matrix_free(&matrix);
    }
}

Test(bench_rows, edges_in_any_order_make_the_matrix)
{
    static const bench_edge edges[] = {{2, 1}, {0, 3}, {2, 0}, {2, 1}, {0, 0}};
    bench_matrix matrix = bench_rows_from_edges(4, 5, edges, 5);
    cr_expect_eq(matrix.nnz, 4);
    cr_expect_eq(matrix.longest_row, 0);
    expect_row(&matrix, 0, 2, (int32_t[]){0, 3});
    expect_row(&matrix, 1, 0, NULL);
    expect_row(&matrix, 2, 2, (int32_t[]){0, 1});
    expect_row(&matrix, 3, 0, NULL);
    bench_matrix_free(&matrix);
}
