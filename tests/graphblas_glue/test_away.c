/* Blocks leave, come home when they are touched or asked for, and are freed wherever they are. The test has
 * the content itself (away_block.h). Each test has a process of its own.
 *
 * Linked with --wrap=torc_process_is_ours, during which the test may do something. */
#include "arena.h"
#include "away.h"
#include "away_block.h"
#include "failing_mprotect.h"
#include "process.h"
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <torc/graphblas.h>
#include <unistd.h>

TestSuite(away, .init = away_start, .timeout = 120);

static bool can_be_read(const void *block)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    bool can_be = write(ends[1], block, 8) == 8;
    close(ends[0]);
    close(ends[1]);
    return can_be;
}

/* ---- Touched ------------------------------------------------------------------------------------------ */

Test(away, a_load_brings_the_block_home)
{
    uint64_t *block = away_new(1000);
    cr_assert(torc_away_is_any() && torc_away_journey(block) != 0);
    cr_expect_eq(((volatile uint64_t *)block)[12345], 1000 + 12345);
    cr_expect(!torc_away_is_any() && torc_away_journey(block) == 0);
    cr_expect(away_holds(block, 1000));
    cr_expect_eq(torc_away_count().touched, 1);
    cr_expect_eq(away_fetches, 1);
}

Test(away, a_store_keeps_the_rest)
{
    uint64_t *block = away_new(2000);
    block[AWAY_WORDS - 1] = 7;
    cr_expect_eq(block[AWAY_WORDS - 1], 7);
    block[AWAY_WORDS - 1] = 2000 + AWAY_WORDS - 1;
    cr_expect(away_holds(block, 2000));
}

Test(away, other_blocks_stay)
{
    uint64_t *blocks[] = {away_new(1), away_new(2), away_new(3)};
    cr_expect(away_holds(blocks[1], 2));
    cr_expect(torc_away_journey(blocks[0]) != 0 && torc_away_journey(blocks[2]) != 0);
    cr_expect_eq(away_fetches, 1);
    cr_expect(away_holds(blocks[2], 3) && away_holds(blocks[0], 1));
}

Test(away, errno_survives_a_touch)
{
    volatile uint64_t *block = away_new(1);
    volatile int *number = &errno; /* which a compiler knows no store to block[0] to change */
    *number = 77;
    block[0] = 1;
    cr_expect_eq(*number, 77);
}

/* The kernel does not fault, it fails. */
Test(away, a_system_call_fails_until_the_block_is_home)
{
    uint64_t *block = away_new(5);
    cr_expect(!can_be_read(block) && errno == EFAULT);
    torc_away_ask(block);
    cr_expect(can_be_read(block));
}

enum { THREADS = 16, ROUNDS = 50 };

static pthread_barrier_t together;
static uint64_t *shared;

static void *touch_shared(void *place)
{
    size_t offset = (uintptr_t)place * (AWAY_WORDS / THREADS), wrong = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&together);
        wrong += ((volatile uint64_t *)shared)[offset] != round + offset;
        pthread_barrier_wait(&together);
    }
    return (void *)wrong;
}

Test(away, threads_touch_at_once)
{
    pthread_t threads[THREADS];
    shared = torc_malloc(AWAY_WORDS * sizeof *shared);
    pthread_barrier_init(&together, NULL, THREADS + 1);
    for (size_t i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, touch_shared, (void *)i), 0);
    }
    for (uint64_t round = 0; round < ROUNDS; round++) {
        cr_assert_neq(away_leave(shared, round), 0);
        pthread_barrier_wait(&together);
        pthread_barrier_wait(&together);
        cr_assert(away_holds(shared, round));
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        cr_expect_null(wrong);
    }
    cr_expect_eq(away_fetches, ROUNDS, "once a round, whoever touches");
}

static uint64_t *comes_first;

bool __real_torc_process_is_ours(void);
bool __wrap_torc_process_is_ours(void);

/* The handler asks when it has seen that the block is away: another thread may have brought it by then. */
bool __wrap_torc_process_is_ours(void)
{
    uint64_t *block = comes_first;
    comes_first = NULL;
    if (block && torc_away_begin_landing(block, torc_away_journey(block))) {
        away_land(block);
    }
    return __real_torc_process_is_ours();
}

Test(away, who_touches_does_not_wait_for_what_has_come_by_then)
{
    uint64_t *block = away_new(9000);
    comes_first = block;
    cr_expect(away_holds(block, 9000));
    cr_expect_eq(away_fetches, 0);
    cr_expect_eq(torc_away_count().touched, 1);
}

static void *touch(void *block)
{
    return (void *)(uintptr_t)away_holds(block, 9000);
}

static pthread_t start_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, run, argument), 0);
    return thread;
}

static void *join(pthread_t thread)
{
    void *result;
    cr_assert_eq(pthread_join(thread, &result), 0);
    return result;
}

Test(away, who_touches_waits_for_who_lands)
{
    uint64_t *block = away_new(9000);
    cr_assert(torc_away_begin_landing(block, torc_away_journey(block)));
    pthread_t thread = start_thread(touch, block);
    while (torc_away_count().touched == 0) {
        usleep(100);
    }
    away_land(block);
    cr_expect_not_null(join(thread));
    cr_expect(!torc_away_is_any());
}

Test(away, a_thread_with_a_small_stack_may_touch)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, 32 << 10), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, touch, away_new(9000)), 0);
    cr_expect_not_null(join(thread));
}

Test(away, one_alone_lands_and_nobody_touches_before)
{
    uint64_t *block = away_new(9000), journey = torc_away_journey(block);
    size_t size;
    cr_assert(torc_away_begin_landing(block, journey));
    cr_expect_not(torc_away_begin_landing(block, journey));
    torc_arena_block(block, NULL, &size);
    uint64_t *content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    content[7] = 70;
    cr_assert(torc_away_put_pages(block, content));
    cr_expect_not(can_be_read(block));
    torc_away_land(block);
    cr_expect(can_be_read(block) && block[7] == 70);
}

/* Splitting a mapping may be one mapping too many. */
Test(away, what_cannot_be_protected_stays)
{
    uint64_t *block = torc_malloc(AWAY_WORDS * sizeof *block);
    block[3] = 30;
    atomic_store(&protects_nothing, true);
    cr_expect_eq(torc_away_leave(block), 0);
    atomic_store(&protects_nothing, false);
    cr_expect(!torc_away_is_any() && torc_away_journey(block) == 0);
    cr_expect_eq(block[3], 30);
}

/* What is away comes home after torc has left the process alone too (process.h). */
Test(away, a_process_that_torc_abandoned_may_touch)
{
    uint64_t *block = away_new(60);
    cr_assert(torc_process_abandon());
    cr_expect(away_holds(block, 60));
}

/* Nobody waits for ever: what is read then is undefined. */
Test(away, content_that_is_lost_lands_without)
{
    volatile uint64_t *block = away_new(1);
    atomic_store(&away_is_lost, true);
    (void)block[5];
    cr_expect(!torc_away_is_any());
    block[5] = 3;
    cr_expect_eq(block[5], 3);
    atomic_store(&away_is_lost, false);
    cr_expect_neq(away_leave((uint64_t *)block, 4), 0);
    cr_expect(away_holds((uint64_t *)block, 4));
}

/* ---- Asked -------------------------------------------------------------------------------------------- */

Test(away, asking_is_no_touch)
{
    uint64_t *block = away_new(70), local;
    torc_away_ask(block + AWAY_WORDS / 2);
    cr_expect_eq(torc_away_journey(block), 0);
    torc_away_ask(block);
    torc_away_ask(&local);
    torc_away_ask(NULL);
    torc_away_counts counts = torc_away_count();
    cr_expect(counts.asked == 1 && counts.touched == 0);
    cr_expect(away_holds(block, 70));
    cr_expect_eq(away_fetches, 1);
}

/* ---- Journeys ----------------------------------------------------------------------------------------- */

Test(away, no_two_journeys_are_the_same)
{
    uint64_t last = 0, *block = away_new(1);
    for (int i = 0; i < 1000; i++) {
        uint64_t journey = torc_away_journey(block);
        cr_assert(journey > last);
        last = journey;
        if (i % 2) { /* C's own array: its content is another one */
            cr_assert(away_leave(block, (uint64_t)i) > journey);
        } else {
            cr_assert(torc_away_begin_landing(block, journey));
            torc_away_land(block);
            torc_free(block);
            block = away_new((uint64_t)i);
        }
    }
    cr_expect(away_holds(block, 999));
    cr_expect(!torc_away_is_any());
}

Test(away, an_earlier_journey_cannot_be_ended)
{
    uint64_t *block = away_new(1), journey = torc_away_journey(block);
    cr_assert_neq(away_leave(block, 2), 0);
    cr_expect_not(torc_away_begin_landing(block, journey));
    cr_expect_neq(torc_away_journey(block), 0);
    cr_expect(away_holds(block, 2));
    cr_expect_not(torc_away_begin_landing(block, journey));
}

static uint64_t *replaced;
static char *page_of_table;
static size_t page_size;

/* Who begins to land writes to the block's entry, first of all: that comes here. */
static void replace(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
    cr_assert_eq(mprotect(page_of_table, page_size, PROT_READ | PROT_WRITE), 0);
    torc_free(replaced);
    cr_assert_eq(torc_malloc(AWAY_WORDS * sizeof *replaced), replaced, "recycled");
    cr_assert_neq(away_leave(replaced, 2), 0);
}

/* Between the look at its journey and the beginning of its landing it is freed, and gone again. */
Test(away, a_journey_that_ends_meanwhile_cannot_be_ended)
{
    struct sigaction action = {.sa_sigaction = replace, .sa_flags = SA_SIGINFO};
    replaced = away_new(1);
    uint64_t journey = torc_away_journey(replaced);
    char *place = (char *)&torc_range_find(replaced)->place;
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page_of_table = place - (uintptr_t)place % page_size;
    cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
    cr_assert_eq(mprotect(page_of_table, page_size, PROT_READ), 0);
    cr_assert_not(torc_away_begin_landing(replaced, journey));
    cr_expect(torc_away_journey(replaced) > journey);
    cr_expect(away_holds(replaced, 2));
}

Test(away, only_beginnings_of_blocks_leave)
{
    uint64_t *block = torc_malloc(AWAY_WORDS * sizeof *block), local;
    cr_expect_eq(torc_away_leave(block + 1), 0);
    cr_expect_eq(torc_away_leave(&local), 0);
    block[0] = 1;
    cr_expect(!torc_away_is_any());
}

/* ---- Freed -------------------------------------------------------------------------------------------- */

Test(away, a_block_is_freed_while_away)
{
    uint64_t *block = away_new(1);
    torc_free(block);
    cr_expect(!torc_away_is_any());
    cr_expect_eq(torc_malloc(AWAY_WORDS * sizeof *block), block, "recycled");
    block[0] = 1;
    block[AWAY_WORDS - 1] = 2;
    cr_expect_eq(away_fetches, 0);
    cr_assert_neq(away_leave(block, 3), 0);
    cr_expect(away_holds(block, 3));
}

static void *free_it(void *block)
{
    torc_free(block);
    return NULL;
}

Test(away, a_block_is_freed_while_it_comes)
{
    uint64_t *block = away_new(8);
    cr_assert(torc_away_begin_landing(block, torc_away_journey(block)));
    pthread_t thread = start_thread(free_it, block);
    usleep(20000);
    uint64_t *other = torc_malloc(AWAY_WORDS * sizeof *other);
    cr_expect_neq(other, block, "it is not free before it has landed");
    away_land(block);
    join(thread);
    cr_expect_eq(torc_malloc(AWAY_WORDS * sizeof *block), block);
    block[1] = 1;
    cr_expect(!torc_away_is_any());
}

Test(away, realloc_takes_the_content_along)
{
    uint64_t *grown = torc_realloc(away_new(100), 3 * AWAY_WORDS * sizeof *grown);
    cr_expect(grown && away_holds(grown, 100));
    uint64_t *small = torc_realloc(away_new(200), 1000 * sizeof *small);
    cr_assert(small);
    cr_expect(small[0] == 200 && small[999] == 200 + 999);
    torc_free(small);
    uint64_t *block = away_new(300);
    cr_expect_eq(torc_realloc(block, (AWAY_WORDS - 1) * sizeof *block), block);
    cr_expect_eq(block[5], 305);
}

/* ---- Forks -------------------------------------------------------------------------------------------- */

static uint64_t *in_fork;
static uint64_t journey_in_fork = 1;

static void leave_in_fork(void)
{
    if (in_fork) {
        journey_in_fork = torc_away_leave(in_fork);
        in_fork[0] = 11; /* nobody fetches what its owner is about to write */
    }
}

static void start_before_torc(void)
{
    pthread_atfork(leave_in_fork, NULL, NULL);
    away_start();
}

Test(away_fork, nothing_leaves_while_the_process_forks, .init = start_before_torc, .timeout = 120)
{
    in_fork = away_new(5);
    pid_t child = fork();
    if (child == 0) {
        _exit(torc_away_is_allowed() || torc_away_leave(in_fork) != 0 || in_fork[0] != 11);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%x", (unsigned)status);
    cr_expect_eq(journey_in_fork, 0);
    cr_expect_eq(away_fetches, 0);
    cr_expect_neq(away_leave(in_fork, 6), 0);
    cr_expect(away_holds(in_fork, 6));
}

/* Its content is with the parent: rather than wait for ever it ends as by any access that cannot be. */
Test(away, a_child_that_torc_is_not_told_of_cannot_touch)
{
    volatile uint64_t *block = away_new(5);
    signal(SIGSEGV, SIG_DFL);
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) {
        _exit((int)block[0]);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV, "%x", (unsigned)status);
    cr_expect(away_holds((uint64_t *)block, 5));
}

static int touch_and_end(void *block)
{
    _exit(((volatile uint64_t *)block)[3] == 8 ? 0 : 1);
}

Test(away, a_child_of_vfork_may_touch)
{
    uint64_t *block = away_new(5);
    pid_t child = vfork();
    if (child == 0) {
        touch_and_end(block);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%x", (unsigned)status);
    cr_expect(!torc_away_is_any());
}
