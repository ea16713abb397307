/* Whatever fails on the device, at whatever point, the answer is SuiteSparse's and nothing stays behind. */
#include "context.h"
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "reference.h"
#include "session.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
static const torc_semiring any_pair = {TORC_ANY_MONOID, TORC_PAIR, TORC_INT32};

/* Failures can be ordered from the reference executor only. */
static void start(void)
{
    setenv("TORC_BACKEND", "reference", 1);
    torc_trace_begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

TestSuite(faults, .init = start, .fini = torc_glue_finish);

/* A fault that no entry point met yet hits this one. */
static bool is_fault_pending(void)
{
    const char *reason;
    torc_context *context = torc_session_acquire(&reason);
    cr_assert_not_null(context, "%s", reason);
    bool is_pending = torc_context_wait(context) != TORC_SUCCESS;
    torc_session_release();
    return is_pending;
}

/* With that entry point failing, on a device opened anew. False: the call has fewer. */
static bool meets_fault(const random_call *call, int64_t fault, int *survived)
{
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(call, NULL);
    torc_reference_fail_at(fault);
    outcome actual = torc_outcome_of_torc(call, &trace);
    bool has_met = !is_fault_pending();
    torc_reference_fail_at(-1);
    torc_outcome_check(call, &expected, &actual, &trace);
    torc_session_close();
    cr_assert_eq(torc_reference_bytes_held(), 0, "fault %lld leaves %zu bytes\n%s", (long long)fault,
        torc_reference_bytes_held(), torc_random_call_describe(call));
    *survived += has_met && strcmp(trace.where, "reference") == 0;
    return has_met;
}

/* Let entry point 0, 1, 2, ... fail until the call has none left: the device survives a lack of memory where
 * it has some to give back or can do with less, but not every fault. */
static void fail_everywhere(const random_call *call)
{
    int64_t fault = 0;
    int survived = 0;
    while (meets_fault(call, fault, &survived)) {
        cr_assert_lt(++fault, 100, "%s", torc_random_call_describe(call));
    }
    cr_assert(fault > 10 && survived > 0 && survived < fault, "%lld faults, %d survived\n%s",
        (long long)fault, survived, torc_random_call_describe(call));
}

Test(faults, of_a_product_by_rows_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 7);
    fail_everywhere(&call);
}

Test(faults, of_a_product_that_is_transposed_throughout_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 7);
    call.recipes[OPERAND_A].by_col = call.recipes[OPERAND_B].by_col = call.recipes[OPERAND_C].by_col = true;
    call.recipes[OPERAND_A].iso = true;
    fail_everywhere(&call);
}

Test(faults, of_rows_of_several_segments_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 3, 2000, 2);
    call.recipes[OPERAND_A].density = 0.9;
    fail_everywhere(&call);
}

Test(faults, of_a_product_from_the_left_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 7, 12, 9);
    call.recipes[OPERAND_A].format = GxB_FULL;
    call.recipes[OPERAND_B].format = GxB_HYPERSPARSE;
    call.recipes[OPERAND_B].empty_vectors = 0.7;
    fail_everywhere(&call);
}

Test(faults, with_mask_and_accumulator_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 7);
    call.has_mask = true;
    call.accum = GrB_PLUS_FP64;
    call.recipes[OPERAND_C].density = 0.5;
    call.recipes[OPERAND_C].format = GxB_BITMAP;
    fail_everywhere(&call);
}

Test(faults, where_c_is_an_operand_end_on_the_cpu)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 12);
    call.recipes[OPERAND_B].format = GxB_SPARSE;
    call.recipes[OPERAND_A].format = GxB_FULL;
    call.same_as[OPERAND_C] = OPERAND_A;
    fail_everywhere(&call);
}

Test(faults, of_a_product_of_patterns_end_on_the_cpu)
{
    random_call call = torc_plain_call(any_pair, 9, 12, 7);
    fail_everywhere(&call);
}

static void multiply(mxm_trace *trace, const random_call *call, GrB_Matrix *X)
{
    GrB_Info info = torc_traced_mxm(
        trace, X[OPERAND_C], NULL, NULL, call->semiring.handle, X[OPERAND_A], X[OPERAND_B], NULL);
    cr_assert_eq(info, GrB_SUCCESS, "%s", trace->text);
}

/* A copy that could not be made is made by the next call. */
Test(faults, while_an_operand_is_held_leave_it_usable)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 7);
    outcome expected = torc_outcome_of_suitesparse(&call, NULL);
    call_operands operands = torc_call_operands_new(&call);
    GrB_Matrix *X = operands.matrices;
    mxm_trace faulty = {.where = "cpu"}, next;
    cr_assert_eq(torc_matrix_hold(X[OPERAND_A]), GrB_SUCCESS);
    for (int fault = 0; strcmp(faulty.where, "cpu") == 0; fault++) {
        cr_assert_lt(fault, 100);
        torc_session_close();
        torc_reference_fail_at(fault);
        multiply(&faulty, &call, X);
        torc_reference_fail_at(-1);
        multiply(&next, &call, X);
        cr_assert_str_eq(next.where, "reference", "after fault %d: %s", fault, next.text);
    }
    outcome actual = torc_outcome(GrB_SUCCESS, X[OPERAND_C]);
    torc_outcome_check(&call, &expected, &actual, &next);
    cr_assert_eq(torc_matrix_release(X[OPERAND_A]), GrB_SUCCESS);
    torc_call_operands_free(&call, &operands);
    torc_session_close();
    cr_assert_eq(torc_reference_bytes_held(), 0);
}

static void limit_memory(void)
{
    setenv("TORC_MEMORY_LIMIT", "300", 1);
    start();
}

Test(memory_limit, that_is_too_small_ends_on_the_cpu, .init = limit_memory, .fini = torc_glue_finish)
{
    mxm_trace trace;
    random_call call = torc_plain_call(plus_times, 50, 40, 30); /* a column of B alone has 320 bytes */
    outcome expected = torc_outcome_of_suitesparse(&call, NULL), actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_str_eq(trace.where, "cpu", "%s", trace.text);
    torc_outcome_check(&call, &expected, &actual, &trace);
    const char *reason;
    torc_context *context = torc_session_acquire(&reason);
    torc_context_trim(context);
    torc_session_release();
    cr_assert_eq(torc_reference_bytes_held(), 0);
    call = torc_plain_call(plus_times, 3, 3, 3);
    expected = torc_outcome_of_suitesparse(&call, NULL);
    actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_str_eq(trace.where, "reference", "%s", trace.text);
    torc_outcome_check(&call, &expected, &actual, &trace);
}
