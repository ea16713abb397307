/* test_emulated_launch_faults.c: products of long rows take two launches. Either may fail for want of
 * memory: nothing is accumulated twice. */
#include "candidates.h"
#include "emulated_cases.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 9, COLUMNS = 1500, MOST = 128 };

static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * COLUMNS];
static int32_t ones[COLUMNS * MOST], old[ROWS * MOST], found[ROWS * MOST];

/* Every other row is a long one. */
static int32_t length(int64_t row)
{
    return row % 2 ? COLUMNS : 2;
}

static torc_csr make_sparse(void)
{
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (int32_t k = 0; k < length(i); k++) {
            col_idx[nnz++] = (uint32_t)k;
        }
        row_ptr[i + 1] = nnz;
    }
    return (torc_csr){ROWS, COLUMNS, row_ptr, col_idx, ones, 32, 32, TORC_INT32, false, NULL};
}

static void *put(torc_context *context, const void *from, size_t size)
{
    void *memory;
    cr_assert_eq(torc_memory_allocate(&memory, context, size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, memory, from, size), TORC_SUCCESS);
    return memory;
}

/* C = C - A B by that kernel, all values of A and B being 1, while a launch fails. Returns whether one did.
 */
static bool multiply(const torc_spmm_kernel *kernel, const torc_csr *csr, int64_t failing)
{
    char name[TORC_KERNEL_NAME];
    torc_kernel_name(name, kernel);
    torc_options options = TORC_OPTIONS_INIT;
    options.kernel = name;
    torc_context *context;
    torc_sparse *A;
    int64_t n = (int64_t)kernel->shape.lanes * kernel->shape.vector;
    size_t size = (size_t)(ROWS * n) * sizeof *old;
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    cr_assert_eq(torc_sparse_create(&A, context, csr), TORC_SUCCESS);
    torc_dense B = {COLUMNS, n, n, TORC_ROW_MAJOR, TORC_INT32, false, NULL, NULL};
    torc_dense C = {ROWS, n, n, TORC_ROW_MAJOR, TORC_INT32, false, put(context, old, size), NULL};
    torc_update update = {.has_accum = true, .accum = TORC_MINUS};
    B.data = put(context, ones, (size_t)(COLUMNS * n) * sizeof *ones);
    torc_emulated_lack_memory_at(failing);
    torc_status status = torc_spmm(&C, kernel->semiring, A, false, &B, &update);
    bool has_failed = torc_emulated_lack_memory_at(-1) < 0;
    cr_assert_eq(torc_memory_download(context, found, C.data, size), TORC_SUCCESS);
    for (int64_t p = 0; p < ROWS * n && status == TORC_SUCCESS; p++) {
        cr_assert_eq(found[p], old[p] - length(p / n), "%s: %d at %ld", name, found[p], (long)p);
    }
    cr_expect(status == TORC_SUCCESS || status == TORC_DEVICE_ERROR || memcmp(found, old, size) == 0,
        "%s: C is touched, and %s", name, torc_status_text(status));
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return has_failed;
}

Test(emulated_launch_faults, accumulate_nothing_twice)
{
    torc_kernel_cases cases = torc_emulated_cases_build();
    torc_csr csr = make_sparse();
    int firsts = 0, seconds = 0;
    for (int p = 0; p < COLUMNS * MOST; p++) {
        ones[p] = 1;
    }
    for (int i = 0; i < cases.count; i++) {
        const torc_spmm_kernel *kernel = &cases.kernels[i];
        bool is_plain = !kernel->c_is_bitmap && !kernel->has_mask && !kernel->b_is_bitmap;
        if (is_plain && kernel->has_accum && kernel->accum == TORC_MINUS && !kernel->wide_offsets) {
            firsts += multiply(kernel, &csr, 0);
            seconds += multiply(kernel, &csr, 1);
        }
    }
    free(cases.kernels);
    cr_expect(firsts > 1 && seconds > 1, "%d and %d failures", firsts, seconds);
}
