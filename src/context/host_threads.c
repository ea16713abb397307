/* host_threads.c: loops over host memory, shared among threads of torc's own.
 *
 * Not OpenMP: each thread that loops would get a pool of its own, so a program of twenty threads would get
 * twenty pools. And in a child of fork the pool's threads are missing: the next loop, even the program's own,
 * would wait for them for ever. Here one set of threads serves the process, and a child starts without it.
 *
 * A loop is cut into parts, which go to whoever is free, the caller included. The caller waits only for
 * threads that have begun a part; those that wake too late find none left. */
#include "own_thread.h"
#include <sched.h>
#include <stdatomic.h>
#include <torc/torc.h>
#include <unistd.h>

/* Reasoned: less is done before threads have woken up; a part is long beside taking it, and short enough that
 * nobody waits long for the last. */
static const size_t FEWEST_BYTES = 1 << 20, PART_BYTES = 256 << 10;

/* While a copy is staged, loops follow each other within some 100 us: so long threads look for the next one
 * before they sleep (reasoned; the instruction takes 40 ns, or less). */
enum { LOOKS = 5000, STACK_BYTES = 256 << 10 };

typedef struct shared_loop {
    void (*body)(void *argument, int64_t begin, int64_t end);
    void *argument;
    int64_t count, part;
    atomic_int_least64_t next;
} shared_loop;

static pthread_mutex_t one_loop = PTHREAD_MUTEX_INITIALIZER; /* has the threads */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_called = PTHREAD_COND_INITIALIZER, is_done = PTHREAD_COND_INITIALIZER;
static shared_loop *current; /* under mutex, as are: */
static int nthreads;         /* there are */
static int nactive;          /* at a part of it */
static atomic_int places;    /* for threads that are still to join it; read without */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int limit;

static void take_parts(shared_loop *loop)
{
    int64_t begin;
    while ((begin = atomic_fetch_add(&loop->next, loop->part)) < loop->count) {
        int64_t rest = loop->count - begin;
        loop->body(loop->argument, begin, begin + (rest < loop->part ? rest : loop->part));
    }
}

static void look_for_places(void)
{
    for (int i = 0; i < LOOKS && atomic_load_explicit(&places, memory_order_relaxed) == 0; i++) {
#ifdef __SSE2__
        __builtin_ia32_pause();
#endif
    }
}

static void *serve(void *unused)
{
    (void)unused;
    for (;;) {
        look_for_places();
        pthread_mutex_lock(&mutex);
        while (places == 0) {
            pthread_cond_wait(&is_called, &mutex);
        }
        places--;
        nactive++;
        shared_loop *loop = current;
        pthread_mutex_unlock(&mutex);
        take_parts(loop);
        pthread_mutex_lock(&mutex);
        if (--nactive == 0) {
            pthread_cond_signal(&is_done);
        }
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* Fewer than `count` where the system refuses. */
static void make_threads(int count)
{
    pthread_t thread;
    while (nthreads < count && torc_own_thread(&thread, STACK_BYTES, serve, NULL)) {
        pthread_detach(thread);
        nthreads++;
    }
}

static void call(shared_loop *loop, int helpers)
{
    pthread_mutex_lock(&mutex);
    make_threads(helpers);
    current = loop;
    places = helpers < nthreads ? helpers : nthreads;
    pthread_cond_broadcast(&is_called);
    pthread_mutex_unlock(&mutex);
}

static void dismiss(void)
{
    pthread_mutex_lock(&mutex);
    places = 0;
    while (nactive > 0) {
        pthread_cond_wait(&is_done, &mutex);
    }
    current = NULL;
    pthread_mutex_unlock(&mutex);
}

/* Whatever the threads of the parent were doing, they are not here. */
static void start_in_child(void)
{
    one_loop = mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    is_called = is_done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    current = NULL;
    places = nthreads = nactive = 0;
}

static void survive_forks(void)
{
    pthread_atfork(NULL, NULL, start_in_child);
}

static int allowed(void)
{
    cpu_set_t processors;
    if (limit > 0) {
        return limit;
    }
    if (sched_getaffinity(0, sizeof processors, &processors) == 0) {
        return CPU_COUNT(&processors);
    }
    return (int)sysconf(_SC_NPROCESSORS_ONLN); /* of more than CPU_SETSIZE */
}

static int64_t helpers_for(const shared_loop *loop, size_t bytes)
{
    int64_t parts = (loop->count - 1) / loop->part + 1;
    if (parts < 2 || (double)loop->count * (double)bytes < (double)FEWEST_BYTES) {
        return 0;
    }
    int64_t most = allowed();
    return (parts < most ? parts : most) - 1;
}

int torc_threads_limit(int threads)
{
    int before = limit;
    limit = threads > 0 ? threads : 0;
    return before;
}

void torc_threads_loop(
    int64_t count, size_t bytes, void (*body)(void *argument, int64_t begin, int64_t end), void *argument)
{
    if (count <= 0) {
        return;
    }
    int64_t part = bytes < PART_BYTES ? (int64_t)(PART_BYTES / (bytes ? bytes : 1)) : 1;
    shared_loop loop = {.body = body, .argument = argument, .count = count, .part = part};
    int64_t helpers = helpers_for(&loop, bytes);
    int cancels;
    pthread_once(&once, survive_forks);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels); /* others work on this stack */
    bool has_threads = helpers > 0 && pthread_mutex_trylock(&one_loop) == 0;
    if (has_threads) {
        call(&loop, (int)helpers);
    }
    take_parts(&loop);
    if (has_threads) {
        dismiss();
        pthread_mutex_unlock(&one_loop);
    }
    pthread_setcancelstate(cancels, NULL);
}
