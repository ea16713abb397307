/* faults_of_reference.c: see faults.h. */
#include "faults.h"
#include "reference.h"
#include "traced_mxm.h"
#include <stdlib.h>

const char torc_fault_place[] = "reference";

bool torc_fault_begin(void)
{
    setenv("TORC_BACKEND", torc_fault_place, 1);
    torc_trace_begin();
    return true;
}

void torc_fault_end(void)
{
}

void torc_fault_at(int64_t call, bool lasts)
{
    (lasts ? torc_reference_fail_from : torc_reference_fail_at)(call);
}

int64_t torc_fault_calls_left(void)
{
    return torc_reference_calls_left();
}

int64_t torc_fault_held(void)
{
    return (int64_t)(torc_reference_bytes_held() + torc_reference_bytes_pinned());
}
