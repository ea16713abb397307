/* away.c: see away.h. The handler of SIGSEGV uses only what a handler may: atomics, sem_post and the futex.
 */
#include "away.h"
#include "arena.h"
#include "own_thread.h"
#include "process.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HOME, AWAY, COMING };

static torc_sigaction set_action; /* libc's; NULL: nobody sees the program's */
static pthread_mutex_t action_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction program_action; /* under action_mutex, but for the handler: whole once has_handler */
static atomic_bool has_handler;

static void (*fetch_block)(void *);
static pthread_once_t keeper_once = PTHREAD_ONCE_INIT;
static atomic_bool has_keeper, is_child, is_limited;
static pid_t keeper_process;
static sem_t wanted;
static _Atomic(torc_block *) wanted_blocks;

static atomic_uint_fast64_t last_journey, touched, asked;
static atomic_int forks; /* under way */
static atomic_int naway; /* blocks, those that are coming too */

/* Where this thread last faulted in a block that was home by then, and how often that had landed. */
static _Thread_local void *home_address;
static _Thread_local unsigned home_landings;

/* ---- Waiting for a block ------------------------------------------------------------------------------- */

static void futex(atomic_uint *word, int operation, unsigned value)
{
    syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

/* Until it has stopped coming once more than `landings` times: where it is by then may have changed again. */
static void wait_for_landing(torc_block *block, unsigned landings)
{
    while (atomic_load(&block->landings) == landings) {
        futex(&block->landings, FUTEX_WAIT, landings);
    }
}

static void stop_coming(torc_block *block, unsigned place)
{
    atomic_store(&block->place, place);
    atomic_fetch_add(&block->landings, 1);
    futex(&block->landings, FUTEX_WAKE, INT_MAX);
}

/* The keeper takes what is wanted from a stack, which a handler can push to. */
static void want(torc_block *block)
{
    unsigned landings = atomic_load(&block->landings);
    if (atomic_load(&block->journey) == 0) {
        return;
    }
    if (!atomic_exchange(&block->is_wanted, true)) {
        block->next_wanted = atomic_load(&wanted_blocks);
        while (!atomic_compare_exchange_weak(&wanted_blocks, &block->next_wanted, block)) {
        }
        sem_post(&wanted);
    }
    wait_for_landing(block, landings);
}

/* A block whose content nobody has any more lands without: whoever waits must not do so for ever. */
static void serve(torc_block *block)
{
    atomic_store(&block->is_wanted, false);
    uint64_t journey = atomic_load(&block->journey);
    if (atomic_load(&block->place) == AWAY) {
        fetch_block(block->base);
        if (journey != 0 && torc_away_begin_landing(block->base, journey)) {
            torc_away_land(block->base);
        }
    }
}

static void *keep(void *unused)
{
    (void)unused;
    for (;;) {
        while (sem_wait(&wanted) != 0) {
        }
        torc_block *block = atomic_exchange(&wanted_blocks, NULL);
        while (block) {
            torc_block *next = block->next_wanted;
            serve(block);
            block = next;
        }
    }
    return NULL;
}

static void start_keeper(void)
{
    pthread_t keeper;
    sem_init(&wanted, 0, 0);
    keeper_process = getpid();
    if (torc_own_thread(&keeper, TORC_LARGE_STACK, keep, NULL)) {
        pthread_detach(keeper);
        atomic_store(&has_keeper, true);
    }
}

/* From the first block on that leaves: most programs have none. */
static bool find_keeper(void)
{
    pthread_once(&keeper_once, start_keeper);
    return atomic_load(&has_keeper);
}

/* ---- The handler --------------------------------------------------------------------------------------- */

static bool is_fault(const siginfo_t *info)
{
    return info->si_code > 0;
}

/* End the process by the signal: a fault happens again, and a signal that was sent is sent again. */
static void die(int number, const siginfo_t *info)
{
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    set_action(number, &by_default, NULL);
    if (!is_fault(info)) {
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
    }
}

/* Do what the kernel would do by the program's action, its mask included, which lasts until torc's handler
 * returns. A fault cannot be ignored. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    struct sigaction theirs = program_action;
    if (theirs.sa_handler == SIG_IGN && !is_fault(info)) {
        return;
    }
    if (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN) {
        die(number, info);
        return;
    }
    if (theirs.sa_flags & (int)SA_RESETHAND) {
        program_action.sa_handler = SIG_DFL;
    }
    if (!(theirs.sa_flags & SA_NODEFER)) {
        sigaddset(&theirs.sa_mask, number);
    }
    pthread_sigmask(SIG_BLOCK, &theirs.sa_mask, NULL);
    if (theirs.sa_flags & SA_SIGINFO) {
        theirs.sa_sigaction(number, info, context);
    } else {
        theirs.sa_handler(number);
    }
}

/* A block may come home between a fault and its handler: then the access succeeds when it is repeated. */
static bool is_repeated(const torc_block *block, void *address)
{
    unsigned landings = atomic_load(&block->landings);
    bool is_same = address == home_address && landings == home_landings;
    home_address = address;
    home_landings = landings;
    return is_same;
}

/* A child that fork's handlers were not told of has neither the keeper nor the content. One of vfork has
 * both. */
static bool is_with_keeper(void)
{
    return torc_process_is_ours() || getpid() == keeper_process;
}

static void handle(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    torc_block *block = is_fault(info) ? torc_range_find(info->si_addr) : NULL;
    if (block && atomic_load(&block->journey) != 0 && is_with_keeper()) {
        atomic_fetch_add_explicit(&touched, 1, memory_order_relaxed);
        want(block);
    } else if (!block || is_repeated(block, info->si_addr)) {
        pass_on(number, info, context);
    }
    errno = saved_errno;
}

static bool is_installed(void)
{
    struct sigaction now;
    return set_action(SIGSEGV, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle;
}

/* The lock of the program's action. A handler may ask for that too, so none comes meanwhile; but in a sandbox
 * that system call may be forbidden. */
typedef struct action_lock {
    bool is_masked;
    sigset_t before;
} action_lock;

static action_lock lock_action(void)
{
    action_lock lock = {.is_masked = torc_process_is_ours()};
    sigset_t all;
    sigfillset(&all);
    if (lock.is_masked) {
        pthread_sigmask(SIG_BLOCK, &all, &lock.before);
    }
    pthread_mutex_lock(&action_mutex);
    return lock;
}

static void unlock_action(const action_lock *lock)
{
    pthread_mutex_unlock(&action_mutex);
    if (lock->is_masked) {
        pthread_sigmask(SIG_SETMASK, &lock->before, NULL);
    }
}

/* Again where somebody who does not go through sigaction has put his own in its place. */
static bool install(void)
{
    struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    const action_lock lock = lock_action();
    bool is_there = atomic_load(&has_handler) && is_installed();
    if (!is_there) {
        struct sigaction before;
        is_there = set_action(SIGSEGV, NULL, &before) == 0;
        program_action = before;
        is_there = is_there && set_action(SIGSEGV, &ours, NULL) == 0;
        atomic_store(&has_handler, is_there);
    }
    unlock_action(&lock);
    return is_there;
}

/* A child of vfork has actions of its own, and its parent's memory. */
int torc_away_program_action(const struct sigaction *action, struct sigaction *old)
{
    if (torc_process_is_borrowed()) {
        return set_action(SIGSEGV, action, old);
    }
    const action_lock lock = lock_action();
    int status = 0;
    if (atomic_load(&has_handler)) {
        struct sigaction before = program_action;
        if (action) {
            program_action = *action;
        }
        if (old) {
            *old = before;
        }
    } else {
        status = set_action(SIGSEGV, action, old);
    }
    unlock_action(&lock);
    return status;
}

/* ---- Leaving and landing ------------------------------------------------------------------------------- */

static void forget(void *base, size_t size)
{
    (void)size;
    torc_block *block = torc_range_find(base);
    while (atomic_load(&block->place) != HOME) {
        unsigned away = AWAY, landings = atomic_load(&block->landings);
        if (atomic_compare_exchange_strong(&block->place, &away, COMING)) {
            torc_away_land(base);
        } else if (away == COMING) {
            wait_for_landing(block, landings);
        }
    }
}

static void start_fork(void)
{
    atomic_fetch_add(&forks, 1);
}

static void end_fork(void)
{
    atomic_fetch_sub(&forks, 1);
}

static void end_fork_in_child(void)
{
    action_mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    atomic_store(&is_child, true); /* for good: it has no device */
}

void torc_away_allow(torc_sigaction set)
{
    set_action = set;
}

/* Asked before a sanitizer has started. */
TORC_UNSANITIZED bool torc_away_is_watching(void)
{
    return set_action;
}

void torc_away_keep(void (*fetch)(void *))
{
    fetch_block = fetch;
    torc_arena_watch(forget);
    pthread_atfork(start_fork, end_fork, end_fork_in_child);
}

bool torc_away_is_allowed(void)
{
    return set_action && !atomic_load(&is_child) && !atomic_load(&is_limited) && atomic_load(&forks) == 0;
}

void torc_away_limit(bool is_limited_now)
{
    atomic_store(&is_limited, is_limited_now);
}

/* The block stays home. If it was away, its content is lost: the caller is about to write another. */
static uint64_t stay(torc_block *block)
{
    unsigned away = AWAY;
    if (atomic_compare_exchange_strong(&block->place, &away, COMING)) {
        torc_away_land(block->base);
    }
    return 0;
}

uint64_t torc_away_leave(void *base)
{
    torc_block *block = torc_range_find(base);
    if (!block || block->base != base) {
        return 0;
    }
    if (!find_keeper() || !install()) {
        return stay(block);
    }
    /* Before it asks: a fork, or a limit, first forbids, and then looks whether there is any. */
    atomic_fetch_add(&naway, 1);
    if (!torc_away_is_allowed()) {
        atomic_fetch_sub(&naway, 1);
        return stay(block);
    }
    uint64_t journey = atomic_fetch_add(&last_journey, 1) + 1;
    atomic_store(&block->journey, journey);
    if (atomic_load(&block->place) == AWAY) { /* its content is another one now */
        atomic_fetch_sub(&naway, 1);
        return journey;
    }
    atomic_store(&block->place, AWAY);
    if (mprotect(block->base, block->size, PROT_NONE) != 0) {
        torc_away_land(base);
        return 0;
    }
    return journey;
}

bool torc_away_is_any(void)
{
    return atomic_load(&naway) > 0;
}

uint64_t torc_away_last_journey(void)
{
    return atomic_load(&last_journey);
}

uint64_t torc_away_journey(const void *p)
{
    torc_block *block = torc_range_find(p);
    return block ? atomic_load(&block->journey) : 0;
}

bool torc_away_begin_landing(void *base, uint64_t journey)
{
    torc_block *block = torc_range_find(base);
    unsigned away = AWAY;
    if (atomic_load(&block->journey) != journey ||
        !atomic_compare_exchange_strong(&block->place, &away, COMING)) {
        return false;
    }
    if (atomic_load(&block->journey) != journey) { /* freed and gone again meanwhile */
        stop_coming(block, AWAY);
        return false;
    }
    return true;
}

bool torc_away_put_pages(void *base, void *content)
{
    torc_block *block = torc_range_find(base);
    return mprotect(content, block->size, PROT_NONE) == 0 &&
           mremap(content, block->size, block->size, MREMAP_MAYMOVE | MREMAP_FIXED, block->base) ==
               block->base;
}

void torc_away_land(void *base)
{
    torc_block *block = torc_range_find(base);
    mprotect(block->base, block->size, PROT_READ | PROT_WRITE);
    atomic_store(&block->journey, 0);
    atomic_fetch_sub(&naway, 1);
    stop_coming(block, HOME);
}

void torc_away_ask(const void *p)
{
    torc_block *block = torc_range_find(p);
    if (block && atomic_load(&block->journey) != 0) {
        atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed);
        want(block);
    }
}

torc_away_counts torc_away_count(void)
{
    return (torc_away_counts){.touched = atomic_load(&touched), .asked = atomic_load(&asked)};
}
