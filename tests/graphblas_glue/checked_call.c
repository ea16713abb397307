/* checked_call.c: see checked_call.h. */
#include "checked_call.h"
#include <string.h>

checked_call torc_checked_call(const random_call *call)
{
    checked_call check;
    bool is_for_device;
    outcome expected = torc_outcome_of_suitesparse(call, &is_for_device);
    outcome actual = torc_outcome_of_torc(call, &check.trace);
    check.is_on_device = check.trace.where[0] && strcmp(check.trace.where, "cpu") != 0;
    check.is_refused = expected.info != GrB_SUCCESS;
    check.has_other_format = expected.C.status != actual.C.status;
    check.difference = torc_outcome_difference(call, &expected, &actual);
    if (!check.difference && check.is_on_device != is_for_device && !torc_random_call_is_huge(call)) {
        check.difference = "it ran elsewhere";
    }
    torc_entries_free(&expected.C);
    torc_entries_free(&actual.C);
    return check;
}
