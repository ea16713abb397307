/* With TORC_MEMORY_LIMIT at a twentieth of the operands the device still gives the right answer: columns go
 * in panels, S by blocks of its rows. */
#include "beside.h"
#include "context.h"
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "rates.h"
#include "reference.h"
#include "session.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A GPU needs some memory to sort and count in, however small the matrices. */
static int64_t M = 300, K = 250, N = 60;
enum { LARGER_ON_A_GPU = 8 };

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
static const torc_semiring min_firsti = {TORC_MIN_MONOID, TORC_FIRSTI, TORC_INT64};
static const torc_semiring plus_secondj = {TORC_PLUS_MONOID, TORC_SECONDJ, TORC_INT64};

/* The bytes of the sparse operand on the device, of B and of C. */
static void start(void)
{
    char limit[32];
    torc_trace_begin();
    if (strcmp(getenv("TORC_BACKEND"), "cuda") == 0) {
        M *= LARGER_ON_A_GPU;
        K *= LARGER_ON_A_GPU;
        N *= LARGER_ON_A_GPU;
    }
    size_t sparse = (size_t)(M * K / 20) * (sizeof(double) + sizeof(uint32_t));
    size_t dense = (size_t)((K + M) * N) * sizeof(double);
    snprintf(limit, sizeof limit, "%zu", (sparse + dense) / 20);
    setenv("TORC_MEMORY_LIMIT", limit, 1);
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

TestSuite(memory_limit, .init = start, .fini = torc_glue_finish);

static random_call large_call(torc_semiring semiring)
{
    random_call call = torc_plain_call(semiring, M, K, N);
    call.recipes[OPERAND_A].density = 0.05;
    return call;
}

static void expect_answer(const random_call *call)
{
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(call, NULL), actual = torc_outcome_of_torc(call, &trace);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    torc_outcome_check(call, &expected, &actual, &trace);
}

/* The same again on the same context: what the first call left is no obstacle. */
static void check(const random_call *call)
{
    expect_answer(call);
    expect_answer(call);
}

Test(memory_limit, at_a_twentieth_serves_rows)
{
    random_call call = large_call(plus_times);
    check(&call);
}

Test(memory_limit, at_a_twentieth_serves_columns)
{
    random_call call = large_call(plus_times);
    call.recipes[OPERAND_B].by_col = call.recipes[OPERAND_C].by_col = true;
    check(&call);
}

Test(memory_limit, at_a_twentieth_serves_mask_and_accumulator)
{
    for (int format = GxB_BITMAP; format <= GxB_FULL; format += GxB_FULL - GxB_BITMAP) {
        random_call call = large_call(plus_times);
        call.has_mask = true;
        call.accum = GrB_PLUS_FP64;
        call.recipes[OPERAND_C].format = format;
        call.recipes[OPERAND_C].density = format == GxB_FULL ? 1 : 0.5;
        call.recipes[OPERAND_B].format = GxB_BITMAP;
        call.recipes[OPERAND_B].density = 0.7;
        check(&call);
    }
}

Test(memory_limit, at_a_twentieth_serves_the_left_side)
{
    random_call call = torc_plain_call(plus_times, N, K, M);
    call.recipes[OPERAND_A].format = GxB_FULL;
    call.recipes[OPERAND_A].density = 1;
    call.recipes[OPERAND_B].format = GxB_SPARSE;
    call.recipes[OPERAND_B].density = 0.05;
    call.recipes[OPERAND_B].by_col = true;
    check(&call);
}

Test(memory_limit, at_a_twentieth_serves_positions)
{
    random_call rows = large_call(min_firsti), columns = large_call(plus_secondj);
    check(&rows);
    check(&columns);
    rows.recipes[OPERAND_A].format = GxB_HYPERSPARSE;
    rows.recipes[OPERAND_A].empty_vectors = 0.5;
    rows.recipes[OPERAND_A].density = 0.1;
    check(&rows);
}

/* ---- Too little for anything ----------------------------------------------------------------------------
 */

static void start_with_little(void)
{
    setenv("TORC_MEMORY_LIMIT", "300", 1);
    setenv("TORC_BACKEND", "reference", 1); /* a GPU would need more for the last product too */
    torc_glue_start();
}

Test(memory_limit_of_bytes, ends_on_the_cpu, .init = start_with_little, .fini = torc_glue_finish)
{
    mxm_trace trace;
    random_call call = torc_plain_call(plus_times, 50, 40, 30); /* a column of B alone has 320 bytes */
    outcome expected = torc_outcome_of_suitesparse(&call, NULL), actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_str_eq(trace.where, "cpu", "%s", trace.text);
    torc_outcome_check(&call, &expected, &actual, &trace);
    const char *reason;
    torc_context *context = torc_session_acquire(&reason, TORC_FOREVER);
    torc_context_trim(context);
    torc_session_release();
    cr_assert_eq(torc_reference_bytes_held(), 0);
    call = torc_plain_call(plus_times, 3, 3, 3);
    expected = torc_outcome_of_suitesparse(&call, NULL);
    actual = torc_outcome_of_torc(&call, &trace);
    cr_assert_str_eq(trace.where, "reference", "%s", trace.text);
    torc_outcome_check(&call, &expected, &actual, &trace);
}

/* Nothing is forced, and by its rates this machine has a device that takes no time. */
static void start_unforced(void)
{
    start_with_little();
    unsetenv("TORC_FORCE");
    torc_session_open_beside();
    torc_beside_wait();
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i <= TORC_RATE_GATHER; i++) {
        rates->of[i] = i <= TORC_RATE_START ? 1e-9 : 1e15;
    }
}

Test(memory_limit_of_bytes, is_not_met_again_and_again, .init = start_unforced, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call(plus_times, 50, 40, 30);
    outcome expected = torc_outcome_of_suitesparse(&call, NULL), actual;
    int tries = -1;
    mxm_trace trace;
    do {
        cr_assert_lt(++tries, 10, "%s", trace.text);
        actual = torc_outcome_of_torc(&call, &trace);
        cr_assert_null(torc_outcome_difference(&call, &expected, &actual));
        torc_entries_free(&actual.C);
    } while (strstr(trace.text, torc_status_text(TORC_OUT_OF_MEMORY)));
    cr_assert_gt(tries, 0);
    cr_assert(strstr(trace.text, "predicted no faster"), "%s", trace.text);
    torc_entries_free(&expected.C);
}
