/* test_bench_check.c: right rows pass, wrong ones are told; the values. */
#include "bench_check.h"
#include "bench_values.h"
#include "matrix_rows.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 4, N = 130 }; /* wide enough for three steps over the columns */

static bench_matrix make(void)
{
    static const bench_edge edges[] = {{0, 2}, {0, 4}, {0, 5}, {1, 0}, {3, 1}, {3, 5}};
    return bench_rows_from_edges(ROWS, 6, edges, 6);
}

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
static const torc_semiring min_plus = {TORC_MIN_MONOID, TORC_PLUS, TORC_FP32};
static const torc_semiring any_second = {TORC_ANY_MONOID, TORC_SECOND, TORC_FP32};

static float a(int64_t p)
{
    return (float)bench_value(TORC_FP32, p);
}

static float b(const bench_matrix *A, int64_t p, int64_t j)
{
    return (float)bench_value(TORC_FP32, A->col_idx[p] * N + j);
}

static void multiply(
    float *row, const bench_matrix *A, int64_t i, float (*step)(float sum, float x, float y), float start)
{
    for (int64_t j = 0; j < N; j++) {
        row[j] = start;
        for (int64_t p = A->row_ptr[i]; p < A->row_ptr[i + 1]; p++) {
            row[j] = step(row[j], a(p), b(A, p, j));
        }
    }
}

static float add_product(float sum, float x, float y)
{
    return sum + x * y;
}

static float least_sum(float least, float x, float y)
{
    return fminf(least, x + y);
}

static float last(float found, float x, float y)
{
    (void)found;
    (void)x;
    return y;
}

Test(bench_check, sums_pass_within_rounding_and_no_further)
{
    bench_matrix A = make();
    for (int64_t i = 0; i < ROWS; i++) {
        float row[N];
        multiply(row, &A, i, add_product, 0);
        double error = bench_row_error(&A, plus_times, TORC_ROW_MAJOR, N, i, row, NULL);
        cr_expect(error <= 3 * 0x1p-24, "row %d: %g", (int)i, error); /* γ₃: three terms or fewer */
        for (int64_t j = 0; j < N; j++) {
            row[j] = row[j] * 1.0001f + (i == 2); /* row 2 is empty: its sum is 0 */
        }
        cr_expect(bench_row_error(&A, plus_times, TORC_ROW_MAJOR, N, i, row, NULL) > 5e-5, "row %d", (int)i);
    }
    bench_matrix_free(&A);
}

Test(bench_check, poison_is_infinitely_wrong)
{
    bench_matrix A = make();
    const torc_semiring semirings[] = {plus_times, min_plus, any_second};
    float row[N];
    for (int j = 0; j < N; j++) {
        row[j] = NAN;
    }
    for (int s = 0; s < 3; s++) {
        for (int64_t i = 0; i < ROWS; i++) {
            cr_expect(isinf(bench_row_error(&A, semirings[s], TORC_ROW_MAJOR, N, i, row, NULL)),
                "semiring %d, row %d", s, (int)i);
        }
    }
    bench_matrix_free(&A);
}

Test(bench_check, minima_are_exact_and_of_nothing_infinite)
{
    bench_matrix A = make();
    for (int64_t i = 0; i < ROWS; i++) {
        float row[N];
        multiply(row, &A, i, least_sum, INFINITY);
        cr_expect_eq(bench_row_error(&A, min_plus, TORC_ROW_MAJOR, N, i, row, NULL), 0, "row %d", (int)i);
        for (int64_t j = 0; j < N; j++) {
            row[j] = isinf(row[j]) ? 0 : nextafterf(row[j], 9);
        }
        cr_expect(isinf(bench_row_error(&A, min_plus, TORC_ROW_MAJOR, N, i, row, NULL)), "row %d", (int)i);
    }
    bench_matrix_free(&A);
}

Test(bench_check, any_takes_each_of_the_terms_and_nothing_else)
{
    bench_matrix A = make();
    for (int64_t i = 0; i < ROWS; i++) {
        float row[N];
        multiply(row, &A, i, last, 0);
        cr_expect_eq(bench_row_error(&A, any_second, TORC_ROW_MAJOR, N, i, row, NULL), 0, "row %d", (int)i);
        for (int64_t j = 0; j < N; j++) {
            row[j] += 2;
        }
        cr_expect(isinf(bench_row_error(&A, any_second, TORC_ROW_MAJOR, N, i, row, NULL)), "row %d", (int)i);
    }
    bench_matrix_free(&A);
}

Test(bench_check, positions_are_those_of_the_entry)
{
    bench_matrix A = make();
    const torc_semiring semirings[] = {{TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64},
        {TORC_ANY_MONOID, TORC_FIRSTJ1, TORC_INT64}, {TORC_ANY_MONOID, TORC_FIRSTI1, TORC_INT64},
        {TORC_ANY_MONOID, TORC_SECONDJ, TORC_INT64}};
    for (int64_t i = 0; i < ROWS; i++) {
        bool is_empty = A.row_ptr[i] == A.row_ptr[i + 1];
        int64_t row[4][N], k = is_empty ? 0 : A.col_idx[A.row_ptr[i + 1] - 1];
        for (int64_t j = 0; j < N; j++) {
            row[0][j] = k;
            row[1][j] = is_empty ? 0 : k + 1;
            row[2][j] = is_empty ? 0 : i + 1;
            row[3][j] = is_empty ? 0 : j;
        }
        for (int s = 0; s < 4; s++) {
            cr_expect_eq(bench_row_error(&A, semirings[s], TORC_ROW_MAJOR, N, i, row[s], NULL), 0,
                "semiring %d, row %d", s, (int)i);
            row[s][0] += 7;
            bool is_checked = i % 3 == 0; /* column 0 */
            cr_expect(
                isinf(bench_row_error(&A, semirings[s], TORC_ROW_MAJOR, N, i, row[s], NULL)) == is_checked,
                "semiring %d, row %d", s, (int)i);
        }
    }
    bench_matrix_free(&A);
}

static bool is_marked(int64_t at)
{
    return bench_value(TORC_BOOL, at) != 0;
}

Test(bench_check, of_a_step_of_a_traversal_presence_counts)
{
    bench_matrix A = make();
    const torc_semiring parents = {TORC_ANY_MONOID, TORC_SECONDI, TORC_INT64};
    int npresent = 0, nabsent = 0;
    for (int order = 0; order < 2; order++) {
        for (int64_t i = 0; i < ROWS; i++) {
            int64_t row[N] = {0};
            uint8_t present[N] = {0};
            for (int64_t j = 0; j < N; j++) {
                for (int64_t p = A.row_ptr[i]; p < A.row_ptr[i + 1]; p++) {
                    int64_t k = A.col_idx[p];
                    if (is_marked(order == TORC_ROW_MAJOR ? k * N + j : k + j * A.ncols)) {
                        present[j] = !is_marked(order == TORC_ROW_MAJOR ? i * N + j : i + j * ROWS);
                        row[j] = k;
                    }
                }
                npresent += present[j];
                nabsent += !present[j];
            }
            cr_expect_eq(bench_row_error(&A, parents, (torc_order)order, N, i, row, present), 0);
            for (int64_t j = i % 3; j < N; j += 3) { /* the columns that are checked */
                present[j] = !present[j];
                cr_expect(isinf(bench_row_error(&A, parents, (torc_order)order, N, i, row, present)));
                present[j] = !present[j];
                row[j] += present[j] ? 7 : 0;
                cr_expect(
                    isinf(bench_row_error(&A, parents, (torc_order)order, N, i, row, present)) == present[j]);
                row[j] -= present[j] ? 7 : 0;
            }
        }
    }
    cr_expect(npresent > 0 && nabsent > npresent);
    bench_matrix_free(&A);
}

Test(bench_check, disjunctions_are_exact_and_of_nothing_false)
{
    bench_matrix A = make();
    const torc_semiring lor_second = {TORC_LOR_MONOID, TORC_SECOND, TORC_BOOL};
    int ntrue = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        uint8_t row[N];
        for (int64_t j = 0; j < N; j++) {
            row[j] = 0;
            for (int64_t p = A.row_ptr[i]; p < A.row_ptr[i + 1]; p++) {
                row[j] = row[j] || bench_value(TORC_BOOL, A.col_idx[p] * N + j) != 0;
            }
            ntrue += row[j];
        }
        cr_expect_eq(bench_row_error(&A, lor_second, TORC_ROW_MAJOR, N, i, row, NULL), 0, "row %d", (int)i);
        for (int64_t j = 0; j < N; j++) {
            row[j] = !row[j];
        }
        cr_expect(isinf(bench_row_error(&A, lor_second, TORC_ROW_MAJOR, N, i, row, NULL)), "row %d", (int)i);
    }
    cr_expect(ntrue > 0);
    bench_matrix_free(&A);
}

Test(bench_check, values_of_b_are_told_by_their_place_in_it)
{
    bench_matrix A = make();
    for (int64_t i = 0; i < ROWS; i++) {
        float row[N];
        for (int64_t j = 0; j < N; j++) {
            row[j] = 0;
            for (int64_t p = A.row_ptr[i]; p < A.row_ptr[i + 1]; p++) {
                row[j] += a(p) * (float)bench_value(TORC_FP32, A.col_idx[p] + j * A.ncols);
            }
        }
        bool is_empty = A.row_ptr[i] == A.row_ptr[i + 1];
        cr_expect(bench_row_error(&A, plus_times, TORC_COL_MAJOR, N, i, row, NULL) <= 3 * 0x1p-24);
        cr_expect(is_empty || bench_row_error(&A, plus_times, TORC_ROW_MAJOR, N, i, row, NULL) > 1e-3);
    }
    bench_matrix_free(&A);
}

Test(bench_check, neighbouring_rows_together_check_every_column)
{
    bench_matrix A = make();
    for (int64_t j = 0; j < N; j++) {
        int found = 0;
        for (int64_t i = 0; i < ROWS; i++) {
            float row[N];
            multiply(row, &A, i, add_product, 0);
            row[j] = NAN;
            found += isinf(bench_row_error(&A, plus_times, TORC_ROW_MAJOR, N, i, row, NULL));
        }
        cr_expect(found > 0, "column %d", (int)j);
    }
    bench_matrix_free(&A);
}

Test(bench_values, arrays_hold_the_values_in_range)
{
    for (int t = 0; t < 2; t++) {
        torc_type type = t == 0 ? TORC_FP32 : TORC_FP64;
        void *values = bench_values_make(type, 1000);
        double sum = 0;
        for (int e = 0; e < 1000; e++) {
            double value = type == TORC_FP32 ? (double)((float *)values)[e] : ((double *)values)[e];
            cr_expect_eq(value, bench_value(type, e));
            cr_expect(value > 0 && value <= 1);
            sum += value;
        }
        cr_expect(fabs(sum / 1000 - 0.5) < 5 * 0.2887 / sqrt(1000), "mean %g", sum / 1000);
        cr_expect_eq(bench_value(type, BENCH_VALUE_PERIOD + 7), bench_value(type, 7));
        free(values);
    }
}
