/* Whatever a caller may write, torc_mxm leaves what GrB_mxm leaves: TORC_TEST_CALLS random calls, 2000 unless
 * told otherwise. torc-fuzz makes more of them, and tells which one died. */
#include "checked_call.h"
#include "reference.h"
#include "session.h"
#include <criterion/criterion.h>
#include <stdlib.h>

Test(differential, random_calls_leave_what_suitesparse_leaves)
{
    const char *text = getenv("TORC_TEST_CALLS");
    int calls = text ? atoi(text) : 2000, on_device = 0;
    torc_trace_begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    cr_assert_eq(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1), GrB_SUCCESS);
    int alike = torc_trace_is_reference() ? 1 : 64;
    for (int number = 0; number < calls; number++) {
        random_call call;
        torc_random_call_draw(&call, random_series_seed(1, number, alike));
        checked_call check = torc_checked_call(&call);
        cr_assert_null(check.difference, "%s\n%s%s", check.difference, torc_random_call_describe(&call),
            check.trace.text);
        on_device += check.is_on_device;
        torc_random_call_free(&call);
    }
    cr_assert(
        calls < 1000 || on_device > calls / 3, "only %d of %d calls were on the device", on_device, calls);
    torc_session_close();
    cr_assert_eq(torc_reference_bytes_held(), 0);
    cr_assert_eq(GrB_finalize(), GrB_SUCCESS);
}
