/* Whatever fails on the device, at whatever point, once or from then on, the answer is SuiteSparse's and
 * nothing stays behind. Which device: faults.h. */
#include "compare.h"
#include "faults.h"
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
static const torc_semiring plus_times_int64 = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64};
static const torc_semiring plus_pair = {TORC_PLUS_MONOID, TORC_PAIR, TORC_INT32};
static const torc_semiring any_pair = {TORC_ANY_MONOID, TORC_PAIR, TORC_INT32};
static const torc_semiring lor_land = {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL};

enum { MOST_CALLS = 3000 };

static void begin(void)
{
    if (!torc_fault_begin()) {
        cr_skip_test("no GPU");
    }
}

static void start(void)
{
    begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void finish(void)
{
    torc_glue_finish();
    torc_fault_end();
}

TestSuite(faults, .init = start, .fini = finish);

/* The device is closed while it may be failing still. */
static void expect_nothing_held(int64_t fault, bool lasts, const random_call *call)
{
    torc_session_close();
    torc_fault_at(-1, false);
    cr_assert_eq(torc_fault_held(), 0, "fault %lld%s leaves %lld\n%s", (long long)fault,
        lasts ? " and all after it" : "", (long long)torc_fault_held(), torc_random_call_describe(call));
}

/* With that call to the device failing, on one opened anew. False: there are fewer. */
static bool meets_fault(const random_call *call, int64_t fault, bool lasts, int *survived)
{
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(call, NULL);
    torc_fault_at(fault, lasts);
    outcome actual = torc_outcome_of_torc(call, &trace);
    bool has_met = torc_fault_calls_left() < 0;
    expect_nothing_held(fault, lasts, call);
    torc_outcome_check(call, &expected, &actual, &trace);
    bool is_done = strcmp(trace.where, torc_fault_place) == 0;
    cr_assert(has_met || is_done, "%s", trace.text);
    *survived += has_met && is_done;
    return has_met;
}

/* Let call 0, 1, 2, ... fail until there are none left: the device survives a lack of memory where it has
 * some to give back or can do with less, but not every fault. */
static void fail_everywhere(const random_call *call)
{
    for (int lasts = 0; lasts <= 1; lasts++) {
        int64_t fault = 0;
        int survived = 0;
        while (meets_fault(call, fault, lasts, &survived)) {
            cr_assert_lt(++fault, MOST_CALLS, "%s", torc_random_call_describe(call));
        }
        cr_assert(fault > 5 && survived < fault && (survived > 0 || lasts), "%lld faults, %d survived\n%s",
            (long long)fault, survived, torc_random_call_describe(call));
    }
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
    random_call call = torc_plain_call(plus_pair, 9, 12, 7);
    fail_everywhere(&call);
}

/* Of one value; which entries there are is for the device to say. */
Test(faults, of_an_iso_result_end_on_the_cpu)
{
    random_call call = torc_plain_call(any_pair, 9, 12, 7);
    call.recipes[OPERAND_B].format = GxB_BITMAP;
    call.recipes[OPERAND_B].density = 0.5;
    fail_everywhere(&call);
}

/* Words of 64 columns. */
Test(faults, of_packed_booleans_end_on_the_cpu)
{
    random_call call = torc_plain_call(lor_land, 60, 80, 512);
    fail_everywhere(&call);
}

/* ---- Operands that stay on the device ----------------------------------------------------------------- */

static void multiply(mxm_trace *trace, const random_call *call, GrB_Matrix C, GrB_Matrix A, GrB_Matrix B)
{
    GrB_Info info = torc_traced_mxm(trace, C, NULL, NULL, call->semiring.handle, A, B, NULL);
    cr_assert_eq(info, GrB_SUCCESS, "%s", trace->text);
}

/* A device that cannot be opened is not tried again: it is there before the faults. */
static void open_device(void)
{
    const char *reason;
    cr_assert_not_null(torc_session_acquire(&reason, TORC_FOREVER), "%s", reason);
    torc_session_release();
}

/* A copy that could not be made is made by the next call. */
Test(faults, while_an_operand_is_held_leave_it_usable)
{
    random_call call = torc_plain_call(plus_times, 9, 12, 7);
    outcome expected = torc_outcome_of_suitesparse(&call, NULL);
    call_operands operands = torc_call_operands_new(&call);
    GrB_Matrix C = operands.matrices[OPERAND_C], A = operands.matrices[OPERAND_A];
    mxm_trace faulty, next;
    bool has_met = true;
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    for (int64_t fault = 0; has_met; fault++) {
        torc_session_close();
        open_device();
        torc_fault_at(fault, false);
        multiply(&faulty, &call, C, A, operands.matrices[OPERAND_B]);
        has_met = torc_fault_calls_left() < 0;
        torc_fault_at(-1, false);
        multiply(&next, &call, C, A, operands.matrices[OPERAND_B]);
        cr_assert_str_eq(next.where, torc_fault_place, "after fault %lld: %s", (long long)fault, next.text);
    }
    outcome actual = torc_outcome(GrB_SUCCESS, C);
    torc_outcome_check(&call, &expected, &actual, &next);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    torc_call_operands_free(&call, &operands);
    expect_nothing_held(-1, false, &call);
}

static void start_with_arena(void)
{
    begin();
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

TestSuite(faults_of_what_stays, .init = start_with_arena, .fini = finish);

static GrB_Matrix new_result(const random_call *call)
{
    return torc_random_matrix(&call->recipes[OPERAND_C]);
}

/* C = A B, then D = A C: large enough to stay there, whole in the arena, and pinned in time; with rows of C
 * and of B that need not travel. */
typedef struct chain {
    random_call call;
    GrB_Matrix A, B;
    entries C, D;
} chain;

static void compare(const chain *c, GrB_Matrix X, const entries *expected, const char *where, int64_t fault)
{
    entries actual = torc_entries_of(X);
    const char *difference = torc_compare(&c->call, expected, &actual);
    cr_assert_null(difference, "%s of fault %lld: %s", where, (long long)fault, difference);
    torc_entries_free(&actual);
}

static bool chain_meets_fault(const chain *c, int64_t fault, bool lasts)
{
    GrB_Matrix C = new_result(&c->call), D = new_result(&c->call);
    mxm_trace first, second;
    torc_fault_at(fault, lasts);
    multiply(&first, &c->call, C, c->A, c->B);
    multiply(&second, &c->call, D, c->A, C);
    bool has_met = torc_fault_calls_left() < 0;
    cr_assert(has_met ||
                  (strcmp(first.where, torc_fault_place) == 0 && strcmp(second.where, torc_fault_place) == 0),
        "%s%s", first.text, second.text);
    compare(c, C, &c->C, "C", fault);
    compare(c, D, &c->D, "D", fault);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&D);
    expect_nothing_held(fault, lasts, &c->call);
    return has_met;
}

Test(faults_of_what_stays, where_a_result_is_the_next_operand_leave_both_right)
{
    chain c = {.call = torc_plain_call(plus_times_int64, 2400, 2400, 112)};
    c.call.recipes[OPERAND_A].density = 0.001;
    c.call.recipes[OPERAND_A].empty_vectors = 0.4;
    c.A = torc_random_matrix(&c.call.recipes[OPERAND_A]);
    c.B = torc_random_matrix(&c.call.recipes[OPERAND_B]);
    GrB_Matrix C = new_result(&c.call), D = new_result(&c.call);
    cr_assert_eq(GrB_mxm(C, NULL, NULL, c.call.semiring.handle, c.A, c.B, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_mxm(D, NULL, NULL, c.call.semiring.handle, c.A, C, NULL), GrB_SUCCESS);
    c.C = torc_entries_of(C);
    c.D = torc_entries_of(D);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&D);
    for (int lasts = 0; lasts <= 1; lasts++) {
        for (int64_t fault = 0; chain_meets_fault(&c, fault, lasts); fault++) {
            cr_assert_lt(fault, MOST_CALLS);
        }
    }
    torc_entries_free(&c.C);
    torc_entries_free(&c.D);
    GrB_Matrix_free(&c.A);
    GrB_Matrix_free(&c.B);
}

/* ---- Little memory ------------------------------------------------------------------------------------ */

/* The sparse operand of the calls below has ENTRIES values and indices. */
enum { SIZE = 300, ENTRIES = SIZE * SIZE / 10, ENTRY_BYTES = sizeof(double) + sizeof(uint32_t) };
enum { WIDE = 32, NARROW = 8 };

static void limit(size_t bytes)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", bytes);
    setenv("TORC_MEMORY_LIMIT", text, 1);
    start();
}

/* Beside it there is room for B alone. */
static void limit_to_panels(void)
{
    limit(ENTRIES * ENTRY_BYTES + SIZE * WIDE * sizeof(double));
}

static void limit_to_row_blocks(void)
{
    limit(ENTRIES * ENTRY_BYTES / 4 * 3);
}

static void fail_at_width(GrB_Index width)
{
    random_call call = torc_plain_call(plus_times, SIZE, SIZE, width);
    call.recipes[OPERAND_A].density = 0.1;
    fail_everywhere(&call);
}

Test(faults_in_panels, end_on_the_cpu, .init = limit_to_panels, .fini = finish)
{
    fail_at_width(WIDE);
}

Test(faults_in_row_blocks, end_on_the_cpu, .init = limit_to_row_blocks, .fini = finish)
{
    fail_at_width(NARROW);
}
