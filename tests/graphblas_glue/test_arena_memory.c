/* The arena where memory is rationed; how much of it is resident, and what it gives back. */
#include "arena_blocks.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void limit(int resource, size_t bytes)
{
    struct rlimit least = {bytes, bytes};
    cr_assert_eq(setrlimit(resource, &least), 0);
}

Test(arena_memory, addresses_are_not_counted_before_they_are_used)
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

Test(arena_memory, under_an_address_space_limit_is_plain_malloc)
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
Test(arena_memory, under_a_limit_of_data_keeps_nothing)
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
    for (size_t size = 16 * MIB; size <= 768 * MIB; size += size / 2) {
        torc_free(take_and_touch(size));
    }
}

Test(arena_memory, what_is_locked_is_libcs)
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

Test(arena_memory, what_goes_back_is_not_mapped)
{
    size_t before = status_bytes("VmData:");
    torc_free(take_and_touch(GIB));
    cr_expect_lt(status_bytes("VmData:"), before + 8 * MIB);
}

/* ---- How much is resident --------------------------------------------------------------------------------
 */

Test(arena_memory, just_over_a_page_is_not_two)
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

Test(arena_memory, fresh_pages_are_made_for_the_request_alone)
{
    char *block = torc_malloc(2 * MIB + 4096);
    size_t before = status_bytes("VmRSS:");
    torc_arena_populate(block, 2 * MIB + 4096);
    cr_expect_lt(status_bytes("VmRSS:") - before, 3 * MIB);
    torc_free(block);
}

/* ---- Blocks in the hands of libc -------------------------------------------------------------------------
 */

/* What a plugin calls that was loaded with RTLD_DEEPBIND. */
extern void __libc_free(void *memory);
extern void *__libc_realloc(void *memory, size_t size);

Test(arena_memory, libcs_own_free_takes_a_block)
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

Test(arena_memory, libcs_own_realloc_takes_a_block)
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

/* ---- Giving back -----------------------------------------------------------------------------------------
 */

Test(arena_memory, keeps_as_much_as_is_used_within_bounds)
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

Test(arena_memory, gives_back_what_was_freed_first)
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
Test(arena_memory, gives_back_zeros_where_memory_is_locked)
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

Test(arena_memory, gives_back_nothing_while_as_much_is_used)
{
    void *used = torc_malloc(512 * MIB), *freed = torc_malloc(448 * MIB);
    torc_free(freed);
    cr_expect_eq(torc_arena_count().kept, 448 * MIB);
    torc_free(used); /* now it is the older one that goes, and the newer one is still too much */
    cr_expect_eq(torc_arena_count().kept, 0);
}
