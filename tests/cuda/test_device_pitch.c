/* test_device_pitch.c: rows of B that lie more than 4 GiB apart. */
#include "context.h"
#include "gpu.h"
#include <stdio.h>

enum { ROWS = 3, INNER = 2, COLUMNS = 32 };

static const int64_t ld = ((int64_t)1 << 30) + 4; /* of floats */

static const char *const kernels[] = {"rows/sequential/v4x8", "rows/sequential/v4x8/cached",
    "rows/sequential/v1x32", "nonzeros/sequential/v4x8", "nonzeros/sequential/v4x4", "rows/parallel4/v4x8",
    "nonzeros/parallel4/v4x8"};

static float b_value(int64_t k, int64_t j)
{
    return (float)(100 * k + j + 1);
}

Test(device_pitch, rows_of_B_more_than_4_GiB_apart_are_found)
{
    static const int32_t row_ptr[ROWS + 1] = {0, 2, 3, 4}, col_idx[] = {0, 1, 1, 0};
    static const float values[] = {1, 2, 3, 5};
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context = torc_gpu_context(&options);
    torc_csr csr = {.nrows = ROWS,
        .ncols = INNER,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = values,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    void *b, *c;
    size_t b_size = (size_t)(ld + COLUMNS) * sizeof(float), row = COLUMNS * sizeof(float);
    if (torc_memory_allocate(&b, context, b_size) != TORC_SUCCESS) {
        cr_skip_test("less than 5 GiB of device memory");
    }
    cr_assert_eq(torc_memory_allocate(&c, context, ROWS * row), TORC_SUCCESS);
    for (int64_t k = 0; k < INNER; k++) {
        float line[COLUMNS];
        for (int64_t j = 0; j < COLUMNS; j++) {
            line[j] = b_value(k, j);
        }
        cr_assert_eq(torc_memory_upload(context, (float *)b + k * ld, line, row), TORC_SUCCESS);
    }
    torc_dense B = {INNER, COLUMNS, ld, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL};
    torc_dense C = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, c, NULL};
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        float result[ROWS][COLUMNS] = {{0}};
        snprintf(context->kernel, sizeof context->kernel, "%s", kernels[i]);
        cr_assert_eq(torc_memory_upload(context, c, result, sizeof result), TORC_SUCCESS);
        cr_assert_eq(torc_spmm(&C, semiring, A, false, &B, NULL), TORC_SUCCESS, "%s: %s", kernels[i],
            torc_context_error(context));
        cr_assert_eq(torc_memory_download(context, result, c, sizeof result), TORC_SUCCESS);
        for (int64_t j = 0; j < COLUMNS; j++) {
            const float expected[ROWS] = {
                b_value(0, j) + 2 * b_value(1, j), 3 * b_value(1, j), 5 * b_value(0, j)};
            for (int row_of_c = 0; row_of_c < ROWS; row_of_c++) {
                cr_expect_eq(
                    result[row_of_c][j], expected[row_of_c], "%s, C(%d,%d)", kernels[i], row_of_c, (int)j);
            }
        }
    }
    torc_memory_release(context, b);
    torc_memory_release(context, c);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
