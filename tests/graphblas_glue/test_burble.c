/* With TORC_BURBLE a call writes one line, which says where it ran by one word; without, nothing. */
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "session.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};

static void start_on_cpu(void)
{
    torc_trace_begin();
    setenv("TORC_FORCE", "cpu", 1);
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void start_silent(void)
{
    torc_trace_begin();
    unsetenv("TORC_BURBLE");
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        count++;
    }
    return count;
}

static void expect_line(const mxm_trace *trace, const char *where)
{
    cr_assert_eq(trace->nlines, 1, "%s", trace->text);
    cr_assert_eq(trace->text[strlen(trace->text) - 1], '\n');
    cr_assert_str_eq(trace->where, where, "%s", trace->text);
    int words = occurrences(trace->text, "cpu") + occurrences(trace->text, "reference") +
                occurrences(trace->text, "cuda");
    cr_assert_eq(words, 1, "%s", trace->text);
}

static mxm_trace trace_of(const random_call *call)
{
    mxm_trace trace;
    outcome o = torc_outcome_of_torc(call, &trace);
    torc_entries_free(&o.C);
    return trace;
}

Test(burble, names_the_device, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call(plus_times, 4, 5, 3);
    mxm_trace trace = trace_of(&call);
    cr_expect_not_null(strstr(trace.text, "torc: the device was opened in "), "%s", trace.text);
    trace = trace_of(&call);
    expect_line(&trace, getenv("TORC_BACKEND"));
    const char *told[] = {"plus_times", "fp32", "4x5", "5x3", "sparse", "full", " MB to the device, ",
        " MB back, ", " MB spared; at "};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        cr_assert(strstr(trace.text, told[i]), "no %s in %s", told[i], trace.text);
    }
}

Test(burble, names_the_cpu_whatever_the_reason, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call sparse = torc_plain_call(plus_times, 4, 5, 3), misfit = sparse, other = sparse;
    sparse.recipes[OPERAND_B].format = GxB_SPARSE;
    misfit.recipes[OPERAND_B].nrows = 6;
    cr_assert_eq(GrB_Semiring_new(&other.semiring.handle, GrB_PLUS_MONOID_FP32, GxB_POW_FP32), GrB_SUCCESS);
    const random_call *calls[] = {&sparse, &misfit, &other};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        mxm_trace trace = trace_of(calls[i]);
        expect_line(&trace, "cpu");
    }
    mxm_trace trace;
    torc_traced_mxm(&trace, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    expect_line(&trace, "cpu");
    GrB_Semiring_free(&other.semiring.handle);
}

Test(burble, names_the_cpu_where_it_is_forced, .init = start_on_cpu, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call(plus_times, 4, 5, 3);
    mxm_trace trace = trace_of(&call);
    expect_line(&trace, "cpu");
}

/* Both descriptors go to a file, which stays empty. */
Test(burble, is_silent_unless_asked, .init = start_silent, .fini = torc_glue_finish)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    random_call call = torc_plain_call(plus_times, 4, 5, 3), wrong = call;
    wrong.recipes[OPERAND_B].nrows = 6;
    call_operands operands = torc_call_operands_new(&call), misfits = torc_call_operands_new(&wrong);
    GrB_Matrix *X = operands.matrices, *Y = misfits.matrices;
    GrB_Info right =
        torc_mxm(X[OPERAND_C], NULL, NULL, call.semiring.handle, X[OPERAND_A], X[OPERAND_B], NULL);
    GrB_Info refused =
        torc_mxm(Y[OPERAND_C], NULL, NULL, call.semiring.handle, Y[OPERAND_A], Y[OPERAND_B], NULL);
    fflush(stdout);
    fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    fseek(file, 0, SEEK_END);
    cr_assert_eq(ftell(file), 0);
    cr_assert_eq(right, GrB_SUCCESS);
    cr_assert_eq(refused, GrB_DIMENSION_MISMATCH);
    cr_assert_eq(torc_session_device_state(), TORC_DEVICE_OPEN);
    torc_call_operands_free(&call, &operands);
    torc_call_operands_free(&wrong, &misfits);
    fclose(file);
}
