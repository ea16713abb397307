/* test_installed_kernels.c: the shared library on a GPU without CUDA's run-time compiler: what it finds
 * compiled beside itself runs, and the rest is refused. */
#include "no_nvrtc.h"
#include <criterion/criterion.h>
#include <torc/torc.h>

enum { N = 32 }; /* A is the N×N matrix of twos on the diagonal */

static void *copy(torc_context *context, const void *from, size_t size)
{
    void *memory;
    cr_assert_eq(torc_memory_allocate(&memory, context, size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, memory, from, size), TORC_SUCCESS);
    return memory;
}

Test(installed_kernels, run_without_a_compiler)
{
    torc_context *context;
    torc_status status = torc_context_create(&context, NULL);
    if (status == TORC_NO_DEVICE) {
        cr_skip_test("no GPU");
    }
    torc_device_info info;
    cr_assert_eq(status, TORC_SUCCESS, "%s", torc_status_text(status));
    cr_assert_eq(torc_context_info(&info, context), TORC_SUCCESS);
    cr_expect_eq(info.compiler_version, 0);
    if (info.compute_capability != 90) {
        cr_skip_test("every build has kernels for 9.0");
    }

    int32_t row_ptr[N + 1], col_idx[N];
    float twos[N], b[N * N], c[N * N];
    for (int i = 0; i < N; i++) {
        row_ptr[i] = col_idx[i] = i;
        twos[i] = 2;
    }
    row_ptr[N] = N;
    for (int i = 0; i < N * N; i++) {
        b[i] = (float)i;
        c[i] = -1;
    }
    torc_csr csr = {N, N, row_ptr, col_idx, twos, 32, 32, TORC_FP32, false, NULL};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    torc_dense B = {N, N, N, TORC_ROW_MAJOR, TORC_FP32, false, copy(context, b, sizeof b), NULL};
    torc_dense C = {N, N, N, TORC_ROW_MAJOR, TORC_FP32, false, copy(context, c, sizeof c), NULL};

    torc_semiring rare = {TORC_TIMES_MONOID, TORC_ISGT, TORC_FP32, NULL, false};
    cr_expect_eq(torc_spmm(&C, rare, A, false, &B, NULL), TORC_NO_COMPILER);
    torc_semiring frequent = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
    status = torc_spmm(&C, frequent, A, false, &B, NULL);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s", torc_status_text(status), torc_context_error(context));
    cr_assert_eq(torc_memory_download(context, c, C.data, sizeof c), TORC_SUCCESS);
    for (int i = 0; i < N * N; i++) {
        cr_expect_eq(c[i], 2 * b[i], "element %d is %g", i, c[i]);
    }
    cr_expect_gt(refused_libraries, 0, "nobody looked for libnvrtc through this dlopen");

    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
