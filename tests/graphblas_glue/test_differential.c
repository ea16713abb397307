/* Whatever a caller may write, torc_mxm leaves what GrB_mxm leaves: TORC_TEST_CALLS random calls, 10000
 * unless told otherwise, one seed each from TORC_TEST_SEED on. */
#include "outcome.h"
#include "reference.h"
#include "session.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct tally {
    int64_t on_device, refused, in_other_format;
} tally;

enum { PATIENCE = 60 }; /* seconds for one call */

static const char *call_text = ""; /* for whoever dies, or hangs, in the call */

static void die_telling(int signal_number)
{
    ssize_t written = write(STDERR_FILENO, call_text, strlen(call_text));
    (void)written;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static int64_t number_from_environment(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoll(text, NULL, 10) : otherwise;
}

static void check_call(tally *count, uint64_t seed)
{
    random_call call;
    torc_random_call_draw(&call, seed);
    call_text = torc_random_call_describe(&call);
    alarm(PATIENCE);
    bool is_for_device;
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(&call, &is_for_device);
    outcome actual = torc_outcome_of_torc(&call, &trace);
    bool is_on_device = trace.where[0] && strcmp(trace.where, "cpu") != 0;
    cr_assert_eq(is_on_device, is_for_device, "it ran elsewhere\n%s%s", call_text, trace.text);
    count->on_device += is_on_device;
    count->refused += expected.info != GrB_SUCCESS;
    count->in_other_format += expected.C.status != actual.C.status;
    torc_outcome_check(&call, &expected, &actual, &trace);
    torc_random_call_free(&call);
}

Test(differential, random_calls_leave_what_suitesparse_leaves)
{
    int64_t calls = number_from_environment("TORC_TEST_CALLS", 10000);
    uint64_t first = (uint64_t)number_from_environment("TORC_TEST_SEED", 1);
    tally count = {0};
    torc_trace_begin();
    const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        signal(deaths[i], die_telling);
    }
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    /* One thread: 7.4.0 sums, and takes the first of equals, in an order that depends on them. */
    cr_assert_eq(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1), GrB_SUCCESS);
    for (int64_t i = 0; i < calls; i++) {
        check_call(&count, first + (uint64_t)i);
    }
    alarm(0);
    cr_log_info("%lld calls, %lld on the device, %lld refused, %lld in another format\n", (long long)calls,
        (long long)count.on_device, (long long)count.refused, (long long)count.in_other_format);
    cr_assert(calls < 100 || count.on_device > calls / 3, "only %lld of %lld calls were on the device",
        (long long)count.on_device, (long long)calls);
    torc_session_close();
    cr_assert_eq(torc_reference_bytes_held(), 0);
    cr_assert_eq(GrB_finalize(), GrB_SUCCESS);
}
