/* Every call is counted once, where it ran, with its reason; with TORC_BURBLE the totals are written at the
 * end. */
#include "glue_fixture.h"
#include "operations.h"
#include "outcome.h"
#include "plain_call.h"
#include "session.h"
#include "statistics.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};

static void run(const random_call *call)
{
    mxm_trace trace;
    outcome o = torc_outcome_of_torc(call, &trace);
    torc_entries_free(&o.C);
}

static uint64_t calls_for(const torc_mxm_side *side, const char *reason)
{
    for (int i = 0; i < TORC_MXM_REASONS && side->reasons[i].text; i++) {
        if (strcmp(side->reasons[i].text, reason) == 0) {
            return side->reasons[i].calls;
        }
    }
    return 0;
}

static torc_mxm_statistics get(void)
{
    torc_mxm_statistics statistics = TORC_MXM_STATISTICS_INIT;
    cr_assert_eq(torc_mxm_statistics_get(&statistics), GrB_SUCCESS);
    return statistics;
}

Test(statistics, count_calls_where_they_ran, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call(plus_times, 4, 5, 3), sparse = call;
    sparse.recipes[OPERAND_B].format = GxB_SPARSE;
    torc_mxm_statistics none = get();
    cr_assert_eq(none.cpu.calls + none.device.calls, 0);
    run(&call);
    run(&sparse);
    run(&call);
    run(&sparse);
    run(&sparse);
    torc_mxm_statistics s = get();
    cr_assert_eq(s.device.calls, 2);
    cr_assert_eq(calls_for(&s.device, "forced"), 2);
    cr_assert_eq(s.device.predicted_calls, 2);
    cr_assert_gt(s.device.predicted_seconds, 0);
    cr_assert_gt(s.device.measured_seconds, 0);
    cr_assert_leq(s.device.measured_seconds, s.device.seconds);
    cr_assert_eq(s.cpu.calls, 3);
    cr_assert_eq(calls_for(&s.cpu, "not sparse times dense"), 3);
    cr_assert_eq(s.cpu.predicted_calls, 0);
    cr_assert_gt(s.cpu.seconds, 0);
}

Test(statistics, count_other_operations_on_the_device, .init = torc_glue_start, .fini = torc_glue_finish)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, 9), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 2, GrB_ALL, 9, NULL), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v, .accum = GrB_PLUS_FP64};
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
    torc_mxm_statistics s = get();
    cr_assert_eq(s.other_calls, 1);
    cr_assert_eq(s.device.calls, 0);
    uint64_t before = s.bytes_in;
    GrB_Vector_setElement_FP64(v, 7, 3); /* no longer of one value */
    target.accum = NULL;
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_assert_eq(get().bytes_in - before, 9 * sizeof(double));
    GrB_Vector_free(&v);
}

Test(statistics, bytes_are_those_of_the_operands, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call(plus_times, 4, 5, 3);
    call_operands operands = torc_call_operands_new(&call);
    GrB_Matrix *X = operands.matrices;
    GrB_Index nvals;
    cr_assert_eq(GrB_Matrix_nvals(&nvals, X[OPERAND_A]), GrB_SUCCESS);
    uint64_t S = 4 * 8 + nvals * 8, D = 5 * 3 * 4, R = 4 * 3 * 4;
    mxm_trace trace;
    cr_assert_eq(torc_matrix_hold(X[OPERAND_A]), GrB_SUCCESS);
    for (int i = 0; i < 3; i++) {
        torc_traced_mxm(
            &trace, X[OPERAND_C], NULL, NULL, call.semiring.handle, X[OPERAND_A], X[OPERAND_B], NULL);
    }
    cr_assert_eq(torc_matrix_release(X[OPERAND_A]), GrB_SUCCESS);
    torc_mxm_statistics s = get();
    cr_assert_eq(s.device.calls, 3);
    cr_assert_eq(s.bytes_in, S + 3 * D, "%lu", (unsigned long)s.bytes_in);
    cr_assert_eq(s.bytes_spared, 2 * S, "%lu", (unsigned long)s.bytes_spared);
    cr_assert_eq(s.bytes_out, 3 * R, "%lu", (unsigned long)s.bytes_out);
    torc_call_operands_free(&call, &operands);
}

Test(statistics, of_an_unknown_version_are_refused)
{
    torc_mxm_statistics statistics = {.version = TORC_MXM_STATISTICS_VERSION + 1};
    cr_assert_eq(torc_mxm_statistics_get(&statistics), GrB_INVALID_VALUE);
    cr_assert_eq(torc_mxm_statistics_get(NULL), GrB_NULL_POINTER);
}

enum { THREADS = 8, CALLS = 10000, REASONS = 40 };

static void *count_many(void *texts)
{
    const char(*reasons)[8] = texts;
    for (int i = 0; i < CALLS; i++) {
        torc_statistics_count(&(torc_call_record){.why = reasons[i % REASONS], .seconds = 1e-6});
    }
    return NULL;
}

/* More reasons than there are places: the calls are counted all the same. */
Test(statistics, are_whole_when_threads_count_at_once)
{
    static char reasons[REASONS][8];
    pthread_t threads[THREADS];
    for (int i = 0; i < REASONS; i++) {
        snprintf(reasons[i], sizeof reasons[i], "no. %d", i);
    }
    for (int i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, count_many, reasons), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    torc_mxm_statistics s = get();
    cr_assert_eq(s.cpu.calls, THREADS * CALLS);
    cr_assert_float_eq(s.cpu.seconds, 1e-6 * THREADS * CALLS, 1e-9 * THREADS * CALLS);
    for (int i = 0; i < TORC_MXM_REASONS; i++) {
        cr_assert_not_null(s.cpu.reasons[i].text);
        cr_assert_eq(s.cpu.reasons[i].calls, THREADS * CALLS / REASONS, "%s", s.cpu.reasons[i].text);
    }
}

/* What is written when the program ends. The stream stays open to the process's end, as in traced_mxm.c. */
static const char *text_at_the_end(void (*and_then)(void))
{
    static char text[8192];
    FILE *terminal = stderr, *capture = fmemopen(text, sizeof text - 1, "w");
    cr_assert_not_null(capture);
    stderr = capture;
    torc_session_close();
    if (and_then) {
        and_then();
    }
    fflush(stderr);
    stderr = terminal;
    GrB_finalize();
    return text;
}

Test(statistics, are_written_where_nothing_was_multiplied, .init = torc_glue_start)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, 9), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 2, GrB_ALL, 9, NULL), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v, .accum = GrB_PLUS_FP64};
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
    GrB_Vector_free(&v);
    const char *text = text_at_the_end(NULL);
    cr_assert(strstr(text, "torc: total, 1 other operations on the device"), "%s", text);
}

Test(statistics, are_written_once_at_the_end, .init = torc_glue_start)
{
    random_call call = torc_plain_call(plus_times, 4, 5, 3);
    run(&call);
    const char *text = text_at_the_end(torc_statistics_burble);
    static const char first[] = "torc: total, 1 calls on the device";
    cr_assert(strstr(text, first) == text && !strstr(text + 1, first), "%s", text);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        cr_assert_eq(strncmp(line, "torc: total, ", 13), 0, "%s", line);
    }
    const char *misleading[] = {"cpu", "cuda", "reference", "GrB_mxm"}; /* scripts count lines by these */
    for (size_t i = 0; i < sizeof misleading / sizeof *misleading; i++) {
        cr_assert_null(strstr(text, misleading[i]), "%s", text);
    }
}
