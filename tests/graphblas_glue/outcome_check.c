/* outcome_check.c: see outcome.h. Apart, since it takes Criterion. */
#include "outcome.h"
#include <criterion/criterion.h>

void torc_outcome_check(const random_call *call, outcome *expected, outcome *actual, const mxm_trace *trace)
{
    const char *difference = torc_outcome_difference(call, expected, actual);
    cr_assert_null(difference, "%s\n%s%s", difference, torc_random_call_describe(call), trace->text);
    torc_entries_free(&expected->C);
    torc_entries_free(&actual->C);
}
