/* A child of fork multiplies, wherever in a call another thread of its parent was: at each mutex that torc
 * has locked, the thread stops before it unlocks it, and goes on once fork waits for it, or is over. */
#include "glue_fixture.h"
#include "outcome.h"
#include "plain_call.h"
#include "require.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

/* The linker puts these around those of pthreads. */
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

static _Thread_local bool is_caller, is_forking;
static int unlocks_left;         /* of the caller, before it stops */
static bool is_called;           /* to its end, without a stop */
static pthread_mutex_t *awaited; /* by fork */
static sem_t stopped, go, unlocked, forked;

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (is_forking && !awaited) {
        if (pthread_mutex_trylock(mutex) == 0) {
            return 0;
        }
        awaited = mutex;
        sem_post(&go);
        sem_wait(&unlocked);
    }
    return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    bool stops = is_caller && unlocks_left-- == 0;
    if (stops) {
        sem_post(&stopped);
        sem_wait(&go);
    }
    int status = __real_pthread_mutex_unlock(mutex);
    if (is_caller && mutex == awaited) {
        sem_post(&unlocked);
        sem_wait(&forked);
        awaited = NULL;
    }
    return status;
}

static random_call call;
static outcome expected;

static bool multiply(void)
{
    mxm_trace trace;
    outcome actual = torc_outcome_of_torc(&call, &trace);
    bool is_right = !torc_outcome_difference(&call, &expected, &actual);
    torc_entries_free(&actual.C);
    return is_right;
}

static void *multiply_and_stop(void *is_right)
{
    is_caller = true;
    *(bool *)is_right = multiply();
    is_caller = false;
    if (unlocks_left >= 0) { /* the call has no more of them */
        is_called = true;
        sem_post(&stopped);
    }
    return NULL;
}

/* What the child ends with. */
static int fork_here(void)
{
    int status;
    is_forking = true;
    pid_t child = fork();
    is_forking = false;
    if (child == 0) {
        alarm(TORC_HANGING); /* where it would wait for a thread that it has not */
        _exit(!multiply());
    }
    cr_assert_gt(child, 0);
    sem_post(awaited ? &forked : &go);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void check_every_stop(GrB_Index m, GrB_Index k, GrB_Index n, double density)
{
    call = torc_plain_call((torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, m, k, n);
    call.recipes[OPERAND_A].density = density;
    GxB_Global_Option_set(GxB_NTHREADS, 1); /* OpenMP has no threads in a child */
    expected = torc_outcome_of_suitesparse(&call, NULL);
    cr_assert(multiply());
    cr_assert(sem_init(&stopped, 0, 0) == 0 && sem_init(&go, 0, 0) == 0 && sem_init(&unlocked, 0, 0) == 0 &&
              sem_init(&forked, 0, 0) == 0);
    int stops;
    for (stops = 0; !is_called; stops++) {
        pthread_t thread;
        bool is_right;
        unlocks_left = stops;
        cr_assert_eq(pthread_create(&thread, NULL, multiply_and_stop, &is_right), 0);
        sem_wait(&stopped);
        int status = is_called ? 0 : fork_here();
        cr_expect_eq(status, 0, "stop %d: the child ends with %d", stops, status);
        pthread_join(thread, NULL);
        cr_expect(is_right, "stop %d", stops);
    }
    cr_expect_gt(stops, 5, "few mutexes were met");
    torc_entries_free(&expected.C);
}

Test(fork, amid_a_call_leaves_a_child_that_multiplies, .init = torc_glue_start, .fini = torc_glue_finish)
{
    check_every_stop(9, 8, 7, 0.3);
}

static void start_with_the_arena(void)
{
    torc_trace_begin();
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

/* C has more than 1 MiB, and its copy stays on the device where the kernel tracks writes. */
Test(fork, amid_a_call_with_the_arena_leaves_a_child_that_multiplies, .init = start_with_the_arena,
    .fini = torc_glue_finish)
{
    check_every_stop(600, 40, 300, 0.02);
}
