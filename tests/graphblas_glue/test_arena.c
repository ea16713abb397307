/* The arena: its classes of sizes, its blocks and their recycling, its addresses, and who watches. */
#include "arena_blocks.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t block_size(const void *memory)
{
    size_t size;
    cr_assert(torc_arena_block(memory, NULL, &size));
    return size;
}

static void check_class(size_t size, int *last_class, size_t *last_size)
{
    int class = torc_range_class(size);
    size_t rounded = torc_range_class_size(size);
    cr_assert(rounded >= size && rounded % TORC_ARENA_PAGE == 0, "%zu", size);
    cr_assert(rounded - size < TORC_ARENA_PAGE || (rounded - size) * 8 < size, "%zu gets %zu", size, rounded);
    cr_assert(class >= 0 && class < TORC_ARENA_CLASSES, "%zu", size);
    cr_assert_eq(torc_range_class(rounded), class, "%zu", size);
    cr_assert_eq(torc_range_class_size(rounded), rounded, "%zu", size);
    cr_assert((class == *last_class) == (rounded == *last_size), "%zu", size);
    cr_assert(
        class == *last_class || class == *last_class + 1, "%zu: class %d after %d", size, class, *last_class);
    *last_class = class;
    *last_size = rounded;
}

Test(arena, classes_fit_with_little_slack)
{
    int class = -1;
    size_t last = 0;
    for (size_t size = MIB; size <= (size_t)4 << 40; size += size < 64 * MIB ? 65536 : size / 64) {
        check_class(size, &class, &last);
    }
    cr_expect(class > 120);
}

/* ---- Blocks ----------------------------------------------------------------------------------------------
 */

Test(arena, what_a_thread_frees_may_be_kept_as_it_is)
{
    char *large = torc_malloc(MIB), *small = torc_malloc(16), *next;
    memset(large, 7, MIB);
    memset(small, 7, 16);
    torc_malloc_keep(true);
    torc_free(large);
    torc_free(small);
    torc_free(NULL);
    torc_malloc_keep(false);
    next = torc_malloc(MIB);
    cr_expect_neq(next, large);
    memset(next, 8, MIB);
    cr_expect(large[0] == 7 && large[MIB - 1] == 7 && small[15] == 7);
    torc_malloc_let_go();
    char *again = torc_malloc(MIB);
    cr_expect_eq(again, large);
    torc_free(next);
    torc_free(again);
}

Test(arena, blocks_have_whole_pages_of_their_own)
{
    enum { COUNT = 40 };
    char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = MIB + i * 700001, found;
        blocks[i] = torc_malloc(size);
        cr_assert_not_null(blocks[i]);
        cr_assert((uintptr_t)blocks[i] % TORC_ARENA_PAGE == 0);
        void *base;
        cr_assert(torc_arena_block(blocks[i] + size - 1, &base, &found));
        cr_assert(base == blocks[i] && found >= size && found % TORC_ARENA_PAGE == 0);
        memset(blocks[i], (int)i, found);
        for (size_t k = 0; k < i; k++) {
            cr_assert(blocks[k] + block_size(blocks[k]) <= blocks[i] || blocks[i] + found <= blocks[k]);
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        cr_expect(
            blocks[i][0] == (char)i && memcmp(blocks[i], blocks[i] + 1, block_size(blocks[i]) - 1) == 0);
        torc_free(blocks[i]);
    }
    cr_expect_eq(torc_arena_count().in_use, 0);
}

Test(arena, small_blocks_are_libcs)
{
    int local;
    char *small = torc_malloc(MIB - 1), *zeros = torc_calloc(1000, 1000), *none = torc_malloc(0);
    cr_assert(small && zeros && none);
    cr_expect(!torc_arena_block(small, NULL, NULL) && !torc_arena_block(zeros, NULL, NULL));
    cr_expect(!torc_arena_block(&local, NULL, NULL) && !torc_arena_block(NULL, NULL, NULL));
    cr_expect(is_zero(zeros, 1000000));
    free(small);
    torc_free(zeros);
    torc_free(none);
    torc_free(NULL);
    cr_expect_eq(torc_arena_count().peak_in_use, 0);
}

Test(arena, recycles_the_block_freed_last)
{
    char *first = torc_malloc(5 * MIB), *second = torc_malloc(5 * MIB);
    cr_assert(is_zero(first, block_size(first)));
    torc_free(first);
    torc_free(second);
    torc_arena_counts counts = torc_arena_count();
    cr_expect(counts.in_use == 0 && counts.kept == 12 * MIB && counts.peak_in_use == 12 * MIB);
    cr_expect_eq(torc_malloc(6 * MIB), second, "of the same class");
    cr_expect_eq(torc_malloc(4 * MIB + 1), first);
    cr_expect_eq(torc_arena_count().kept, 0);
    char *third = torc_malloc(6 * MIB);
    cr_expect(third && third != first && third != second);
}

Test(arena, calloc_is_zero_fresh_and_recycled)
{
    char *memory = torc_calloc(3, MIB);
    cr_assert(memory && is_zero(memory, 3 * MIB));
    memset(memory, 7, 3 * MIB);
    torc_free(memory);
    char *again = torc_calloc(MIB, 3);
    cr_assert_eq(again, memory);
    cr_expect(is_zero(again, 3 * MIB));
    torc_free(again);
}

Test(arena, absurd_sizes_are_refused)
{
    volatile size_t half = SIZE_MAX / 2;
    errno = 0;
    cr_expect_null(torc_calloc(half, 3));
    cr_expect_eq(errno, ENOMEM);
    errno = 0;
    cr_expect_null(torc_calloc(half + 1 + MIB, 2), "2 MiB, modulo 2^64");
    cr_expect_eq(errno, ENOMEM);
    errno = 0;
    cr_expect_null(torc_malloc(half));
    cr_expect_eq(errno, ENOMEM);
    char *memory = torc_malloc(2 * MIB);
    memset(memory, 5, 2 * MIB);
    errno = 0;
    cr_expect_null(torc_realloc(memory, half));
    cr_expect_eq(errno, ENOMEM);
    cr_expect(memory[0] == 5 && memory[2 * MIB - 1] == 5);
    torc_free(memory);
}

/* Which libc's malloc refuses, unless the kernel was told never to: a program told so can go another way, one
 * that is given such a block and touches it is killed. */
Test(arena, more_than_the_machine_has_is_for_libc_to_refuse)
{
    volatile size_t more = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) + MIB;
    char *fresh = torc_malloc(more), *zeros = torc_calloc(1, more);
    cr_expect(!torc_arena_owns(fresh) && !torc_arena_owns(zeros));
    cr_expect_eq(torc_arena_count().peak_in_use, 0);
    torc_free(fresh);
    torc_free(zeros);
}

Test(arena, realloc_keeps_the_content)
{
    char *memory = torc_realloc(NULL, 3 * MIB);
    cr_assert(torc_arena_block(memory, NULL, NULL));
    memset(memory, 3, 3 * MIB);
    cr_expect_eq(torc_realloc(memory, 4 * MIB), memory, "the class allows it");
    char *grown = torc_realloc(memory, 9 * MIB);
    cr_assert(grown && grown != memory);
    cr_expect(grown[0] == 3 && memcmp(grown, grown + 1, 3 * MIB - 1) == 0);
    cr_expect_eq(torc_realloc(grown, 6 * MIB), grown, "not worth a move");
    char *shrunk = torc_realloc(grown, 4 * MIB); /* less than half */
    cr_assert(shrunk != grown && block_size(shrunk) == 4 * MIB);
    cr_expect(shrunk[0] == 3 && memcmp(shrunk, shrunk + 1, 3 * MIB - 1) == 0);
    char *small = torc_realloc(shrunk, 1000);
    cr_assert(!torc_arena_block(small, NULL, NULL));
    cr_expect(small[0] == 3 && small[999] == 3);
    cr_expect_eq(torc_arena_count().in_use, 0);
    small = torc_realloc(small, 5 * MIB);
    cr_assert(small && small[999] == 3);
    cr_expect_null(torc_realloc(small, 0));
    char *block = torc_malloc(MIB);
    cr_expect_null(torc_realloc(block, 0));
    cr_expect_eq(torc_arena_count().in_use, 0);
}

/* By small steps, so that the copies would add up. */
Test(arena, realloc_grows_generously)
{
    size_t moves = 0;
    char *memory = torc_malloc(MIB);
    for (size_t size = 2 * MIB; size <= 512 * MIB; size += MIB) {
        char *grown = torc_realloc(memory, size);
        cr_assert(grown && block_size(grown) >= size);
        moves += grown != memory;
        memory = grown;
    }
    cr_expect(moves < 32, "%zu moves", moves);
    torc_free(memory);
}

static void change_errno(void *block, size_t size)
{
    (void)block;
    (void)size;
    errno = ERANGE;
}

Test(arena, free_leaves_errno)
{
    void *memory = torc_malloc(GIB);
    torc_arena_watch(change_errno);
    errno = EDOM;
    torc_free(memory);
    cr_expect_eq(errno, EDOM);
}

/* ---- Addresses -------------------------------------------------------------------------------------------
 */

Test(arena, the_range_grows_with_the_machine)
{
    cr_expect_eq(torc_range_wanted(64 * GIB), 4096 * GIB);
    cr_expect_eq(torc_range_wanted(512 * GIB), 8192 * GIB);
    cr_expect_eq(torc_range_wanted(6144 * GIB), 32768 * GIB);
}

Test(arena, leaves_the_mappings_of_others_alone)
{
    char *first = torc_malloc(MIB);
    cr_assert(torc_arena_owns(first));
    size_t length = 64 * MIB;
    char *theirs =
        mmap(first + 2 * MIB, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    cr_assert_eq(theirs, first + 2 * MIB);
    memset(theirs, 9, length);
    cr_expect(!torc_arena_owns(theirs));
    char *second = torc_malloc(MIB);
    cr_assert(torc_arena_owns(second) && (second < theirs || second >= theirs + length));
    memset(second, 1, MIB);
    cr_expect(theirs[0] == 9 && memcmp(theirs, theirs + 1, length - 1) == 0);
    munmap(theirs, length);
}

Test(arena, says_where_its_addresses_are_used_up)
{
    char *first = torc_malloc(MIB);
    size_t rest = torc_arena_range.size - 4 * MIB;
    cr_assert(torc_arena_owns(first) && !torc_arena_count().is_used_up);
    cr_assert_neq(mmap(first + 2 * MIB, rest, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0),
        MAP_FAILED);
    char *second = torc_malloc(5 * MIB);
    cr_expect(second && !torc_arena_owns(second));
    cr_expect(torc_arena_count().is_used_up);
    torc_free(second);
    torc_free(first);
    cr_expect_eq(torc_malloc(MIB), first, "what is there is still used");
}

/* Each of these is more than one mapping of the process. */
Test(arena, leaves_half_of_the_mappings_to_the_program)
{
    enum { MOST = 30000 };
    static void *memory[MOST];
    long allowed = 0;
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    cr_assert(file && fscanf(file, "%ld", &allowed) == 1 && fclose(file) == 0);
    if (allowed / 2 / 3 >= MOST) {
        cr_skip_test("%ld mappings are too many to fill", allowed);
    }
    int count = 0, owned = 0;
    while (count < MOST && owned == count) {
        memory[count] = torc_malloc(MIB);
        owned += torc_arena_owns(memory[count++]);
    }
    cr_assert_eq(owned, allowed / 2 / 3);
    cr_assert(memory[owned] != NULL);
    torc_free(memory[--owned]);
    memory[owned] = torc_malloc(3 * MIB);
    cr_expect(torc_arena_owns(memory[owned]), "another class takes the place of what lies idle");
    while (count-- > 0) {
        torc_free(memory[count]);
    }
    cr_expect(torc_arena_owns(torc_malloc(MIB)));
}

/* ---- The watcher -----------------------------------------------------------------------------------------
 */

static struct {
    void *block;
    size_t size;
    unsigned calls;
} watched;

/* It asks the arena, which it could not with a lock held; frees of its own are of a class that it ignores. */
static void note_freed(void *block, size_t size)
{
    if (size > 2 * MIB) {
        torc_free(torc_malloc(MIB));
        cr_assert_eq(*(char *)block, 42, "the content is still there");
        watched.block = block;
        watched.size = size;
        watched.calls++;
    }
}

Test(arena, the_watcher_sees_each_block_before_it_goes)
{
    char *block = torc_malloc(GIB), *other = torc_malloc(7 * MIB);
    block[0] = other[0] = 42;
    torc_arena_watch(note_freed);
    torc_free(block);
    cr_expect(watched.calls == 1 && watched.block == block && watched.size == GIB);
    char *moved = torc_realloc(other, 20 * MIB);
    cr_expect(watched.calls == 2 && watched.block == other && watched.size == 8 * MIB);
    torc_free(moved);
    cr_expect_eq(watched.calls, 3);
}
