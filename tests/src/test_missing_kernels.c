/* A kernel that does not compile for the device costs the product nothing but time: the next best computes
 * it. */
#include "backend.h"
#include "context.h"
#include "engine_fixture.h"

enum { ROWS = 4, COLUMNS = 32 };

/* The reference executor, less the first kernels that it is asked for. */
static struct {
    int lacking; /* so many of them */
    torc_status status;
    int asked;
} fault;

static torc_status lacking_spmm(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    return fault.asked++ < fault.lacking ? fault.status
                                         : torc_executor_reference()->spmm(device, kernel, args);
}

/* C = A * B on a context whose executor lacks kernels: A is the identity, so that C is B. */
static torc_status multiply(bool *is_right)
{
    static const uint32_t row_ptr[] = {0, 1, 2, 3, 4}, col_idx[] = {0, 1, 2, 3};
    static const float one = 1;
    static torc_executor executor;
    float b[ROWS * COLUMNS], c[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        b[i] = (float)i;
    }
    torc_context *context = open_reference(0);
    executor = *context->executor;
    executor.spmm = lacking_spmm;
    context->executor = &executor;
    torc_csr csr = {.nrows = ROWS,
        .ncols = ROWS,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = &one,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_FP32,
        .iso = true};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    torc_dense B = {ROWS, COLUMNS, COLUMNS, TORC_ROW_MAJOR, TORC_FP32, false, NULL, NULL}, C = B;
    B.data = device_copy(context, b, sizeof b);
    C.data = device_copy(context, b, sizeof b);
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
    torc_status status = torc_spmm(&C, semiring, A, false, &B, NULL);
    cr_assert_eq(torc_memory_download(context, c, C.data, sizeof c), TORC_SUCCESS);
    *is_right = memcmp(b, c, sizeof c) == 0;
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return status;
}

Test(missing_kernels, the_next_best_computes_where_some_do_not_compile)
{
    for (int lacking = 0; lacking < 6; lacking++) {
        for (int k = 0; k < 2; k++) {
            bool is_right;
            fault.lacking = lacking;
            fault.asked = 0;
            fault.status = k ? TORC_NO_COMPILER : TORC_COMPILE_ERROR;
            cr_expect_eq(multiply(&is_right), TORC_SUCCESS, "%d lacking", lacking);
            cr_expect(is_right);
            cr_expect_geq(fault.asked, lacking + 1);
        }
    }
}

Test(missing_kernels, without_any_the_error_says_so_and_c_is_unchanged)
{
    bool is_right;
    fault.lacking = 1 << 20;
    fault.status = TORC_COMPILE_ERROR;
    cr_expect_eq(multiply(&is_right), TORC_COMPILE_ERROR);
    cr_expect_gt(fault.asked, 1);
    cr_expect(is_right, "C held B's values");
}

Test(missing_kernels, another_fault_is_no_reason_to_try_the_next)
{
    bool is_right;
    fault.lacking = 1;
    fault.status = TORC_DEVICE_ERROR;
    cr_expect_eq(multiply(&is_right), TORC_DEVICE_ERROR);
    cr_expect_eq(fault.asked, 1);
}
