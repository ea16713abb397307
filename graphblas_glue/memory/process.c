#include "process.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_HANDLERS = 16 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool has_begun; /* read by every call, in less time than pthread_once takes */
static atomic_bool *mark;     /* in a page of its own; NULL where the kernel clears none: then */
static _Atomic pid_t owner;   /* is asked for; 0: nobody's */
static atomic_bool is_abandoned;
static _Atomic(const torc_fork_handlers *) table[MOST_HANDLERS];
static _Thread_local int prepared; /* handlers, by the fork that this thread is in; -1: not ours */

static void claim(void)
{
    owner = getpid();
    if (mark) {
        atomic_store(mark, true);
    }
}

static bool is_ours(void)
{
    return mark ? atomic_load(mark) : getpid() == owner;
}

static void prepare(void)
{
    if (!is_ours()) {
        prepared = -1;
        return;
    }
    int count = 0;
    while (count < MOST_HANDLERS && table[count]) {
        count++;
    }
    for (int i = count; i-- > 0;) {
        const torc_fork_handlers *handlers = table[i];
        if (handlers->prepare) {
            handlers->prepare();
        }
    }
    prepared = count;
}

static void go_on_in_parent(void)
{
    for (int i = 0; i < prepared; i++) {
        const torc_fork_handlers *handlers = table[i];
        if (handlers->parent) {
            handlers->parent();
        }
    }
}

static void go_on_in_child(void)
{
    if (prepared >= 0) {
        claim();
    }
    for (int i = 0; i < prepared; i++) {
        const torc_fork_handlers *handlers = table[i];
        if (handlers->child) {
            handlers->child();
        }
    }
}

static void begin(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, size, MADV_WIPEONFORK) == 0) {
        mark = page;
    } else if (page != MAP_FAILED) {
        munmap(page, size);
    }
    claim();
    pthread_atfork(prepare, go_on_in_parent, go_on_in_child);
    has_begun = true;
}

bool torc_process_is_ours(void)
{
    if (!has_begun) {
        pthread_once(&once, begin);
    }
    return is_ours();
}

bool torc_process_is_borrowed(void)
{
    return torc_process_is_ours() && getpid() != owner;
}

const char *torc_process_why_not(void)
{
    return is_abandoned ? "the program has entered a sandbox" : "a child process that torc was not told of";
}

bool torc_process_abandon(void)
{
    if (!torc_process_is_ours() || torc_process_is_borrowed()) {
        return false;
    }
    is_abandoned = true;
    owner = 0;
    if (mark) {
        atomic_store(mark, false);
    }
    return true;
}

void torc_process_at_fork(const torc_fork_handlers *handlers)
{
    pthread_once(&once, begin);
    for (int i = 0; i < MOST_HANDLERS; i++) {
        const torc_fork_handlers *found = NULL;
        if (atomic_compare_exchange_strong(&table[i], &found, handlers) || found == handlers) {
            return;
        }
    }
}
