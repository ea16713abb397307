/* Loops shared with torc's threads: every step is done once, by no more threads than are allowed, whoever
 * loops beside, and in a child of fork too. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <torc/torc.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20, MANY = 1000003 };

/* Seconds after which a child hangs, however busy the machine. */
enum { PATIENCE = 600 };

static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    cr_assert_not_null(tasks);
    for (struct dirent *entry; (entry = readdir(tasks));) {
        count += entry->d_name[0] != '.';
    }
    closedir(tasks);
    return count;
}

static void add_one(void *argument, int64_t begin, int64_t end)
{
    char *steps = argument;
    for (int64_t i = begin; i < end; i++) {
        steps[i]++;
    }
}

static bool does_each_once(int64_t count, size_t bytes)
{
    char *steps = calloc((size_t)count + 1, 1);
    bool is_right = steps != NULL;
    torc_threads_loop(count, bytes, add_one, steps);
    for (int64_t i = 0; is_right && i < count; i++) {
        is_right = steps[i] == 1;
    }
    is_right = is_right && steps[count] == 0;
    free(steps);
    return is_right;
}

Test(host_threads, do_every_step_once)
{
    static const int64_t counts[] = {0, 1, 2, 3, 7, 1000, 262143, 262144, 262145, MANY};
    static const size_t sizes[] = {0, 1, 4, 1000, 256 << 10, 2 * MEBIBYTE};
    for (int limit = 0; limit < 6; limit++) {
        torc_threads_limit(limit);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                cr_assert(does_each_once(counts[c], sizes[s]), "limit %d: %lld steps of %zu bytes", limit,
                    (long long)counts[c], sizes[s]);
            }
        }
    }
}

static void meet_the_others(void *barrier, int64_t begin, int64_t end)
{
    for (; begin < end; begin++) {
        pthread_barrier_wait(barrier);
    }
}

/* Each step waits for the others: they end only where as many threads take one each. */
Test(host_threads, are_as_many_as_are_allowed)
{
    int alone = count_threads();
    for (int limit = 1; limit <= 4; limit++) {
        pthread_barrier_t barrier;
        pthread_barrier_init(&barrier, NULL, (unsigned)limit);
        cr_expect_eq(torc_threads_limit(limit), limit - 1);
        torc_threads_loop(limit, MEBIBYTE, meet_the_others, &barrier);
        cr_expect_eq(count_threads(), alone + limit - 1);
        pthread_barrier_destroy(&barrier);
    }
    torc_threads_limit(-5);
    cr_expect_eq(torc_threads_limit(2), 0, "fewer than none is no limit");
    cr_expect(does_each_once(MANY, 64));
    cr_expect_eq(count_threads(), alone + 3, "they stay, and do not become more");
}

Test(host_threads, are_none_for_little_memory)
{
    int alone = count_threads();
    torc_threads_limit(8);
    cr_expect(does_each_once(MEBIBYTE - 1, 1));
    cr_expect_eq(count_threads(), alone);
}

static void *loop_often(void *is_right)
{
    torc_threads_limit(3);
    for (int i = 0; i < 50; i++) {
        *(bool *)is_right &= does_each_once(MANY, 16);
    }
    return NULL;
}

enum { PROGRAM_THREADS = 8 };

Test(host_threads, do_not_multiply_under_those_of_a_program)
{
    int alone = count_threads();
    pthread_t threads[PROGRAM_THREADS];
    bool is_right[PROGRAM_THREADS];
    for (int i = 0; i < PROGRAM_THREADS; i++) {
        is_right[i] = true;
        cr_assert_eq(pthread_create(&threads[i], NULL, loop_often, &is_right[i]), 0);
    }
    for (int i = 0; i < PROGRAM_THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_expect(is_right[i], "thread %d", i);
    }
    cr_expect_leq(count_threads(), alone + 2);
}

static bool is_deaf(void)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    return sigismember(&blocked, SIGINT) && sigismember(&blocked, SIGALRM) && sigismember(&blocked, SIGUSR1);
}

typedef struct listening {
    pthread_barrier_t barrier;
    pthread_t caller;
    atomic_int listeners;
} listening;

static void count_listeners(void *argument, int64_t begin, int64_t end)
{
    listening *l = argument;
    for (; begin < end; begin++) {
        pthread_barrier_wait(&l->barrier);
        l->listeners += !pthread_equal(pthread_self(), l->caller) && !is_deaf();
    }
}

Test(host_threads, take_no_signals)
{
    listening l = {.caller = pthread_self()};
    pthread_barrier_init(&l.barrier, NULL, 3);
    torc_threads_limit(3);
    torc_threads_loop(3, MEBIBYTE, count_listeners, &l);
    cr_expect_eq(l.listeners, 0);
    cr_expect_not(is_deaf(), "the caller's signals are as they were");
}

static atomic_bool is_over;

static void *keep_looping(void *unused)
{
    torc_threads_limit(3);
    while (!is_over) {
        does_each_once(MANY, 16);
    }
    return unused;
}

/* Whatever the threads are doing at the fork. */
Test(host_threads, are_made_anew_in_a_child_of_fork)
{
    pthread_t thread;
    torc_threads_limit(3);
    cr_assert(does_each_once(MANY, 16));
    cr_assert_eq(pthread_create(&thread, NULL, keep_looping, NULL), 0);
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(PATIENCE);
            _exit(!does_each_once(MANY, 16) || count_threads() > 3);
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0, "child %d ends with %x", i, (unsigned)status);
    }
    is_over = true;
    pthread_join(thread, NULL);
}
