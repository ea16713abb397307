/* A held operand goes to the device once, and answers are what they are without. */
#include "context.h"
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "reference.h"
#include "residency.h"
#include "session.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
static const torc_semiring min_firsti = {TORC_MIN_MONOID, TORC_FIRSTI, TORC_INT64};
static const torc_semiring plus_pair = {TORC_PLUS_MONOID, TORC_PAIR, TORC_FP64};

TestSuite(hold, .init = torc_glue_start, .fini = torc_glue_finish);

/* What a call with the sparse operand A leaves is what it leaves with an equal one. */
static void check_with(GrB_Matrix A, const random_call *call)
{
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(call, NULL);
    call_operands operands = torc_call_operands_new(call);
    GrB_Matrix C = operands.matrices[OPERAND_C];
    GrB_Info info = torc_traced_mxm(
        &trace, C, NULL, NULL, call->semiring.handle, A, operands.matrices[OPERAND_B], call->desc);
    cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
    outcome actual = torc_outcome(info, C);
    torc_outcome_check(call, &expected, &actual, &trace);
    torc_call_operands_free(call, &operands);
}

/* Of copies, workspace given back. On the reference device; on a GPU it says nothing. */
static size_t bytes_held(void)
{
    const char *reason;
    torc_context *context = torc_session_acquire(&reason, TORC_FOREVER);
    cr_assert_not_null(context, "%s", reason);
    torc_context_trim(context);
    torc_session_release();
    return torc_reference_bytes_held();
}

static void expect_bytes(size_t bytes)
{
    size_t held = bytes_held();
    cr_assert(!torc_trace_is_reference() || held == bytes, "%zu bytes instead of %zu", held, bytes);
}

/* A's indices and values have more than 1 MiB each, outside torc's arena: only a promise keeps a copy. */
static random_call large_call(void)
{
    random_call call = torc_plain_call(plus_times, 600, 500, 6);
    call.recipes[OPERAND_A].density = 0.6;
    return call;
}

Test(hold, keeps_one_copy_until_release)
{
    random_call call = large_call();
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    check_with(A, &call);
    expect_bytes(0);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    expect_bytes(0);
    check_with(A, &call);
    size_t bytes = bytes_held();
    cr_assert(!torc_trace_is_reference() || bytes > 0);
    for (uint64_t seed = 10; seed < 14; seed++) {
        call.recipes[OPERAND_B].seed = seed;
        check_with(A, &call);
        expect_bytes(bytes);
    }
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    expect_bytes(0);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    check_with(A, &call);
    expect_bytes(0);
    GrB_Matrix_free(&A);
}

static atomic_bool is_released;

static void *release(void *A)
{
    torc_matrix_release(A);
    atomic_store(&is_released, true);
    return NULL;
}

/* Another thread's call may have the copy: it would keep the promise for whoever holds the matrix next. */
Test(hold, is_released_when_nobody_has_the_device)
{
    random_call call = large_call();
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    pthread_t thread;
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    torc_session_lock();
    cr_assert_eq(pthread_create(&thread, NULL, release, A), 0);
    usleep(20000);
    cr_expect_not(atomic_load(&is_released));
    torc_session_release();
    pthread_join(thread, NULL);
    expect_bytes(0);
    GrB_Matrix_free(&A);
}

/* Positional operators see the rows that there were. A's entries are there twice. */
Test(hold, may_have_rows_reordered)
{
    random_call call = large_call();
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    size_t bytes = bytes_held();
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_hold_reordered(A), GrB_SUCCESS);
    check_with(A, &call);
    cr_assert(!torc_trace_is_reference() || bytes_held() > 3 * bytes / 2, "%zu bytes", bytes_held());
    random_call first = torc_plain_call(min_firsti, 600, 500, 6);
    first.recipes[OPERAND_A] = call.recipes[OPERAND_A];
    check_with(A, &first);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    expect_bytes(0);
    cr_assert_eq(torc_matrix_hold_reordered(NULL), GrB_NULL_POINTER);
    GrB_Matrix_free(&A);
}

/* Dense operands too: the second call sends neither. */
Test(hold, keeps_a_dense_operand)
{
    random_call call = large_call();
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    GrB_Matrix B = torc_random_matrix(&call.recipes[OPERAND_B]), C;
    mxm_trace trace;
    cr_assert_eq(GrB_Matrix_new(&C, GrB_FP64, 600, 6), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_hold(B), GrB_SUCCESS);
    for (uint64_t hits = 0; hits < 6; hits += 2) {
        cr_assert_eq(torc_traced_mxm(&trace, C, NULL, NULL, call.semiring.handle, A, B, NULL), GrB_SUCCESS);
        cr_assert_str_eq(trace.where, getenv("TORC_BACKEND"), "%s", trace.text);
        cr_assert_eq(torc_residency_count().misses, 2);
        cr_assert_eq(torc_residency_count().hits, hits);
    }
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_release(B), GrB_SUCCESS);
    expect_bytes(0);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

/* op(A) of a hypersparse matrix, as it lies and transposed, is two copies. */
Test(hold, serves_a_hypersparse_matrix_both_ways)
{
    random_call call = torc_plain_call(plus_times, 40, 20, 6);
    random_call transposed = torc_plain_call(plus_times, 20, 40, 6);
    matrix_recipe *recipe = &call.recipes[OPERAND_A];
    recipe->format = GxB_HYPERSPARSE;
    recipe->empty_vectors = 0.8;
    transposed.recipes[OPERAND_A] = *recipe;
    transposed.desc = GrB_DESC_T0;
    transposed.transpose_a = true;
    GrB_Matrix A = torc_random_matrix(recipe);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    size_t one = bytes_held();
    check_with(A, &transposed);
    size_t two = bytes_held();
    cr_assert(!torc_trace_is_reference() || two > one);
    check_with(A, &call);
    check_with(A, &transposed);
    expect_bytes(two);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    expect_bytes(0);
    GrB_Matrix_free(&A);
}

Test(hold, by_a_call_that_reads_no_values_serves_one_that_does)
{
    random_call pattern = torc_plain_call(plus_pair, 30, 20, 6),
                call = torc_plain_call(plus_times, 30, 20, 6);
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &pattern);
    size_t bytes = bytes_held();
    check_with(A, &call);
    expect_bytes(bytes);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    GrB_Matrix_free(&A);
}

/* Of a hypersparse matrix, whose rows have names. */
Test(hold, by_a_call_that_reads_no_positions_serves_one_that_does)
{
    random_call call = torc_plain_call(plus_times, 40, 20, 6),
                positional = torc_plain_call(min_firsti, 40, 20, 6);
    matrix_recipe *recipe = &call.recipes[OPERAND_A];
    recipe->format = GxB_HYPERSPARSE;
    recipe->empty_vectors = 0.8;
    positional.recipes[OPERAND_A] = *recipe;
    GrB_Matrix A = torc_random_matrix(recipe);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    uint64_t misses = torc_residency_count().misses;
    check_with(A, &positional);
    cr_assert_eq(torc_residency_count().misses, misses);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    GrB_Matrix_free(&A);
}

static void change_a_value(GrB_Matrix A, double value)
{
    GrB_Index rows[1000], cols[1000], count = 1000;
    double values[1000];
    cr_assert_eq(GrB_Matrix_extractTuples_FP64(rows, cols, values, &count, A), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_FP64(A, value, rows[count / 2], cols[count / 2]), GrB_SUCCESS);
}

/* The values lie where they lay: only their content tells. */
static void expect_current(GrB_Matrix A, const random_call *call)
{
    mxm_trace trace;
    call_operands operands = torc_call_operands_new(call);
    GrB_Matrix *X = operands.matrices, C;
    cr_assert_eq(GrB_Matrix_dup(&C, X[OPERAND_C]), GrB_SUCCESS);
    cr_assert_eq(
        torc_traced_mxm(&trace, X[OPERAND_C], NULL, NULL, call->semiring.handle, A, X[OPERAND_B], NULL),
        GrB_SUCCESS);
    cr_assert_eq(GrB_mxm(C, NULL, NULL, call->semiring.handle, A, X[OPERAND_B], NULL), GrB_SUCCESS);
    outcome expected = torc_outcome(GrB_SUCCESS, C), actual = torc_outcome(GrB_SUCCESS, X[OPERAND_C]);
    torc_outcome_check(call, &expected, &actual, &trace);
    GrB_Matrix_free(&C);
    torc_call_operands_free(call, &operands);
}

Test(hold, is_needed_for_a_copy_to_outlive_a_change)
{
    random_call call = torc_plain_call(plus_times, 30, 20, 6);
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    expect_current(A, &call);
    change_a_value(A, 1234);
    expect_current(A, &call);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    expect_current(A, &call);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    change_a_value(A, 4321);
    expect_current(A, &call);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    expect_current(A, &call);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    GrB_Matrix_free(&A);
}

/* A copy made before the promise, of what changed since, is not what was promised. */
Test(hold, trusts_no_copy_from_before)
{
    random_call pattern = torc_plain_call(plus_pair, 30, 20, 6),
                call = torc_plain_call(plus_times, 30, 20, 6);
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    expect_current(A, &call);
    change_a_value(A, 1234);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &pattern);
    expect_current(A, &call);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    GrB_Matrix_free(&A);
}

Test(hold, survives_the_device)
{
    random_call call = torc_plain_call(plus_times, 30, 20, 6);
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    torc_session_close();
    cr_assert_eq(torc_reference_bytes_held(), 0);
    check_with(A, &call);
    torc_session_close();
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    GrB_Matrix_free(&A);
}

/* A program may end without releasing: the device is closed, then GraphBLAS. */
Test(hold, ends_with_the_program)
{
    random_call call = torc_plain_call(plus_times, 30, 20, 6);
    GrB_Matrix A = torc_random_matrix(&call.recipes[OPERAND_A]);
    cr_assert_eq(torc_matrix_hold(A), GrB_SUCCESS);
    check_with(A, &call);
    torc_session_close();
    GrB_Matrix_free(&A);
    cr_assert_eq(GrB_finalize(), GrB_SUCCESS);
    cr_assert_eq(torc_matrix_release(A), GrB_SUCCESS);
    cr_assert_eq(torc_reference_bytes_held(), 0);
}

Test(hold, refuses_null)
{
    cr_assert_eq(torc_matrix_hold(NULL), GrB_NULL_POINTER);
}
