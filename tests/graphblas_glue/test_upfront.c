/* Operands are sent for the calls to come once calls have lost as much by their absence, and less and less
 * often where that was in vain. */
#include "away.h"
#include "beside.h"
#include "call_operands.h"
#include "fnv1a.h"
#include "glue_fixture.h"
#include "operations.h"
#include "plain_call.h"
#include "profit.h"
#include "rates.h"
#include "upfront.h"
#include "write_tracking.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Accounts ----------------------------------------------------------------------------------------- */

static torc_upfront_call call_with(uint64_t sparse, uint64_t like)
{
    return (torc_upfront_call){.kept = sparse, .like = like, .lacks_kept = true, .lacks_dense = true};
}

/* Gains half a second, were it not for the 3 that sending takes. */
static const torc_cost dear = {.cpu = 1, .gpu = 3.5, .upfront = 3};

/* Calls on the CPU before one is sent, which is done then. */
static int calls_before_sending(const torc_upfront_call *call)
{
    for (int n = 0; n < 10000; n++) {
        torc_cost cost = dear;
        torc_upfront_apply(&cost, call);
        torc_upfront_note(&cost, call, cost.is_advanced);
        if (cost.is_advanced) {
            cr_expect_eq(cost.gpu, 0.5);
            return n;
        }
        cr_assert_eq(cost.gpu, dear.gpu);
    }
    return -1;
}

/* With all operands there. */
static void gain_half_a_second(torc_upfront_call call)
{
    torc_cost cost = {.cpu = 1, .gpu = 0.5};
    call.lacks_kept = call.lacks_dense = false;
    torc_upfront_apply(&cost, &call);
    cr_expect_not(cost.is_advanced);
    torc_upfront_note(&cost, &call, true);
}

Test(upfront, operands_are_sent_once_calls_lost_as_much)
{
    torc_upfront_call call = call_with(1, 1);
    cr_expect_eq(calls_before_sending(&call), 6);
}

/* As a program has that multiplies by one matrix after the other. */
Test(upfront, accounts_of_many_operands_are_kept)
{
    enum { OPERANDS = 100 };
    int sent = 0;
    for (int round = 0; round < 7; round++) {
        for (uint64_t k = 1; k <= OPERANDS; k++) {
            torc_upfront_call call = call_with(torc_fnv1a(TORC_FNV1A_START, &k, sizeof k), 1);
            torc_cost cost = dear;
            torc_upfront_apply(&cost, &call);
            torc_upfront_note(&cost, &call, cost.is_advanced);
            sent += cost.is_advanced;
        }
    }
    cr_expect_eq(sent, OPERANDS);
}

static char folder[] = "/tmp/torc-upfront-XXXXXX";

static void forget_program(void)
{
    char path[64];
    torc_glue_finish();
    snprintf(path, sizeof path, "%s/programs", folder);
    unlink(path);
    rmdir(folder);
}

/* This program has gained by the device before. */
static void begin_known_program(void)
{
    torc_glue_start();
    unsetenv("TORC_FORCE");
    cr_assert_not_null(mkdtemp(folder));
    setenv("TORC_CACHE_DIR", folder, 1);
    cr_assert(torc_profit_remember(folder, torc_profit_program(), TORC_PROFIT_SOME));
    cr_assert_not(torc_profit_is_expected());
    torc_profit_begin();
    cr_assert(torc_profit_is_expected());
}

Test(upfront, a_program_that_gained_before_sends_with_its_first_call, .init = begin_known_program,
    .fini = forget_program)
{
    torc_upfront_call call = call_with(1, 1);
    cr_expect_eq(calls_before_sending(&call), 0);
    cr_expect_eq(calls_before_sending(&call), 12, "what was sent in vain is no longer expected to gain");
}

Test(upfront, a_program_that_gained_before_is_trusted_until_it_sends_in_vain, .init = begin_known_program,
    .fini = forget_program)
{
    int sent = 0;
    for (uint64_t k = 1; k <= 100; k++) {
        torc_upfront_call call = call_with(k, 1);
        torc_cost cost = {.cpu = 1, .gpu = 1.1, .upfront = 0.3};
        torc_upfront_apply(&cost, &call);
        torc_upfront_note(&cost, &call, cost.is_advanced);
        sent += cost.is_advanced;
    }
    cr_expect_gt(sent, 0);
    cr_expect_leq(0.3 * (sent - 1), torc_rates_get()->of[TORC_RATE_START]);
}

Test(upfront, what_was_sent_in_vain_has_to_lose_twice_as_much_the_next_time)
{
    torc_upfront_call call = call_with(1, 1);
    for (int doublings = 0; doublings <= 10; doublings++) {
        cr_expect_eq(calls_before_sending(&call), 6 << (doublings < 8 ? doublings : 8));
    }
}

Test(upfront, what_was_paid_back_was_not_in_vain)
{
    torc_upfront_call call = call_with(1, 2);
    cr_expect_eq(calls_before_sending(&call), 6);
    for (int i = 0; i < 5; i++) {
        gain_half_a_second(call);
    }
    cr_expect_eq(calls_before_sending(&call), 12, "half a second was not gained yet");
    for (int i = 0; i < 6; i++) {
        gain_half_a_second(call);
    }
    cr_expect_eq(calls_before_sending(&call), 6);
}

Test(upfront, every_operand_has_an_account_of_its_own)
{
    torc_upfront_call one = call_with(1, 1), other_call = call_with(1, 2), other_operand = call_with(2, 1);
    for (int i = 0; i < 5; i++) {
        torc_upfront_note(&dear, &one, false);
    }
    cr_expect_eq(calls_before_sending(&other_operand), 6);
    cr_expect_eq(calls_before_sending(&other_call), 1, "another product with the same operand");
}

Test(upfront, where_only_the_dense_operand_is_sent_like_calls_have_an_account)
{
    torc_upfront_call one = call_with(1, 1), other = call_with(2, 1), unlike = call_with(1, 2);
    one.lacks_kept = other.lacks_kept = unlike.lacks_kept = false;
    for (int i = 0; i < 5; i++) {
        torc_upfront_note(&dear, &one, false);
    }
    cr_expect_eq(calls_before_sending(&unlike), 6);
    cr_expect_eq(calls_before_sending(&other), 1);
}

Test(upfront, calls_that_the_device_would_not_speed_up_lose_nothing)
{
    torc_upfront_call call = call_with(1, 1);
    static const torc_cost slow[] = {{.cpu = 1, .gpu = 4, .upfront = 3}, {.cpu = 1, .gpu = 2}};
    for (int which = 0; which < 2; which++) {
        for (int i = 0; i < 1000; i++) {
            torc_cost cost = slow[which];
            torc_upfront_apply(&cost, &call);
            cr_assert_not(cost.is_advanced);
            torc_upfront_note(&cost, &call, false);
        }
    }
    cr_expect_eq(calls_before_sending(&call), 6);
}

/* ---- Calls -------------------------------------------------------------------------------------------- */

static void start_unforced(void)
{
    setenv("TORC_BACKEND", "reference", 1);
    torc_trace_begin();
    unsetenv("TORC_FORCE");
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

/* A device that takes no time, to which the sparse operand takes milliseconds, and no call on the CPU as
 * long; the dense one is not read. */
static void tell_rates(void)
{
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i <= TORC_RATE_START ? 1e-9 : 1e15;
    }
    rates->of[TORC_RATE_IN_PINNED] = rates->of[TORC_RATE_IN_STAGED] = 1e5;
}

/* A call on the CPU takes microseconds at least. */
Test(upfront, a_loop_gets_to_the_device_though_no_call_pays_for_its_operand, .init = start_unforced,
    .fini = torc_glue_finish)
{
    enum { MOST = 100000 };
    random_call call = torc_plain_call((torc_semiring){TORC_PLUS_MONOID, TORC_FIRST, TORC_FP64}, 9, 8, 7);
    call_operands of = torc_call_operands_new(&call);
    mxm_trace trace = {.nlines = 0};
    int ncalls = 0;
    tell_rates();
    torc_session_open_beside();
    torc_beside_wait();
    while (strcmp(trace.where, "reference") != 0 && ncalls < MOST) {
        torc_traced_mxm(&trace, of.matrices[OPERAND_C], NULL, NULL, call.semiring.handle,
            of.matrices[OPERAND_A], of.matrices[OPERAND_B], NULL);
        cr_assert(ncalls > 0 || strstr(trace.text, "predicted no faster"), "%s", trace.text);
        ncalls++;
    }
    cr_expect_lt(ncalls, MOST);
    torc_call_operands_free(&call, &of);
}

enum { SIZE = 1100000 };

/* Of an arena, as operands must be to stay. */
static GrB_Vector new_vector(void)
{
    double *values = torc_calloc(SIZE, sizeof *values);
    void *array = values;
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &array, SIZE * sizeof *values, false, NULL), GrB_SUCCESS);
    return v;
}

static void start_with_arena(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    setenv("TORC_BACKEND", "reference", 1);
    torc_trace_begin();
    unsetenv("TORC_FORCE");
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

static bool apply(GrB_Vector w, GrB_Vector v)
{
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    return torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v);
}

/* The product takes seconds on the CPU, and sending its operands several times as long; what is not sparse
 * takes the CPU for ever. */
Test(upfront, dense_operations_stay_with_products_whose_operands_are_still_to_be_sent,
    .init = start_with_arena, .fini = torc_glue_finish)
{
    GrB_Vector v = new_vector(), w = new_vector();
    GrB_Matrix A;
    mxm_trace trace;
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i <= TORC_RATE_START ? 1e-9 : i >= TORC_RATE_CPU_ACCUMULATED ? SIZE / 5. : 1e15;
    }
    rates->of[TORC_RATE_IN_PINNED] = rates->of[TORC_RATE_IN_STAGED] = 1e6;
    rates->of[TORC_RATE_CACHE_OF_ALL] = rates->of[TORC_RATE_OUT_STAGED] = 1;
    torc_session_open_beside();
    torc_beside_wait();
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_diag(A, v, 0, NULL), GrB_SUCCESS);
    torc_traced_mxm(&trace, (GrB_Matrix)w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, (GrB_Matrix)v, NULL);
    cr_assert_not_null(strstr(trace.text, "cpu, predicted no faster"), "%s", trace.text);
    cr_expect_not(apply(w, v), "its result would come home");
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}
