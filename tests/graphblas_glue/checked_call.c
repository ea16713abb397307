/* checked_call.c: see checked_call.h. */
#include "checked_call.h"
#include <string.h>

const char torc_ran_elsewhere[] = "it ran elsewhere";

/* 7.4.0 leaves C its settings or gives it those of the mask, and which may hang on whether C has pending
 * elements. torc has no say in it where it passes the call on. */
static void overlook_settings(entries *expected, const entries *actual)
{
    expected->control = actual->control;
    expected->hyper_switch = actual->hyper_switch;
    expected->bitmap_switch = actual->bitmap_switch;
}

checked_call torc_checked_call(const random_call *call)
{
    checked_call check;
    bool is_for_device;
    outcome expected = torc_outcome_of_suitesparse(call, &is_for_device);
    outcome actual = torc_outcome_of_torc(call, &check.trace);
    check.is_on_device = check.trace.where[0] && strcmp(check.trace.where, "cpu") != 0;
    check.is_refused = expected.info != GrB_SUCCESS;
    check.has_other_format = expected.C.status != actual.C.status;
    if (call->has_mask && !(is_for_device && check.is_on_device)) {
        overlook_settings(&expected.C, &actual.C);
    }
    check.difference = torc_outcome_difference(call, &expected, &actual);
    if (!check.difference && check.is_on_device != is_for_device && !torc_random_call_is_huge(call)) {
        check.difference = torc_ran_elsewhere;
    }
    torc_entries_free(&expected.C);
    torc_entries_free(&actual.C);
    return check;
}
