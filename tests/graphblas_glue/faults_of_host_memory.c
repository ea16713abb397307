/* faults_of_host_memory.c: see faults.h. The program is linked with --wrap for each function below, so that
 * what torc allocates arrives here, from libc and from GraphBLAS, between the decision for the device and the
 * result. Devices are the reference executor's. What is lost, the leak sanitizer knows. */
#include "faults.h"
#include "mxm_call.h"
#include "reference.h"
#include "traced_mxm.h"
#include <stdlib.h>

const char torc_fault_place[] = "reference";

static int64_t calls_until_failure = -1;
static bool failure_lasts, is_computing;

static bool is_made_to_fail(void)
{
    if (!is_computing || calls_until_failure < 0) {
        return is_computing && failure_lasts;
    }
    return calls_until_failure-- == 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_torc_host_allocate(const torc_binding *graphblas, size_t size);
void *__wrap_torc_host_allocate(const torc_binding *graphblas, size_t size);
torc_status __real_torc_mxm_run_in_panels(torc_mxm_call *call, torc_arrays *T, torc_context *context);
torc_status __wrap_torc_mxm_run_in_panels(torc_mxm_call *call, torc_arrays *T, torc_context *context);

void *__wrap_malloc(size_t size)
{
    return is_made_to_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_made_to_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_torc_host_allocate(const torc_binding *graphblas, size_t size)
{
    return is_made_to_fail() ? NULL : __real_torc_host_allocate(graphblas, size);
}

torc_status __wrap_torc_mxm_run_in_panels(torc_mxm_call *call, torc_arrays *T, torc_context *context)
{
    is_computing = true;
    torc_status status = __real_torc_mxm_run_in_panels(call, T, context);
    is_computing = false;
    return status;
}

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
    calls_until_failure = call;
    failure_lasts = lasts;
}

int64_t torc_fault_calls_left(void)
{
    return calls_until_failure;
}

int64_t torc_fault_held(void)
{
    return (int64_t)(torc_reference_bytes_held() + torc_reference_bytes_pinned());
}
