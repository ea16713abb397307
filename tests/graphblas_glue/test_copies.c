/* The cache by itself, on a device of 1000 KiB: what is found, what is kept, and what goes first. */
#include "placed_array.h"
#include "reference.h"
#include "residency.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { KIB = 1024, UNIT = 100 * KIB, COUNT = 8 };

static torc_context *context;
static char arrays[COUNT][UNIT];

static void start(void)
{
    torc_options options = {.backend = TORC_BACKEND_REFERENCE, .memory_limit = 1000 * KIB};
    cr_assert_eq(torc_context_create(&context, &options), TORC_SUCCESS);
}

static void finish(void)
{
    torc_residency_evict();
    torc_context_destroy(context);
    cr_assert_eq(torc_reference_bytes_held(), 0);
}

TestSuite(copies, .init = start, .fini = finish);

static torc_origin origin_of(const void *memory, size_t size)
{
    torc_origin origin = {0};
    origin.arrays[TORC_ORIGIN_VALUES].memory = memory;
    origin.arrays[TORC_ORIGIN_VALUES].size = size;
    return origin;
}

static torc_copy *lend(const void *memory, size_t size)
{
    torc_origin origin = origin_of(memory, size);
    return torc_residency_lend(context, &origin);
}

static bool has(const void *memory)
{
    torc_origin origin = origin_of(memory, UNIT);
    return torc_residency_has(&origin);
}

/* As a call does: true if it was there. */
static bool use(const void *memory)
{
    torc_copy *copy = lend(memory, UNIT);
    cr_assert_not_null(copy);
    bool was_there = copy->is_filled;
    if (!was_there) {
        cr_assert_eq(torc_memory_upload(context, copy->data, memory, UNIT), TORC_SUCCESS);
        copy->is_filled = true;
    }
    cr_assert_eq(memcmp(copy->data, memory, UNIT), 0);
    torc_residency_give_back(copy);
    return was_there;
}

Test(copies, are_found_until_their_array_changes)
{
    cr_assert_not(use(arrays[0]));
    cr_assert(use(arrays[0]));
    arrays[0][UNIT - 1] = 1;
    cr_assert_not(has(arrays[0]));
    cr_assert_not(use(arrays[0]));
    cr_assert(use(arrays[0]));
    torc_residency_counts counts = torc_residency_count();
    cr_assert_eq(counts.hits, 2);
    cr_assert_eq(counts.misses, 2);
    cr_assert_eq(counts.bytes_saved, 2 * UNIT);
    cr_assert_eq(counts.bytes_held, UNIT);
    cr_assert_eq(counts.evictions, 0);
}

Test(copies, take_three_quarters_of_the_device_and_the_oldest_goes_first)
{
    for (int i = 0; i < 7; i++) {
        cr_assert_not(use(arrays[i]));
    }
    cr_assert_eq(torc_residency_count().evictions, 0);
    cr_assert(use(arrays[0]));
    cr_assert_not(use(arrays[7]));
    cr_assert_eq(torc_residency_count().evictions, 1);
    cr_assert_not(has(arrays[1]));
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(has(arrays[i]), i != 1, "%d", i);
    }
}

/* What others hold is not the cache's to have. */
Test(copies, make_way_where_others_need_the_device)
{
    void *memory;
    for (int i = 0; i < 4; i++) {
        use(arrays[i]);
    }
    cr_assert_eq(torc_memory_allocate(&memory, context, 550 * KIB), TORC_SUCCESS);
    use(arrays[4]); /* 3/4 of 50 + 400 KiB: three */
    cr_assert_eq(torc_residency_count().bytes_held, 3 * UNIT);
    cr_assert(has(arrays[3]) && has(arrays[4]));
    torc_memory_release(context, memory);
}

/* As where a program frees an operand and makes another one, again and again. */
Test(copies, of_what_was_in_the_same_place_before_make_way)
{
    for (size_t i = 0; i < 20; i++) {
        torc_residency_expect(arrays[0]);
        torc_copy *copy = lend(arrays[0], UNIT - i);
        cr_assert_not_null(copy, "%zu", i);
        copy->is_filled = true;
        torc_residency_give_back(copy);
        torc_residency_expect_none();
    }
    cr_assert_leq(torc_residency_count().bytes_held, 750 * KIB);
}

Test(copies, that_are_expected_stay)
{
    for (int i = 0; i < 7; i++) {
        use(arrays[i]);
    }
    torc_residency_expect(arrays[0]);
    use(arrays[7]);
    torc_residency_expect_none();
    cr_assert(has(arrays[0]));
    cr_assert_not(has(arrays[1]));
}

Test(copies, that_do_not_fit_are_not_made)
{
    static char large[800 * KIB];
    use(arrays[0]);
    cr_assert_null(lend(large, sizeof large));
    cr_assert_null(torc_residency_lend_result(context, NULL, sizeof large, false, TORC_RESULT_IS_COPIED));
    cr_assert(has(arrays[0]), "nothing goes in vain");
}

Test(copies, that_are_lent_stay)
{
    torc_copy *lent[7];
    for (int i = 0; i < 7; i++) {
        lent[i] = lend(arrays[i], UNIT);
        cr_assert_not_null(lent[i]);
    }
    cr_assert_null(lend(arrays[7], UNIT));
    cr_assert_not(torc_residency_evict());
    for (int i = 0; i < 7; i++) {
        lent[i]->is_filled = true;
        torc_residency_give_back(lent[i]);
    }
    cr_assert_not(use(arrays[7]));
    cr_assert(torc_residency_evict());
    cr_assert_not(torc_residency_evict());
    cr_assert_eq(torc_reference_bytes_held(), 0);
}

/* One that is lent is another's operand, even where a fresh one has made it superfluous. */
Test(copies, that_are_lent_outlive_their_array)
{
    torc_copy *old = lend(arrays[0], UNIT);
    cr_assert_not_null(old);
    old->is_filled = true;
    arrays[0][0]++;
    torc_copy *fresh = lend(arrays[0], UNIT);
    cr_assert(fresh && fresh != old);
    cr_assert_eq(torc_residency_count().bytes_held, 2 * UNIT);
    torc_residency_give_back(fresh);
    torc_residency_give_back(old);
}

Test(copies, that_could_not_be_filled_are_not_kept)
{
    torc_copy *copy = lend(arrays[0], UNIT);
    torc_reference_fail_at(0);
    cr_assert_neq(torc_placed_fill(copy, context, arrays[0], UNIT), TORC_SUCCESS);
    torc_reference_fail_at(-1);
    torc_residency_give_back(copy);
    cr_assert_not(has(arrays[0]));
}

Test(copies, that_were_not_filled_are_not_kept)
{
    torc_residency_give_back(lend(arrays[0], UNIT));
    cr_assert_not(has(arrays[0]));
    torc_residency_give_back(torc_residency_lend_result(context, NULL, UNIT, false, TORC_RESULT_IS_COPIED));
    cr_assert_eq(torc_reference_bytes_held(), 0);
}

/* Device memory that an allocation did not get is made by giving up others. */
Test(copies, survive_an_allocation_that_fails)
{
    use(arrays[0]);
    use(arrays[1]);
    torc_reference_fail_at(0);
    torc_copy *copy = lend(arrays[2], UNIT);
    torc_reference_fail_at(-1);
    cr_assert_not_null(copy);
    cr_assert(has(arrays[1]) && !has(arrays[0]));
    torc_residency_give_back(copy);
}

Test(copies, of_results_are_found_under_their_name)
{
    torc_origin first = origin_of(arrays[0], UNIT), second = origin_of(arrays[1], UNIT);
    torc_copy *copy = torc_residency_lend_result(context, NULL, UNIT, false, TORC_RESULT_IS_COPIED);
    cr_assert_not_null(copy);
    cr_assert_not(copy->is_filled);
    torc_residency_name(copy, &first);
    copy->is_filled = true;
    torc_residency_give_back(copy);
    cr_assert(has(arrays[0]));

    void *data = copy->data;
    copy = torc_residency_lend_result(context, &first, UNIT, false, TORC_RESULT_IS_COPIED);
    cr_assert(copy && copy->is_filled && copy->data == data);
    cr_assert_not(has(arrays[0]), "it stands for what will be");
    torc_residency_name(copy, &second);
    torc_residency_give_back(copy);
    cr_assert(has(arrays[1]) && !has(arrays[0]));
}

Test(copies, that_are_vouched_for_are_not_checked_for_who_vouches)
{
    torc_origin vouched = origin_of(arrays[0], UNIT);
    vouched.voucher = &vouched;
    torc_copy *copy = torc_residency_lend(context, &vouched);
    copy->is_filled = true;
    torc_residency_give_back(copy);
    arrays[0][0]++;
    cr_assert(torc_residency_has(&vouched));
    cr_assert_not(has(arrays[0]));
    vouched.voucher = arrays;
    cr_assert_not(torc_residency_has(&vouched));
    torc_residency_evict_vouched(arrays);
    cr_assert_eq(torc_residency_count().bytes_held, UNIT);
    torc_residency_evict_vouched(&vouched);
    cr_assert_eq(torc_residency_count().bytes_held, 0);
}

/* An array that is not asked for may be gone, and its memory with it. */
Test(copies, with_more_than_is_asked_for_are_not_vouched_for)
{
    char *more = mmap(NULL, UNIT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(more, MAP_FAILED);
    torc_origin both = origin_of(arrays[0], UNIT);
    both.arrays[TORC_ORIGIN_HYPER].memory = more;
    both.arrays[TORC_ORIGIN_HYPER].size = UNIT;
    torc_copy *copy = torc_residency_lend(context, &both);
    copy->is_filled = true;
    torc_residency_give_back(copy);
    cr_assert_eq(munmap(more, UNIT), 0);

    torc_origin vouched = origin_of(arrays[0], UNIT);
    vouched.voucher = &vouched;
    cr_assert(torc_residency_has(&vouched));
    torc_residency_give_back(torc_residency_lend(context, &vouched));
    arrays[0][0]++;
    cr_assert_not(torc_residency_has(&vouched));
}

Test(copies, are_few)
{
    enum { MANY = 700 };
    static char many[MANY][16];
    for (int i = 0; i < MANY; i++) {
        torc_copy *copy = lend(many[i], sizeof many[i]);
        cr_assert_not_null(copy);
        copy->is_filled = true;
        torc_residency_give_back(copy);
    }
    torc_residency_counts counts = torc_residency_count();
    cr_assert_lt(counts.bytes_held, sizeof many);
    cr_assert_eq(counts.bytes_held / sizeof many[0] + counts.evictions, MANY);
}

/* Small arrays are compared with what they were, and nobody tells when they are freed. */
Test(copies, take_little_of_the_host)
{
    enum { SMALL = 1000 * KIB, MOST = 256 };
    torc_options options = {.backend = TORC_BACKEND_REFERENCE};
    torc_context *large;
    cr_assert_eq(torc_context_create(&large, &options), TORC_SUCCESS);
    char *array = calloc(SMALL, 1);
    size_t last = 0;
    for (size_t i = 0; i < 300; i++) {
        torc_origin origin = origin_of(array, SMALL - i);
        torc_copy *copy = torc_residency_lend(large, &origin);
        cr_assert_not_null(copy);
        copy->is_filled = true;
        torc_residency_give_back(copy);
        last = torc_residency_count().bytes_held;
    }
    cr_assert_leq(last, (size_t)(MOST + 1) << 20);
    cr_assert_geq(last, (size_t)(MOST - 1) << 20);
    torc_residency_evict();
    torc_context_destroy(large);
    free(array);
}

/* ---- Origins ------------------------------------------------------------------------------------------- */

enum { EXAMPLES = 12 };

/* The first one is of a sparse matrix; each other differs from it in one thing. */
static torc_origin example(int i)
{
    torc_origin origin = origin_of(arrays[0], UNIT);
    origin.is_sparse = i != 1;
    origin.nrows = 10 + (i == 2);
    origin.ncols = 20 + (i == 3);
    origin.ptr_bits = i == 4 ? 32 : 64;
    origin.hyper_bits = i == 5 ? 32 : 64;
    origin.idx_bits = i == 6 ? 32 : 64;
    origin.is_compact = i != 7;
    origin.arrays[TORC_ORIGIN_VALUES].size -= i == 8;
    origin.arrays[TORC_ORIGIN_VALUES].memory = arrays[i == 9];
    origin.type = i == 10 ? TORC_INT64 : TORC_FP64;
    origin.iso = i == 11;
    origin.has_row_names = true;
    return origin;
}

/* Of the same memory, and yet something else. */
Test(copies, serve_for_what_differs_in_nothing)
{
    torc_origin first = example(0);
    cr_assert(torc_origin_serves(&first, &first));
    for (int i = 1; i < EXAMPLES; i++) {
        torc_origin other = example(i);
        cr_expect_not(torc_origin_serves(&first, &other), "%d", i);
        cr_expect_not(torc_origin_serves(&other, &first), "%d", i);
    }
    torc_origin without_names = first;
    without_names.has_row_names = false;
    cr_expect(torc_origin_serves(&first, &without_names));
    cr_expect_not(torc_origin_serves(&without_names, &first));
}
