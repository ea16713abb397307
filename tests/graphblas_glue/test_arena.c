/* The arena: its classes of sizes, recycling, what it gives back, pinning, and malloc's family on it. Each
 * test has a process of its own, so that it finds the arena fresh.
 *
 * Linked with --wrap=torc_memory_pin, so that something happens meanwhile. */
#include "arena.h"
#include "beside.h"
#include "rates.h"
#include "reference.h"
#include "require.h"
#include "session.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t MIB = (size_t)1 << 20, GIB = (size_t)1 << 30;

static size_t block_size(const void *memory)
{
    size_t size;
    cr_assert(torc_arena_block(memory, NULL, &size));
    return size;
}

static bool is_zero(const char *memory, size_t size)
{
    return size == 0 || (memory[0] == 0 && memcmp(memory, memory + 1, size - 1) == 0);
}

/* ---- Classes ------------------------------------------------------------------------------------------ */

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

/* ---- Blocks ------------------------------------------------------------------------------------------- */

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

/* ---- Where memory is rationed ------------------------------------------------------------------------- */

static size_t status_bytes(const char *name)
{
    char line[256];
    size_t value = 0;
    FILE *lines = fopen("/proc/self/status", "r");
    cr_assert_not_null(lines);
    while (fgets(line, sizeof line, lines)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            value = strtoul(line + strlen(name), NULL, 10);
        }
    }
    fclose(lines);
    return value << 10;
}

/* Sanitizers have addresses and an allocator of their own, and lock nothing. */
static void skip_under_a_sanitizer(void)
{
    if (dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init")) {
        cr_skip_test("a sanitizer is in the way");
    }
}

static void limit(int resource, size_t bytes)
{
    struct rlimit least = {bytes, bytes};
    cr_assert_eq(setrlimit(resource, &least), 0);
}

static void *take_and_touch(size_t size)
{
    char *memory = torc_malloc(size);
    cr_assert_not_null(memory);
    memset(memory, 1, size);
    return memory;
}

Test(arena, addresses_are_not_counted_before_they_are_used)
{
    skip_under_a_sanitizer();
    size_t before = status_bytes("VmSize:");
    void *block = torc_malloc(3 * MIB);
    cr_assert(torc_arena_owns(block));
    cr_expect_lt(status_bytes("VmSize:") - before, 8 * MIB);
    limit(RLIMIT_AS, status_bytes("VmSize:") + 100 * MIB);
    void *other = malloc(64 * MIB);
    cr_expect_not_null(other, "a limit that is set late leaves what it allows");
    free(other);
    torc_free(block);
}

Test(arena, under_an_address_space_limit_is_plain_malloc)
{
    skip_under_a_sanitizer();
    limit(RLIMIT_AS, 64 * GIB);
    char *memory = torc_calloc(3, MIB);
    cr_assert(memory && is_zero(memory, 3 * MIB));
    cr_expect(!torc_arena_block(memory, NULL, NULL));
    memset(memory, 1, 3 * MIB);
    memory = torc_realloc(memory, 20 * MIB);
    cr_assert(memory && memory[3 * MIB - 1] == 1);
    torc_free(memory);
}

/* Set late: what is used stays, what is freed goes, what is new is libc's. */
Test(arena, under_a_limit_of_data_keeps_nothing)
{
    skip_under_a_sanitizer();
    char *used = take_and_touch(64 * MIB), *kept = take_and_touch(80 * MIB);
    torc_free(kept);
    cr_assert_eq(torc_arena_count().kept, 80 * MIB);
    limit(RLIMIT_DATA, GIB);
    char *other = take_and_touch(96 * MIB);
    cr_expect(!torc_arena_owns(other));
    cr_expect_eq(torc_arena_count().kept, 0);
    torc_free(other);
    torc_free(used);
    cr_expect_eq(torc_arena_count().kept, 0);
    for (size_t size = 16 * MIB; size <= 768 * MIB; size += 16 * MIB) {
        torc_free(take_and_touch(size));
    }
}

Test(arena, what_is_locked_is_libcs)
{
    skip_under_a_sanitizer();
    char *used = take_and_touch(64 * MIB), *kept = take_and_touch(80 * MIB);
    torc_free(kept);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
        cr_skip_test("no memory may be locked");
    }
    char *other = take_and_touch(96 * MIB);
    cr_expect(!torc_arena_owns(other));
    cr_expect_eq(torc_arena_count().kept, 0);
    torc_free(other);
    size_t resident = status_bytes("VmRSS:");
    torc_free(used);
    cr_expect_leq(status_bytes("VmRSS:") + 60 * MIB, resident);
    munlockall();
    other = take_and_touch(96 * MIB);
    cr_expect(torc_arena_owns(other), "and the arena's again");
    torc_free(other);
}

Test(arena, what_goes_back_is_not_mapped)
{
    size_t before = status_bytes("VmData:");
    torc_free(take_and_touch(GIB));
    cr_expect_lt(status_bytes("VmData:"), before + 8 * MIB);
}

/* ---- How much is resident ----------------------------------------------------------------------------- */

Test(arena, just_over_a_page_is_not_two)
{
    enum { COUNT = 200 };
    char *blocks[COUNT];
    static const size_t sizes[] = {(size_t)1100 << 10, (size_t)2100 << 10, (size_t)4200 << 10};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t before = status_bytes("VmRSS:");
        for (size_t i = 0; i < COUNT; i++) {
            blocks[i] = take_and_touch(sizes[k]);
        }
        cr_expect_leq((status_bytes("VmRSS:") - before) * 20, COUNT * sizes[k] * 21, "%zu bytes", sizes[k]);
        for (size_t i = 0; i < COUNT; i++) {
            cr_assert(torc_arena_owns(blocks[i]));
            torc_free(blocks[i]);
        }
        torc_free(torc_malloc(GIB)); /* with which all that is kept goes back */
        cr_assert_eq(torc_arena_count().kept, 0);
    }
}

Test(arena, fresh_pages_are_made_for_the_request_alone)
{
    char *block = torc_malloc(2 * MIB + 4096);
    size_t before = status_bytes("VmRSS:");
    torc_arena_populate(block, 2 * MIB + 4096);
    cr_expect_lt(status_bytes("VmRSS:") - before, 3 * MIB);
    torc_free(block);
}

/* ---- Addresses ---------------------------------------------------------------------------------------- */

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

/* ---- Blocks in the hands of libc ---------------------------------------------------------------------- */

/* What a plugin calls that was loaded with RTLD_DEEPBIND. */
extern void __libc_free(void *memory);
extern void *__libc_realloc(void *memory, size_t size);

Test(arena, libcs_own_free_takes_a_block)
{
    skip_under_a_sanitizer();
    static const size_t sizes[] = {(size_t)1100 << 10, 2097152, 5000000, 100000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *block = take_and_touch(sizes[i]);
        size_t resident = status_bytes("VmRSS:");
        cr_assert(torc_arena_owns(block));
        __libc_free(block);
        cr_expect_leq(status_bytes("VmRSS:") + sizes[i] / 2, resident, "its memory went back");
        char *other = take_and_touch(sizes[i]);
        cr_expect_neq(other, block);
        torc_free(other);
    }
}

Test(arena, libcs_own_realloc_takes_a_block)
{
    skip_under_a_sanitizer();
    static const size_t factors[][2] = {{1, 4}, {2, 4}, {4, 4}, {5, 4}, {16, 4}};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        size_t size = 6 * MIB, new_size = size * factors[i][0] / factors[i][1];
        char *block = take_and_touch(size), *moved = __libc_realloc(block, new_size);
        cr_assert_not_null(moved);
        cr_expect(moved[0] == 1 && moved[(new_size < size ? new_size : size) - 1] == 1);
        memset(moved, 2, new_size);
        moved = torc_realloc(moved, 3 * size);
        cr_assert_not_null(moved);
        cr_expect(moved[0] == 2 && moved[new_size < 3 * size ? new_size - 1 : 3 * size - 1] == 2);
        memset(moved, 3, 3 * size);
        torc_free(moved);
        torc_free(take_and_touch(size));
    }
}

/* ---- Giving back -------------------------------------------------------------------------------------- */

Test(arena, keeps_as_much_as_is_used_within_bounds)
{
    size_t machine = 64 * GIB;
    cr_expect_eq(torc_arena_keeps(0, machine), 256 * MIB);
    cr_expect_eq(torc_arena_keeps(300 * MIB, machine), 300 * MIB);
    cr_expect_eq(torc_arena_keeps(30 * GIB, machine), 8 * GIB);
    cr_expect_eq(torc_arena_keeps(0, GIB), 128 * MIB);
}

static bool is_resident(char *page)
{
    unsigned char resident = 0;
    cr_assert(mincore(page, 1, &resident) == 0 || errno == ENOMEM); /* where nothing is mapped */
    return resident & 1;
}

Test(arena, gives_back_what_was_freed_first)
{
    enum { COUNT = 6 };
    char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) { /* of two classes in turn */
        blocks[i] = torc_malloc(i % 2 ? 56 * MIB : 64 * MIB);
        blocks[i][0] = 1;
    }
    for (size_t i = 0; i < COUNT; i++) {
        torc_free(blocks[i]);
    }
    cr_assert_eq(torc_arena_count().kept, 240 * MIB);
    for (size_t i = 0; i < COUNT; i++) {
        cr_expect_eq(is_resident(blocks[i]), i >= 2, "block %zu", i);
    }
    bool zero_again = true;
    for (size_t i = 0; i < COUNT / 2; i++) {
        char *block = torc_malloc(56 * MIB);
        zero_again = zero_again && block[0] == (block == blocks[1] ? 0 : 1);
    }
    cr_expect(zero_again);
    cr_expect_eq(torc_arena_count().in_use, 168 * MIB);
}

/* The kernel keeps locked memory with its content. */
Test(arena, gives_back_zeros_where_memory_is_locked)
{
    char *block = torc_malloc(260 * MIB), *page = block + 100 * MIB;
    if (mlock(page, 1) != 0) {
        cr_skip_test("no memory may be locked");
    }
    *page = 1;
    torc_free(block);
    cr_assert_eq(torc_arena_count().kept, 0);
    cr_assert_eq(torc_calloc(260, MIB), block);
    cr_expect_eq(*page, 0);
}

Test(arena, gives_back_nothing_while_as_much_is_used)
{
    void *used = torc_malloc(512 * MIB), *freed = torc_malloc(448 * MIB);
    torc_free(freed);
    cr_expect_eq(torc_arena_count().kept, 448 * MIB);
    torc_free(used); /* now it is the older one that goes, and the newer one is still too much */
    cr_expect_eq(torc_arena_count().kept, 0);
}

/* ---- The watcher -------------------------------------------------------------------------------------- */

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

/* ---- Pinning ------------------------------------------------------------------------------------------ */

static torc_context *open_reference(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_context *context;
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
    return context;
}

Test(arena, pins_a_block_that_travels_again)
{
    torc_context *context = open_reference();
    char *block = torc_malloc(3 * MIB), small[10];
    cr_expect(!torc_arena_pin(context, small, sizeof small));
    cr_expect(!torc_arena_pin(context, block, 3 * MIB));
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    cr_expect(torc_arena_pin(context, block + MIB, MIB));
    cr_expect_eq(torc_reference_bytes_pinned(), 4 * MIB, "the whole block");
    cr_expect(torc_arena_pin(context, block, 4 * MIB));
    cr_expect(!torc_arena_pin(context, block + 1, 4 * MIB), "past the end");
    cr_expect_eq(torc_reference_bytes_pinned(), 4 * MIB, "once");
    torc_free(block);
    cr_assert_eq(torc_malloc(4 * MIB), block);
    cr_expect(torc_arena_pin(context, block, 4 * MIB), "recycled");
    cr_expect_eq(torc_arena_count().pinned, 4 * MIB);
    torc_arena_unpin();
    cr_expect(torc_reference_bytes_pinned() == 0 && torc_arena_count().pinned == 0);
    torc_context_destroy(context);
}

Test(arena, recycling_counts_as_the_same_block)
{
    torc_context *context = open_reference();
    for (int turn = 0; turn < 3; turn++) {
        void *block = torc_malloc(3 * MIB);
        cr_expect_eq(torc_arena_pin(context, block, 3 * MIB), turn > 0);
        torc_free(block);
    }
    torc_arena_unpin();
    torc_context_destroy(context);
}

Test(arena, unpins_what_it_gives_back)
{
    torc_context *context = open_reference();
    void *block = torc_malloc(GIB);
    torc_arena_pin(context, block, GIB);
    cr_assert(torc_arena_pin(context, block, GIB));
    torc_free(block);
    cr_expect(torc_reference_bytes_pinned() == 0 && torc_arena_count().pinned == 0);
    cr_assert_eq(torc_malloc(GIB), block);
    cr_expect(!torc_arena_pin(context, block, GIB), "its memory is not what it was");
    cr_expect(torc_arena_pin(context, block, GIB));
    torc_arena_unpin();
    torc_context_destroy(context);
}

Test(arena, pins_within_the_budget)
{
    enum { MOST = 64 };
    torc_context *context = open_reference();
    size_t budget = torc_arena_pin_budget(), size = torc_range_class_size(budget / 8), pinned = 0;
    for (int i = 0; i < MOST && pinned < 9; i++) {
        void *block = torc_malloc(size); /* untouched: it costs no memory */
        cr_assert(torc_arena_block(block, NULL, NULL));
        torc_arena_pin(context, block, size);
        pinned += torc_arena_pin(context, block, size);
    }
    cr_expect_eq(pinned, budget / size);
    cr_expect_eq(torc_reference_bytes_pinned(), pinned * size);
    torc_arena_unpin();
    torc_context_destroy(context);
}

Test(arena, does_not_try_again_what_cannot_be_pinned)
{
    torc_context *context = open_reference();
    void *block = torc_malloc(MIB), *other = torc_malloc(MIB);
    torc_arena_pin(context, block, MIB);
    torc_reference_fail_at(0);
    cr_expect(!torc_arena_pin(context, block, MIB));
    cr_expect_eq(torc_arena_count().pinned, 0);
    for (int turn = 0; turn < 3; turn++) {
        cr_expect(!torc_arena_pin(context, block, MIB));
    }
    torc_arena_pin(context, other, MIB);
    cr_expect(torc_arena_pin(context, other, MIB));
    torc_arena_unpin();
    torc_context_destroy(context);
}

static char *freed_meanwhile, *moved_meanwhile;
static torc_context *mover;
static pthread_t moving;

static void *move_now(void *unused)
{
    cr_expect(torc_arena_pin(mover, moved_meanwhile, MIB));
    return unused;
}

torc_status __real_torc_memory_pin(torc_context *context, void *host, size_t size);
torc_status __wrap_torc_memory_pin(torc_context *context, void *host, size_t size);

/* As another thread may: the block is nobody else's until it is pinned. */
torc_status __wrap_torc_memory_pin(torc_context *context, void *host, size_t size)
{
    if (freed_meanwhile) {
        torc_free(freed_meanwhile);
        torc_free(freed_meanwhile);
        char *other = torc_malloc(size);
        cr_expect_neq(other, freed_meanwhile);
        torc_free(other);
    }
    if (moved_meanwhile) {
        cr_expect_eq(pthread_create(&moving, NULL, move_now, NULL), 0);
    }
    return __real_torc_memory_pin(context, host, size);
}

Test(arena, pins_what_is_expected_to_travel)
{
    torc_context *context = open_reference();
    char *used = torc_malloc(4 * MIB), *other = torc_malloc(4 * MIB), *kept = torc_malloc(8 * MIB), small[10];
    torc_free(kept);
    torc_arena_expect(NULL, 0);
    torc_arena_expect(small, sizeof small);
    torc_arena_expect(used + MIB, MIB);
    torc_arena_expect(used, 4 * MIB);
    torc_arena_expect_new(sizeof small);
    torc_arena_expect_new(16 * MIB);
    torc_arena_expect_new(7 * MIB + 1);
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_arena_pin_expected(context);
    cr_expect_eq(torc_reference_bytes_pinned(), 12 * MIB);
    cr_expect_eq(torc_arena_count().pinned, 12 * MIB);
    cr_expect(torc_arena_pin(context, used, MIB), "the first time that it travels");
    cr_expect(!torc_arena_pin(context, other, MIB));
    cr_expect_eq(torc_malloc(8 * MIB), kept);
    torc_arena_pin_expected(context);
    cr_expect_eq(torc_reference_bytes_pinned(), 12 * MIB, "once");
    torc_arena_unpin();
    torc_context_destroy(context);
}

Test(arena, expects_nothing_of_what_it_gives_back)
{
    torc_context *context = open_reference();
    void *block = torc_malloc(GIB);
    torc_arena_expect(block, GIB);
    torc_free(block);
    torc_arena_pin_expected(context);
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_context_destroy(context);
}

Test(arena, a_block_that_is_freed_while_it_is_pinned_is_kept)
{
    torc_context *context = open_reference();
    freed_meanwhile = torc_malloc(4 * MIB);
    torc_arena_expect(freed_meanwhile, MIB);
    torc_arena_pin_expected(context);
    torc_arena_counts counts = torc_arena_count();
    cr_expect(counts.in_use == 0 && counts.kept == 8 * MIB && counts.pinned == 4 * MIB);
    cr_expect_eq(torc_malloc(4 * MIB), freed_meanwhile);
    torc_arena_unpin();
    torc_context_destroy(context);
}

Test(arena, a_block_that_travels_while_it_is_pinned_is_pinned_once)
{
    mover = open_reference();
    moved_meanwhile = torc_malloc(4 * MIB);
    torc_arena_expect(moved_meanwhile, MIB);
    torc_arena_pin_expected(mover);
    pthread_join(moving, NULL);
    cr_expect_eq(torc_reference_bytes_pinned(), 4 * MIB);
    torc_arena_unpin();
    torc_context_destroy(mover);
}

/* Where there is no room for it, its memory goes back as any other's. */
Test(arena, a_block_that_is_freed_while_it_is_pinned_may_be_given_back)
{
    torc_context *context = open_reference();
    freed_meanwhile = torc_malloc(GIB);
    torc_arena_expect(freed_meanwhile, MIB);
    torc_arena_pin_expected(context);
    torc_arena_counts counts = torc_arena_count();
    cr_expect(counts.in_use == 0 && counts.kept <= 256 * MIB && counts.pinned == 0);
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_context_destroy(context);
}

Test(arena, the_end_of_the_session_unpins)
{
    const char *reason;
    setenv("TORC_BACKEND", "reference", 1);
    torc_context *context = torc_session_acquire(&reason, TORC_FOREVER);
    cr_assert_not_null(context);
    void *block = torc_malloc(MIB);
    torc_arena_pin(context, block, MIB);
    cr_assert(torc_arena_pin(context, block, MIB));
    torc_session_release();
    torc_session_close();
    cr_expect(torc_reference_bytes_pinned() == 0 && torc_arena_count().pinned == 0);
    torc_free(block);
}

static GrB_Matrix make_full(GrB_Index nrows, double value)
{
    GrB_Matrix X;
    void *values = torc_malloc(nrows * sizeof(double));
    for (GrB_Index i = 0; i < nrows; i++) {
        ((double *)values)[i] = value;
    }
    cr_assert_eq(GrB_Matrix_new(&X, GrB_FP64, nrows, 1), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullR(X, &values, nrows * sizeof(double), false, NULL), GrB_SUCCESS);
    return X;
}

static GrB_Matrix make_diagonal(GrB_Index n)
{
    GrB_Matrix S;
    GrB_Vector ones;
    cr_assert_eq(GrB_Vector_new(&ones, GrB_FP64, n), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(ones, NULL, NULL, 1, GrB_ALL, n, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&S, GrB_FP64, n, n), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_diag(S, ones, 0, NULL), GrB_SUCCESS);
    GrB_Vector_free(&ones);
    return S;
}

/* By its rates this machine has a device that takes long to open and then no time. */
static void tell_rates(void)
{
    torc_machine_rates *rates = (torc_machine_rates *)torc_rates_get();
    for (int i = 0; i < TORC_RATE_COUNT; i++) {
        rates->of[i] = i == TORC_RATE_CALL ? 1e-9 : i >= TORC_RATE_CPU_ACCUMULATED ? 1e-3 : 1e15;
    }
    rates->of[TORC_RATE_START] = 1e12;
}

Test(arena, operands_of_calls_before_the_device_is_open_are_pinned_as_it_opens)
{
    enum { N = 200000 };
    setenv("TORC_BACKEND", "reference", 1);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
    tell_rates();
    GrB_Matrix S = make_diagonal(N), X = make_full(N, 2), C = make_full(N, 0);
    cr_assert_eq(torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, X, NULL), GrB_SUCCESS);
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_UNTRIED);
    torc_session_open_beside();
    torc_beside_wait();
    cr_expect_eq(torc_session_device_state(), TORC_DEVICE_OPEN);
    cr_expect_geq(torc_reference_bytes_pinned(), 2 * 2 * MIB, "X and what was C's");
    torc_session_close();
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    GrB_Matrix_free(&S);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&C);
    GrB_finalize();
}

/* C's new content lands in the blocks of its old ones in turn. S and X stay on the device where writes are
 * tracked, and travel once. */
Test(arena, operands_and_results_are_pinned_when_they_travel_again)
{
    enum { N = 200000 };
    setenv("TORC_BACKEND", "reference", 1);
    setenv("TORC_FORCE", "gpu", 1);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
    GrB_Matrix S = make_diagonal(N), X = make_full(N, 2), C = make_full(N, 0);
    for (int turn = 0; turn < 4; turn++) {
        cr_assert_eq(torc_mxm(C, NULL, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, S, X, NULL), GrB_SUCCESS);
        cr_expect_eq(torc_reference_bytes_pinned() > 0, turn > 0, "turn %d", turn);
    }
    cr_expect_geq(torc_reference_bytes_pinned(), 2 * 2 * MIB, "the two blocks of C");
    double sum;
    cr_assert_eq(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL), GrB_SUCCESS);
    cr_expect_eq(sum, 4 * 2 * N);
    torc_session_close();
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    GrB_Matrix_free(&S);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&C);
    GrB_finalize();
    cr_expect_eq(torc_arena_count().in_use, 0);
}

/* ---- Threads and processes ---------------------------------------------------------------------------- */

enum { THREADS = 4, SLOTS = 12, STEPS = 600, STRIDE = 4096 };

typedef struct allocation {
    uint64_t *memory;
    size_t size; /* bytes, a multiple of 8 */
    uint64_t tag;
} allocation;

static pthread_mutex_t exchange_lock = PTHREAD_MUTEX_INITIALIZER;
static allocation exchange; /* what one thread leaves for another to check and free */

static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Mostly large, some around the border to libc, some small. */
static size_t draw_size(uint64_t *state)
{
    static const size_t most[] = {4096, 2 * 1048576, 6 * 1048576, 40 * 1048576};
    return (draw(state) % most[draw(state) % 4] + 8) / 8 * 8;
}

static void stamp(allocation *a)
{
    for (size_t i = 0; i < a->size / 8; i += STRIDE / 8) {
        a->memory[i] = a->tag ^ i;
    }
    a->memory[a->size / 8 - 1] = a->tag;
}

static bool is_stamped(const allocation *a, size_t size)
{
    for (size_t i = 0; i < size / 8; i += STRIDE / 8) {
        if (i != a->size / 8 - 1 && a->memory[i] != (a->tag ^ i)) {
            return false;
        }
    }
    return size < a->size || a->memory[a->size / 8 - 1] == a->tag;
}

static const char *begin(allocation *a, uint64_t *state)
{
    a->size = draw_size(state);
    a->tag = draw(state);
    bool is_calloc = draw(state) % 2;
    a->memory = is_calloc ? torc_calloc(a->size / 8, 8) : torc_malloc(a->size);
    if (!a->memory) {
        return "no memory";
    }
    if (is_calloc) {
        for (size_t i = 0; i < a->size / 8; i += 97) {
            if (a->memory[i] != 0) {
                return "calloc is not zero";
            }
        }
    }
    stamp(a);
    return NULL;
}

static const char *resize(allocation *a, uint64_t *state)
{
    size_t size = draw_size(state);
    uint64_t *memory = torc_realloc(a->memory, size);
    if (!memory) {
        return "realloc has no memory";
    }
    a->memory = memory;
    if (!is_stamped(a, size < a->size ? size : a->size)) {
        return "realloc lost content";
    }
    a->size = size;
    stamp(a);
    return NULL;
}

static const char *end(allocation *a)
{
    bool is_whole = is_stamped(a, a->size);
    torc_free(a->memory);
    a->memory = NULL;
    return is_whole ? NULL : "content changed";
}

static const char *step(allocation *a, uint64_t *state)
{
    unsigned action = (unsigned)(draw(state) % 8);
    if (!a->memory) {
        return begin(a, state);
    }
    if (action < 3) {
        return resize(a, state);
    }
    if (action < 5) { /* free what another thread allocated, leave this one for others */
        pthread_mutex_lock(&exchange_lock);
        allocation other = exchange;
        exchange = *a;
        *a = other;
        pthread_mutex_unlock(&exchange_lock);
        return a->memory ? end(a) : NULL;
    }
    return end(a);
}

static void *torture(void *seed)
{
    uint64_t state = *(uint64_t *)seed;
    allocation slots[SLOTS] = {{0}};
    const char *fault = NULL;
    for (int i = 0; i < STEPS && !fault; i++) {
        fault = step(&slots[draw(&state) % SLOTS], &state);
    }
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].memory) {
            const char *last = end(&slots[i]);
            fault = fault ? fault : last;
        }
    }
    return (void *)fault;
}

static void run_threads(uint64_t seed)
{
    pthread_t threads[THREADS];
    uint64_t seeds[THREADS];
    for (uint64_t i = 0; i < THREADS; i++) {
        seeds[i] = seed + i;
        cr_assert_eq(pthread_create(&threads[i], NULL, torture, &seeds[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *fault;
        pthread_join(threads[i], &fault);
        cr_assert_null(fault, "seed %lu: %s", seeds[i], (char *)fault);
    }
}

Test(arena, survives_threads_that_exchange_blocks)
{
    for (uint64_t seed = 100; seed < 300; seed += 100) {
        run_threads(seed);
    }
    if (exchange.memory) {
        cr_expect_null(end(&exchange));
    }
    torc_arena_counts counts = torc_arena_count();
    cr_expect(counts.in_use == 0 && counts.kept <= 256 * MIB && counts.peak_in_use > 0);
}

static atomic_bool is_over;

static void *pin_again_and_again(void *context)
{
    while (!is_over) {
        for (size_t size = MIB; size <= 64 * MIB; size *= 2) {
            torc_arena_expect_new(size);
        }
        torc_arena_pin_expected(context);
    }
    return NULL;
}

Test(arena, pins_beside_threads_that_exchange_blocks)
{
    torc_context *context = open_reference();
    pthread_t pinner;
    cr_assert_eq(pthread_create(&pinner, NULL, pin_again_and_again, context), 0);
    run_threads(500);
    is_over = true;
    pthread_join(pinner, NULL);
    cr_expect_eq(torc_reference_bytes_pinned(), torc_arena_count().pinned);
    torc_arena_unpin();
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_context_destroy(context);
}

/* What the child does; its status tells. The parent's block is in it too. */
static int live_as_child(char *block)
{
    bool is_right = torc_arena_count().pinned == 0 && block[0] == 1 && block[3 * MIB - 1] == 1;
    memset(block, 2, 3 * MIB);
    torc_free(block);
    is_right = is_right && torc_malloc(3 * MIB) == block;
    block = torc_realloc(block, 30 * MIB);
    is_right = is_right && block && block[0] == 2;
    torc_free(block);
    return is_right ? 0 : 1;
}

static void *take_and_give(void *data)
{
    while (!is_over) {
        torc_free(torc_malloc(10 * MIB));
    }
    return data;
}

Test(arena, lives_on_in_a_child)
{
    torc_context *context = open_reference();
    char *block = torc_malloc(3 * MIB);
    memset(block, 1, 3 * MIB);
    torc_arena_pin(context, block, MIB);
    cr_assert(torc_arena_pin(context, block, MIB));
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, take_and_give, NULL), 0);
    for (int turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(TORC_HANGING); /* where it would wait for the lock of a thread that it has not */
            _exit(live_as_child(block));
        }
        int status;
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_assert_eq(status, 0, "turn %d", turn);
    }
    is_over = true;
    pthread_join(thread, NULL);
    cr_expect(block[0] == 1 && torc_arena_count().pinned == 4 * MIB);
    torc_arena_unpin();
    torc_context_destroy(context);
}
