/* outcome.h: what a call leaves behind, by GrB_mxm and by torc_mxm, each on objects of its own. */
#ifndef TORC_OUTCOME_H
#define TORC_OUTCOME_H

#include "call_operands.h"
#include "entries.h"
#include "traced_mxm.h"

typedef struct outcome {
    GrB_Info info;
    char error[512];
    entries C;
} outcome;

/* What GrB_error tells of C, its content and its settings. */
outcome torc_outcome(GrB_Info info, GrB_Matrix C);

/* is_for_device: does torc promise to compute that on the device? May be NULL. */
outcome torc_outcome_of_suitesparse(const random_call *call, bool *is_for_device);
outcome torc_outcome_of_torc(const random_call *call, mxm_trace *trace);

/* NULL, or why actual is not as right as expected: a static string. */
const char *torc_outcome_difference(const random_call *call, const outcome *expected, const outcome *actual);

/* Fails the test where they differ. Both are freed. */
void torc_outcome_check(const random_call *call, outcome *expected, outcome *actual, const mxm_trace *trace);

#endif
