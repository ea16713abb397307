#include "beside.h"
#include "own_thread.h"
#include "process.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's: functor (argument) when this thread ends or calls exit, before all that atexit was given. */
int __cxa_thread_atexit_impl(void (*functor)(void *), void *argument, void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;   /* under mutex, as are the next two */
static bool has_thread;    /* to be joined */
static void (*task)(void); /* of that thread */
static atomic_bool is_under_way;
static _Thread_local bool is_beside;
static _Thread_local bool ends_in_order;

/* Also in fork and at the end of the process, which nobody expects to be cancelled in. */
static void join(void)
{
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    if (has_thread) {
        pthread_join(thread, NULL);
        has_thread = false;
    }
    pthread_setcancelstate(cancels, NULL);
}

void torc_beside_wait(void)
{
    if (torc_process_is_ours() && !is_beside) {
        pthread_mutex_lock(&mutex);
        join();
        pthread_mutex_unlock(&mutex);
    }
}

static void wait_at_exit(void *unused)
{
    (void)unused;
    torc_beside_wait();
}

/* The CUDA driver may fork itself, to have its modules loaded. */
static void settle(void)
{
    if (!is_beside) {
        pthread_mutex_lock(&mutex);
        join();
    }
}

static void go_on(void)
{
    if (!is_beside) {
        pthread_mutex_unlock(&mutex);
    }
}

static void prepare(void)
{
    static const torc_fork_handlers handlers = {settle, go_on, go_on};
    torc_process_at_fork(&handlers);
    atexit(torc_beside_wait);
}

/* CUDA gives atexit functions of its own while it is opened, which are therefore called before ours; those of
 * the thread that ends the process come before either. That is the main thread, in most programs; another one
 * that ends should not wait. */
static void end_in_order(void)
{
    if (!ends_in_order && syscall(SYS_gettid) == getpid()) {
        ends_in_order = __cxa_thread_atexit_impl(wait_at_exit, NULL, &__dso_handle) == 0;
    }
}

static void *run(void *unused)
{
    (void)unused;
    is_beside = true;
    task();
    atomic_store(&is_under_way, false);
    return NULL;
}

void torc_beside_give_way(void)
{
    /* Of this thread, which ends with its work. */
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 10);
}

bool torc_beside_is_under_way(void)
{
    return atomic_load(&is_under_way);
}

bool torc_beside_start(void (*work)(void))
{
    pthread_once(&once, prepare);
    end_in_order();
    pthread_mutex_lock(&mutex);
    bool is_started = false;
    if (!atomic_load(&is_under_way)) {
        join();
        task = work;
        atomic_store(&is_under_way, true);
        is_started = has_thread = torc_own_thread(&thread, TORC_LARGE_STACK, run, NULL);
        if (!is_started) {
            atomic_store(&is_under_way, false);
        }
    }
    pthread_mutex_unlock(&mutex);
    return is_started;
}
