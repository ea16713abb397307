/* torc_spmm and the rows of a sparse operand, on the reference executor: what random matrices of small
 * integers do not show. */
#include "engine_fixture.h"
#include <math.h>
#include <string.h>

Test(spmm_by_hand, casts_operands_before_it_multiplies)
{
    /* [ 2.9 -0.5 NaN ] (fp64) times the column [ 1e10 7 7 ] (fp32), in int32: 2 * 2147483647 wrapped. */
    static const uint32_t row_ptr[] = {0, 3}, col_idx[] = {0, 1, 2};
    static const double values[] = {2.9, -0.5, NAN};
    static const float column[] = {1e10f, 7, 7};
    torc_csr csr = {1, 3, row_ptr, col_idx, values, 32, 32, TORC_FP64, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    int32_t c;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {
        3, 1, 1, TORC_ROW_MAJOR, TORC_FP32, false, device_copy(context, column, sizeof column), NULL};
    torc_dense C = {1, 1, 1, TORC_ROW_MAJOR, TORC_INT32, false, device_copy(context, &c, sizeof c), NULL};
    cr_assert(
        torc_spmm(&C, (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, A, false, &B, NULL) == 0);
    cr_assert(torc_memory_download(context, &c, C.data, sizeof c) == TORC_SUCCESS);
    cr_expect(c == -2, "%d", c);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(spmm_by_hand, needs_no_data_of_an_operand_that_multiply_does_not_read)
{
    static const uint32_t row_ptr[] = {0, 2, 3}, col_idx[] = {0, 1, 1};
    torc_csr csr = {2, 2, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    int64_t c[4];
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense C = {2, 2, 2, TORC_ROW_MAJOR, TORC_INT64, false, device_copy(context, c, sizeof c), NULL};
    for (int order = TORC_ROW_MAJOR; order <= TORC_COL_MAJOR; order++) {
        torc_dense B = {2, 2, -1, (torc_order)order, TORC_FP64, false, NULL, NULL};
        cr_assert(
            torc_spmm(&C, (torc_semiring){TORC_PLUS_MONOID, TORC_PAIR, TORC_INT64}, A, false, &B, NULL) == 0);
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        cr_expect(c[0] == 2 && c[1] == 2 && c[2] == 1 && c[3] == 1);
    }
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(spmm_by_hand, sums_rows_of_many_segments)
{
    enum { LENGTH = 1300, N = 3 };
    uint32_t row_ptr[] = {0, LENGTH, LENGTH, LENGTH + 1}, col_idx[LENGTH + 1];
    int64_t values[LENGTH + 1], b[LENGTH * N], c[LENGTH * N], expected[N] = {0};
    for (int64_t p = 0; p < LENGTH; p++) {
        col_idx[p] = (uint32_t)p;
        values[p] = p;
        for (int64_t j = 0; j < N; j++) {
            b[p * N + j] = p + j;
            expected[j] += p * (p + j);
        }
    }
    col_idx[LENGTH] = 7;
    values[LENGTH] = 100;
    torc_csr csr = {3, LENGTH, row_ptr, col_idx, values, 32, 32, TORC_INT64, false, NULL};
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);

    torc_dense B = {LENGTH, N, N, TORC_ROW_MAJOR, TORC_INT64, false, device_copy(context, b, sizeof b), NULL};
    torc_dense C = {3, N, N, TORC_ROW_MAJOR, TORC_INT64, false, device_copy(context, c, sizeof c), NULL};
    cr_assert(torc_spmm(&C, semiring, A, false, &B, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, 3 * N * sizeof *c) == TORC_SUCCESS);
    for (int64_t j = 0; j < N; j++) {
        cr_expect(c[j] == expected[j] && c[N + j] == 0 && c[2 * N + j] == 100 * (7 + j), "column %ld", j);
    }

    torc_dense few = {3, N, N, TORC_ROW_MAJOR, TORC_INT64, false, B.data, NULL};
    torc_dense many = {LENGTH, N, N, TORC_ROW_MAJOR, TORC_INT64, false, C.data, NULL};
    cr_assert(torc_spmm(&many, semiring, A, true, &few, NULL) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    for (int64_t i = 0; i < LENGTH; i++) {
        for (int64_t j = 0; j < N; j++) {
            cr_expect(c[i * N + j] == i * b[j] + (i == 7 ? 100 * b[2 * N + j] : 0), "C(%ld,%ld)", i, j);
        }
    }
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(spmm_by_hand, knows_the_rows_of_a_matrix_and_of_its_transpose)
{
    /* [ . 1 1 1 ]
     * [ . . . . ]
     * [ . . 1 . ] */
    static const int64_t row_ptr[] = {0, 3, 3, 4}, col_idx[] = {3, 1, 2, 2};
    torc_csr csr = {3, 4, row_ptr, col_idx, NULL, 64, 64, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    torc_statistics s;
    uint8_t present[5];
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);

    memset(present, 0xA5, sizeof present);
    cr_assert(torc_sparse_statistics(&s, A, false) == TORC_SUCCESS);
    cr_assert(torc_sparse_row_presence(present, A, false) == TORC_SUCCESS);
    cr_expect(s.nrows == 3 && s.ncols == 4 && s.nnz == 4 && s.empty_rows == 1 && s.max_row == 3);
    cr_expect(memcmp(present, (const uint8_t[]){1, 0, 1, 0xA5}, 4) == 0);

    cr_assert(torc_sparse_statistics(&s, A, true) == TORC_SUCCESS);
    cr_assert(torc_sparse_row_presence(present, A, true) == TORC_SUCCESS);
    cr_expect(s.nrows == 4 && s.ncols == 3 && s.nnz == 4 && s.empty_rows == 1 && s.max_row == 2);
    cr_expect(s.mean_row == 1 && fabs(s.deviation_row - sqrt(0.5)) < 1e-12);
    cr_expect(memcmp(present, (const uint8_t[]){0, 1, 1, 1, 0xA5}, 5) == 0);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* [ 1 . 1 ]   a pattern whose rows are named 7 and 2^32 + 4
 * [ . 1 . ] */
static void expect_positions(torc_context *context, torc_multiply multiply, torc_type type, const int64_t *c)
{
    static const uint32_t row_ptr[] = {0, 2, 3}, col_idx[] = {0, 2, 1};
    static const int64_t row_names[] = {7, (INT64_C(1) << 32) + 4};
    torc_csr csr = {2, 3, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, row_names};
    torc_sparse *A;
    int64_t found[4] = {0}; /* 2 x 2 of 8 or 4 bytes */
    int32_t narrow[4];
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {3, 2, 2, TORC_ROW_MAJOR, TORC_FC64, false, NULL, NULL};
    torc_dense C = {2, 2, 2, TORC_ROW_MAJOR, type, false, device_copy(context, found, sizeof found), NULL};
    cr_assert(torc_spmm(&C, (torc_semiring){TORC_PLUS_MONOID, multiply, type}, A, false, &B, NULL) == 0);
    cr_assert(torc_memory_download(context, found, C.data, sizeof found) == TORC_SUCCESS);
    memcpy(narrow, found, sizeof narrow);
    for (int at = 0; at < 4; at++) {
        int64_t value = type == TORC_INT32 ? narrow[at] : found[at];
        int64_t expected = type == TORC_INT32 ? (int32_t)c[at] : c[at];
        cr_expect(value == expected, "%s %s, element %d: %ld", torc_multiply_name(multiply),
            torc_type_name(type), at, value);
    }
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
}

Test(spmm_by_hand, positional_operators_see_the_names_of_rows)
{
    static const int64_t far = (INT64_C(1) << 32) + 4;
    static const struct {
        torc_multiply multiply;
        int64_t c[4]; /* rows of two terms, k = 0 and 2, and of one, k = 1 */
    } cases[] = {
        {TORC_FIRSTI, {14, 14, far, far}},
        {TORC_FIRSTI1, {16, 16, far + 1, far + 1}},
        {TORC_FIRSTJ, {2, 2, 1, 1}},
        {TORC_FIRSTJ1, {4, 4, 2, 2}},
        {TORC_SECONDI, {2, 2, 1, 1}},
        {TORC_SECONDI1, {4, 4, 2, 2}},
        {TORC_SECONDJ, {0, 2, 0, 1}},
        {TORC_SECONDJ1, {2, 4, 1, 2}},
    };
    torc_context *context = open_reference(0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_positions(context, cases[i].multiply, TORC_INT64, cases[i].c);
        expect_positions(context, cases[i].multiply, TORC_INT32, cases[i].c);
    }
    torc_context_destroy(context);
}

/* Without names, and through the transpose, i is the row of op(A). */
Test(spmm_by_hand, positional_operators_see_the_rows_of_the_transpose)
{
    static const uint32_t row_ptr[] = {0, 2, 3}, col_idx[] = {0, 2, 2};
    torc_csr csr = {2, 3, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    int64_t c[3];
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {2, 1, 1, TORC_ROW_MAJOR, TORC_BOOL, false, NULL, NULL};
    torc_dense C = {3, 1, 1, TORC_ROW_MAJOR, TORC_INT64, false, device_copy(context, c, sizeof c), NULL};
    cr_assert(
        torc_spmm(&C, (torc_semiring){TORC_PLUS_MONOID, TORC_FIRSTI1, TORC_INT64}, A, true, &B, NULL) == 0);
    cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
    cr_expect(c[0] == 1 && c[1] == 0 && c[2] == 6, "%ld %ld %ld", c[0], c[1], c[2]);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(spmm_by_hand, comparisons_give_bools)
{
    /* [ 1 NaN 3 ] against the column [ 2 NaN 3 ], in fp64. */
    static const uint32_t row_ptr[] = {0, 3}, col_idx[] = {0, 1, 2};
    static const double values[] = {1, NAN, 3}, column[] = {2, NAN, 3};
    torc_csr csr = {1, 3, row_ptr, col_idx, values, 32, 32, TORC_FP64, false, NULL};
    static const struct {
        torc_semiring semiring;
        uint8_t c;
    } cases[] = {
        {{TORC_LOR_MONOID, TORC_LT, TORC_FP64}, 1}, {{TORC_LOR_MONOID, TORC_GT, TORC_FP64}, 0},
        {{TORC_LAND_MONOID, TORC_LE, TORC_FP64}, 0}, {{TORC_LXOR_MONOID, TORC_LE, TORC_FP64}, 0},
        {{TORC_LXNOR_MONOID, TORC_EQ, TORC_FP64}, 1}, {{TORC_LXOR_MONOID, TORC_NE, TORC_FP64}, 0},
        {{TORC_LOR_MONOID, TORC_EQ, TORC_INT8}, 1}, /* NaN is 0 there */
    };
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {
        3, 1, 1, TORC_ROW_MAJOR, TORC_FP64, false, device_copy(context, column, sizeof column), NULL};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t c[2] = {0xA5, 0xA5};
        torc_dense C = {1, 1, 1, TORC_ROW_MAJOR, TORC_BOOL, false, device_copy(context, c, sizeof c), NULL};
        cr_assert(torc_spmm(&C, cases[i].semiring, A, false, &B, NULL) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        cr_expect(c[0] == cases[i].c && c[1] == 0xA5, "case %zu: %d", i, c[0]);
        C.type = TORC_FP64;
        cr_expect(torc_spmm(&C, cases[i].semiring, A, false, &B, NULL) == TORC_INVALID_VALUE);
        torc_memory_release(context, C.data);
    }
    torc_memory_release(context, B.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
