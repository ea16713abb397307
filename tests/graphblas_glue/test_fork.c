/* A child of fork multiplies, whatever the threads of its parent were doing with the device. */
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "require.h"
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t step;

static void *have_the_device(void *data)
{
    torc_session_lock();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    torc_session_release();
    return data;
}

/* A GPU is its parent's. */
static int multiply_as_child(const random_call *call, const outcome *expected)
{
    mxm_trace trace;
    GxB_Global_Option_set(GxB_NTHREADS, 1);
    outcome actual = torc_outcome_of_torc(call, &trace);
    bool is_there = strcmp(trace.where, torc_trace_is_reference() ? "reference" : "cpu") == 0;
    return is_there && !torc_outcome_difference(call, expected, &actual) ? 0 : 1;
}

Test(fork, leaves_a_child_that_multiplies, .init = torc_glue_start, .fini = torc_glue_finish)
{
    random_call call = torc_plain_call((torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, 9, 8, 7);
    mxm_trace trace;
    outcome expected = torc_outcome_of_suitesparse(&call, NULL), opened = torc_outcome_of_torc(&call, &trace);
    pthread_t thread;
    int status;
    cr_assert_eq(pthread_barrier_init(&step, NULL, 2), 0);
    cr_assert_eq(pthread_create(&thread, NULL, have_the_device, NULL), 0);
    pthread_barrier_wait(&step);
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING); /* where it would wait for a thread that it has not */
        _exit(multiply_as_child(&call, &expected));
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    pthread_barrier_wait(&step);
    pthread_join(thread, NULL);
    torc_outcome_check(&call, &expected, &opened, &trace);
}
