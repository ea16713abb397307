/* The arena's blocks that travel are pinned.
 *
 * Linked with --wrap=torc_memory_pin, so that something happens meanwhile. */
#include "arena_blocks.h"
#include "beside.h"
#include "rates.h"
#include "reference.h"
#include "session.h"

#include <pthread.h>

Test(arena_pins, pins_a_block_that_travels_again)
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

Test(arena_pins, recycling_counts_as_the_same_block)
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

Test(arena_pins, unpins_what_it_gives_back)
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

Test(arena_pins, pins_within_the_budget)
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

Test(arena_pins, does_not_try_again_what_cannot_be_pinned)
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

Test(arena_pins, pins_what_is_expected_to_travel)
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

Test(arena_pins, expects_nothing_of_what_it_gives_back)
{
    torc_context *context = open_reference();
    void *block = torc_malloc(GIB);
    torc_arena_expect(block, GIB);
    torc_free(block);
    torc_arena_pin_expected(context);
    cr_expect_eq(torc_reference_bytes_pinned(), 0);
    torc_context_destroy(context);
}

Test(arena_pins, a_block_that_is_freed_while_it_is_pinned_is_kept)
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

Test(arena_pins, a_block_that_travels_while_it_is_pinned_is_pinned_once)
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
Test(arena_pins, a_block_that_is_freed_while_it_is_pinned_may_be_given_back)
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

Test(arena_pins, the_end_of_the_session_unpins)
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

Test(arena_pins, operands_of_calls_before_the_device_is_open_are_pinned_as_it_opens)
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
Test(arena_pins, operands_and_results_are_pinned_when_they_travel_again)
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
