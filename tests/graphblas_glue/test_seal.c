/* A seal holds as long as nobody has written to the array, and not longer, whoever owns it by then. */
#include "require.h"
#include "seal.h"
#include "write_tracking.h"
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <torc/graphblas.h>
#include <unistd.h>

enum { LARGE = (3 << 20) + 8 };

static char *large;

static _Thread_local int locks; /* that this thread has taken */

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int (*lock)(pthread_mutex_t *);
    void *address = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    memcpy(&lock, &address, sizeof address);
    locks++;
    return lock(mutex);
}

static char *new_large(void)
{
    char *array = torc_malloc(LARGE);
    cr_assert_not_null(array);
    memset(array, 1, LARGE);
    return array;
}

static void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    large = new_large();
}

TestSuite(seal, .init = start);

Test(small_seal, holds_while_the_content_is_the_same)
{
    char array[100];
    memset(array, 1, sizeof array);
    torc_seal seal = torc_seal_put(array, sizeof array);
    cr_assert(torc_seal_holds(&seal));
    array[99] = 2;
    cr_assert_not(torc_seal_holds(&seal));
    array[99] = 1;
    cr_assert(torc_seal_holds(&seal));
    cr_assert_not(torc_seal_is_broken(&seal));
    torc_seal_release(&seal);
}

Test(seal, holds_until_a_byte_is_written)
{
    torc_seal seal = torc_seal_put(large, LARGE);
    cr_assert(torc_seal_holds(&seal));
    cr_assert(torc_seal_holds(&seal));
    ((volatile char *)large)[LARGE - 1] = 1; /* what was there already */
    cr_assert_not(torc_seal_holds(&seal));
    cr_assert(torc_seal_is_broken(&seal));
    torc_seal_release(&seal);
}

Test(seal, put_later_hides_no_write_from_the_first)
{
    torc_seal first = torc_seal_put(large, LARGE), second = torc_seal_put(large, LARGE);
    cr_assert(torc_seal_holds(&first));
    cr_assert(torc_seal_holds(&second));
    large[5] = 2;
    torc_seal third = torc_seal_put(large, LARGE);
    cr_assert_not(torc_seal_holds(&first));
    cr_assert_not(torc_seal_holds(&second));
    cr_assert(torc_seal_holds(&third));
    torc_seal_release(&first);
    cr_assert(torc_seal_holds(&third));
    torc_seal_release(&second);
    torc_seal_release(&third);
}

Test(seal, released_beside_another_leaves_it)
{
    torc_seal first = torc_seal_put(large, LARGE), second = torc_seal_put(large, LARGE);
    torc_seal_release(&first);
    cr_assert(torc_seal_holds(&second));
    large[5] = 2;
    cr_assert_not(torc_seal_holds(&second));
    torc_seal_release(&second);
}

Test(seal, of_part_of_a_block_gives_way_to_one_of_more)
{
    torc_seal part = torc_seal_put(large, 2 << 20), all = torc_seal_put(large, LARGE);
    cr_assert_not(torc_seal_holds(&part));
    cr_assert(torc_seal_holds(&all));
    large[LARGE - 1] = 2;
    cr_assert_not(torc_seal_holds(&all));
    torc_seal_release(&part);
    torc_seal_release(&all);
}

Test(seal, of_an_array_in_a_block_covers_its_end)
{
    char *inside = large + (1 << 20);
    torc_seal seal = torc_seal_put(inside, LARGE - (1 << 20));
    cr_assert(torc_seal_holds(&seal));
    large[LARGE - 1] = 2;
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal_release(&seal);
}

Test(seal, breaks_when_the_block_is_freed_even_for_the_next_owner)
{
    torc_seal seal = torc_seal_put(large, LARGE);
    torc_free(large);
    cr_assert(torc_seal_is_broken(&seal));
    char *next = torc_malloc(LARGE);
    cr_assert_eq(next, large, "the arena recycles");
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal again = torc_seal_put(next, LARGE);
    cr_assert_not(torc_seal_holds(&seal));
    cr_assert(torc_seal_holds(&again));
    torc_seal_release(&seal);
    torc_seal_release(&again);
}

/* More than are watched at once: what is dropped never holds, what holds tells of its own block. */
Test(seal, of_one_block_among_many)
{
    enum { COUNT = 800 };
    static char *arrays[COUNT];
    static torc_seal seals[COUNT];
    int nheld = 0;
    for (int i = 0; i < COUNT; i++) {
        arrays[i] = new_large();
        seals[i] = torc_seal_put(arrays[i], (1 << 20) + 8);
    }
    for (int i = 0; i < COUNT; i++) {
        nheld += torc_seal_holds(&seals[i]);
        arrays[i][i] = 2;
        cr_assert_not(torc_seal_holds(&seals[i]), "%d", i);
    }
    cr_assert_gt(nheld, COUNT / 4);
    cr_assert_lt(nheld, COUNT);
    for (int i = 0; i < COUNT; i++) {
        torc_seal_release(&seals[i]);
        torc_free(arrays[i]);
    }
}

/* Does a seal hold that is put now? All of the block is written afterwards. */
static bool try_once(int nuses)
{
    torc_seal seal = torc_seal_put(large, LARGE);
    bool holds = torc_seal_holds(&seal);
    for (int i = 0; i < nuses; i++) {
        torc_seal_count_use(&seal);
    }
    memset(large, 3, LARGE);
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal_release(&seal);
    return holds;
}

static int refusals(int nuses)
{
    int count = 0;
    while (!try_once(nuses)) {
        count++;
    }
    return count;
}

Test(seal, is_refused_for_a_while_where_blocks_are_rewritten_soon)
{
    cr_assert(try_once(0));
    cr_assert(try_once(3));
    cr_assert_eq(refusals(0), 16);
    cr_assert_eq(refusals(0), 32);
    for (int expected = 64; expected <= 256; expected *= 2) {
        cr_assert_eq(refusals(0), expected);
    }
    cr_assert_eq(refusals(4), 256);
    for (int i = 0; i < 10; i++) {
        cr_assert(try_once(4));
    }
}

/* What a recycled block costs is not forgotten with its content. */
Test(seal, is_refused_where_results_are_rewritten_and_freed)
{
    for (int i = 0; i < 4; i++) {
        torc_seal seal = torc_seal_put(large, LARGE);
        cr_assert_eq(torc_seal_holds(&seal), i < 2, "%d", i);
        memset(large, i, LARGE);
        torc_free(large);
        torc_seal_release(&seal);
        cr_assert_eq(torc_malloc(LARGE), large);
    }
}

Test(seal, goes_on_where_few_pages_are_written_between_uses)
{
    for (int i = 0; i < 10; i++) {
        torc_seal seal = torc_seal_put(large, LARGE);
        cr_assert(torc_seal_holds(&seal), "%d", i);
        torc_seal_count_use(&seal);
        large[i] = 9;
        cr_assert_not(torc_seal_holds(&seal));
        torc_seal_release(&seal);
    }
}

Test(seal, of_the_parent_is_broken_in_a_child)
{
    char small[10] = "content";
    torc_seal seal = torc_seal_put(large, LARGE), copy = torc_seal_put(small, sizeof small);
    pid_t child = fork();
    if (child == 0) {
        if (torc_seal_holds(&seal) || !torc_seal_is_broken(&seal) || !torc_seal_holds(&copy)) {
            _exit(1);
        }
        torc_seal own = torc_seal_put(large, LARGE);
        bool holds = torc_seal_holds(&own);
        large[0] = 7;
        _exit(!holds || torc_seal_holds(&own) ? 2 : 0);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0, "claim %d", WEXITSTATUS(status));
    cr_assert(torc_seal_holds(&seal));
    large[0] = 7;
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal_release(&seal);
    torc_seal_release(&copy);
}

static atomic_bool is_over;

static void *ask_all_the_time(void *seal)
{
    while (!atomic_load(&is_over)) {
        torc_seal_holds(seal);
    }
    return NULL;
}

/* Children are forked while another thread is most probably inside. */
Test(seal, is_free_in_a_child_whoever_asks_in_its_parent, .timeout = TORC_HANGING)
{
    enum { CHILDREN = 10 };
    torc_seal seal = torc_seal_put(large, LARGE);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, ask_all_the_time, &seal), 0);
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            alarm(TORC_HANGING);
            _exit(torc_seal_holds(&seal));
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0, "%d: %x", i, (unsigned)status);
    }
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    torc_seal_release(&seal);
}

enum { BEFORE, AFTER, ANY_TIME, MOMENTS };
static pthread_barrier_t barrier;
static unsigned delay;
static atomic_bool is_sealed, is_written;

static void wait_for(atomic_bool *event)
{
    while (!atomic_load(event)) {
        sched_yield();
    }
}

static void *write_at_some_time(void *array)
{
    for (unsigned i = 0; i < 1000; i++) {
        pthread_barrier_wait(&barrier);
        if (i % MOMENTS == AFTER) {
            wait_for(&is_sealed);
        }
        for (volatile unsigned wait = i % MOMENTS == ANY_TIME ? delay : 0; wait > 0; wait--) {
        }
        ((volatile char *)array)[i * 31337 % LARGE]++;
        atomic_store(&is_written, true);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

/* Whatever the moment of a write, a seal that holds means a copy that is right. */
Test(seal, that_holds_after_a_race_means_a_right_copy)
{
    char *copy = malloc(LARGE);
    pthread_t writer;
    int nheld = 0, nbroken = 0;
    pthread_barrier_init(&barrier, NULL, 2);
    cr_assert_eq(pthread_create(&writer, NULL, write_at_some_time, large), 0);
    for (unsigned i = 0; i < 1000; i++) {
        delay = i * 7919 % 100000;
        atomic_store(&is_sealed, false);
        atomic_store(&is_written, false);
        pthread_barrier_wait(&barrier);
        if (i % MOMENTS == BEFORE) {
            wait_for(&is_written);
        }
        torc_seal seal = torc_seal_put(large, LARGE);
        atomic_store(&is_sealed, true);
        torc_seal_count_use(&seal);
        memcpy(copy, large, LARGE);
        pthread_barrier_wait(&barrier);
        bool holds = torc_seal_holds(&seal);
        cr_assert(!holds || memcmp(copy, large, LARGE) == 0, "%u", i);
        cr_assert(!holds || i % MOMENTS != AFTER, "%u", i);
        nheld += holds;
        nbroken += !holds;
        torc_seal_release(&seal);
    }
    pthread_join(writer, NULL);
    cr_assert(nheld > 0 && nbroken > 0, "%d held, %d broken", nheld, nbroken);
    free(copy);
}

/* ---- Foreign arrays ------------------------------------------------------------------------------------ */

enum { PAGE = 4096, ASKEW = 1000 };

static char *room; /* two pages more than the array */

/* It begins and ends within a page. */
static void start_foreign(void)
{
    start();
    torc_seal_allow_foreign(true);
    cr_assert_eq(posix_memalign((void **)&room, PAGE, LARGE + 2 * PAGE), 0);
    memset(room, 1, LARGE + 2 * PAGE);
}

TestSuite(foreign_seal, .init = start_foreign);

Test(foreign_seal, never_holds_where_nobody_sees_how_arrays_leave)
{
    torc_seal before = torc_seal_put(room, LARGE);
    cr_assert(torc_seal_holds(&before));
    torc_seal_allow_foreign(false);
    cr_assert_not(torc_seal_is_possible(room, LARGE));
    cr_assert(torc_seal_is_broken(&before));
    torc_seal after = torc_seal_put(room, LARGE);
    cr_assert_not(torc_seal_holds(&after));
    cr_assert(torc_seal_is_broken(&after));
    torc_seal_release(&before);
    torc_seal_release(&after);
}

Test(foreign_seal, holds_until_any_byte_of_it_is_written)
{
    char *array = room + ASKEW;
    const size_t places[] = {0, PAGE - ASKEW - 1, PAGE - ASKEW, LARGE / 2, LARGE - ASKEW, LARGE - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        torc_seal seal = torc_seal_put(array, LARGE);
        cr_assert(torc_seal_holds(&seal));
        torc_seal_count_use(&seal); /* or else it is left alone after a few writes */
        array[places[i]]++;
        cr_assert_not(torc_seal_holds(&seal), "byte %zu", places[i]);
        torc_seal_release(&seal);
    }
}

Test(foreign_seal, leaves_its_neighbours_alone)
{
    char *array = room + ASKEW;
    torc_seal seal = torc_seal_put(array, LARGE);
    array[-1]++;
    array[LARGE]++;
    cr_assert(torc_seal_holds(&seal));
    torc_seal_release(&seal);
}

/* Their pages are tracked each for itself: arming those of one hides no write from the other. */
Test(foreign_seal, of_two_arrays_with_a_page_between_them)
{
    enum { HALF = (3 << 19) + 100 };
    char *first = room + ASKEW, *second = first + HALF;
    torc_seal x = torc_seal_put(first, HALF);
    first[HALF - 1]++;
    torc_seal y = torc_seal_put(second, HALF);
    cr_assert_not(torc_seal_holds(&x));
    cr_assert(torc_seal_holds(&y));
    torc_seal_release(&x);
    cr_assert(torc_seal_holds(&y));
    torc_seal_release(&y);
}

Test(foreign_seal, breaks_when_the_array_is_freed)
{
    torc_seal seal = torc_seal_put(room, LARGE);
    torc_seal_freed(room + PAGE);
    torc_seal_freed(NULL);
    cr_assert(torc_seal_holds(&seal));
    torc_seal_freed(room);
    cr_assert(torc_seal_is_broken(&seal));
    cr_assert_eq(torc_seal_foreign, 0);
    torc_seal_release(&seal);
}

/* A thread that libc, or a sanitizer, has not set up yet frees and reallocates too. */
Test(foreign_seal, lets_others_free_without_a_lock)
{
    torc_seal seal = torc_seal_put(room, LARGE);
    cr_assert_eq(torc_seal_foreign, 1);
    int before = locks;
    torc_seal_freed(NULL);
    torc_seal_freed(large);
    torc_seal_freed(&seal);
    cr_assert_eq(locks, before);
    torc_seal_release(&seal);
    cr_assert_gt(locks, before);
}

Test(foreign_seal, and_others_break_when_the_array_is_handed_out)
{
    torc_seal foreign = torc_seal_put(room, LARGE), inside = torc_seal_put(large + PAGE, LARGE - PAGE);
    torc_seal_forget(room);
    cr_assert(torc_seal_is_broken(&foreign));
    cr_assert(torc_seal_holds(&inside));
    torc_seal_forget(large + PAGE);
    cr_assert(torc_seal_is_broken(&inside));
    cr_assert_not(torc_seal_is_any());
    torc_seal_release(&foreign);
    torc_seal_release(&inside);
    foreign = torc_seal_put(room, LARGE);
    inside = torc_seal_put(large, LARGE);
    cr_assert(torc_seal_holds(&foreign) && torc_seal_holds(&inside));
    torc_seal_forget_all();
    cr_assert(torc_seal_is_broken(&foreign) && torc_seal_is_broken(&inside));
    torc_seal_release(&foreign);
    torc_seal_release(&inside);
}

Test(foreign_seal, of_shared_memory_never_holds)
{
    char *shared = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(shared, (char *)MAP_FAILED);
    memset(shared, 1, LARGE);
    torc_seal seal = torc_seal_put(shared, LARGE);
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal_release(&seal);
}

/* Memory that goes without free, and other memory in its place. */
Test(foreign_seal, does_not_hold_of_what_is_mapped_there_next)
{
    char *mapped = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(mapped, (char *)MAP_FAILED);
    memset(mapped, 1, LARGE);
    torc_seal seal = torc_seal_put(mapped, LARGE);
    cr_assert(torc_seal_holds(&seal));
    cr_assert_eq(
        mmap(mapped, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), mapped);
    memset(mapped, 1, LARGE);
    cr_assert_not(torc_seal_holds(&seal));
    torc_seal_release(&seal);
}

Test(foreign_seal, of_the_parent_is_nothing_to_a_child)
{
    torc_seal seal = torc_seal_put(room, LARGE);
    pid_t child = fork();
    if (child == 0) {
        bool is_broken = torc_seal_is_broken(&seal) && torc_seal_foreign == 0;
        torc_seal_freed(room);
        torc_seal own = torc_seal_put(room, LARGE);
        bool holds = torc_seal_holds(&own);
        room[5]++;
        _exit(is_broken && holds && !torc_seal_holds(&own) ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
    cr_assert(torc_seal_holds(&seal));
    torc_seal_release(&seal);
}
