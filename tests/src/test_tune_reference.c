/* test_tune_reference.c: the reference executor has nothing to tune, and says so. */
#include "engine_fixture.h"

static void expect_nothing_to_tune(const char *devices, const char *text)
{
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    static const float values[] = {1};
    torc_csr csr = {1, 1, row_ptr, col_idx, values, 32, 32, TORC_FP32, false, NULL};
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, NULL, false};
    torc_context *context = open_devices(devices, 0);
    torc_sparse *A;
    torc_tuning tuning = {.count = 1};
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    cr_expect_eq(torc_sparse_tune(&tuning, A, plus_times, false, 32), TORC_UNSUPPORTED);
    cr_expect_eq(tuning.count, 0);
    cr_expect_str_eq(torc_context_error(context), text);
    cr_expect_eq(torc_sparse_tune(NULL, A, plus_times, false, 32), TORC_UNSUPPORTED);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(tune_reference, there_is_nothing_to_tune)
{
    expect_nothing_to_tune(NULL, "the reference executor has one kernel: there is nothing to tune");
    expect_nothing_to_tune("0,1", "the joined executor has one kernel: there is nothing to tune");
}
