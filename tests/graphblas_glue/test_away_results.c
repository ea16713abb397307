/* Results that stay on the device are what the next operation reads, whatever copies of the same memory are
 * there from before. */
#include "arena.h"
#include "away_fixture.h"
#include "failing_mprotect.h"
#include "operations.h"
#include "require.h"
#include "residency.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(away_results, .init = start, .fini = torc_glue_finish);

torc_status __real_torc_memory_pin(torc_context *context, void *host, size_t size);
torc_status __wrap_torc_memory_pin(torc_context *context, void *host, size_t size);

/* As CUDA does: whoever tracks writes sees every page written. */
torc_status __wrap_torc_memory_pin(torc_context *context, void *host, size_t size)
{
    enum { POPULATE_WRITE = 23 }; /* MADV_POPULATE_WRITE of Linux 5.14 */
    madvise(host, size, POPULATE_WRITE);
    return __real_torc_memory_pin(context, host, size);
}

Test(away_results, written_over_an_operand_are_read_next)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    torc_target copy = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)w};
    const torc_indices all = {NULL, 1, true};
    cr_assert(torc_try_apply(&in_place, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_assign(&copy, (GrB_Matrix)v, all, all));
    cr_assert_eq(element(w, 77), 77, "the copy has %g", element(w, 77));
    cr_assert_eq(element(v, 77), 77, "the original has %g", element(v, 77));
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* The copy of what v was is an operand of the call, given back after the result. */
Test(away_results, written_over_what_was_sent_are_read_next)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Index *backwards = malloc(SIZE * sizeof *backwards);
    const torc_indices column = {NULL, 1, true};
    torc_target in_place = {.name = "GrB_Vector_extract", .C = (GrB_Matrix)v};
    torc_target copy = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    for (GrB_Index k = 0; k < SIZE; k++) {
        backwards[k] = SIZE - 1 - k;
    }
    cr_assert(torc_try_extract(&in_place, (GrB_Matrix)v, (torc_indices){backwards, SIZE, false}, column));
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_apply(&copy, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_assert_eq(element(w, 0), -(0.25 + (SIZE - 1) % 3), "there is %g", element(w, 0));
    free(backwards);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static GrB_Vector new_away(double value)
{
    GrB_Vector v = new_vector(value);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    cr_assert(torc_try_apply(&in_place, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_assert(torc_away_is_any());
    return v;
}

static void *new_flags(GrB_Index count)
{
    bool *flags = torc_malloc(count);
    for (GrB_Index i = 0; i < count; i++) {
        flags[i] = i % 3 == 0;
    }
    return flags;
}

/* Every third is false. */
static GrB_Vector new_away_flags(void)
{
    void *flags = new_flags(SIZE);
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_BOOL, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &flags, SIZE, false, NULL), GrB_SUCCESS);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    cr_assert(torc_try_apply(&in_place, GrB_LNOT, (GrB_Matrix)v));
    return v;
}

static GrB_Matrix new_diagonal(GrB_Vector values)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_diag(A, values, 0, NULL), GrB_SUCCESS);
    return A;
}

Test(away_results, that_cannot_leave_come_at_once)
{
    GrB_Vector v = new_vector(0.25);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    atomic_store(&protects_nothing, true);
    cr_assert(torc_try_apply(&in_place, GrB_AINV_FP64, (GrB_Matrix)v));
    atomic_store(&protects_nothing, false);
    cr_assert_not(torc_away_is_any());
    cr_assert_eq(element(v, 7), -1.25);
    GrB_Vector_free(&v);
}

/* SuiteSparse keeps the values of what it makes a list of, and does not look at them. */
Test(away_results, that_became_lists_come_home_before_they_are_read)
{
    GrB_Vector v = new_away(0.25), w = new_vector(0.5);
    torc_target sum = {.name = "GrB_Vector_eWiseAdd_BinaryOp", .C = (GrB_Matrix)w};
    cr_assert_eq(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_SPARSE), GrB_SUCCESS);
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_ewise(&sum, TORC_EWISE_ADD, GrB_PLUS_FP64, (GrB_Matrix)w, (GrB_Matrix)v));
    cr_assert_eq(element(w, 7), 0.25);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* Who has the device cannot wait until they are brought. */
Test(away_results, that_became_lists_come_home_before_they_are_a_mask, .timeout = TORC_HANGING)
{
    GrB_Vector mask = new_away_flags(), v = new_vector(0.25), w = new_vector(0.5);
    torc_target target = {"GrB_Vector_apply", (GrB_Matrix)w, (GrB_Matrix)mask, NULL, GrB_DESC_R, false};
    double x;
    cr_assert_eq(GxB_Vector_Option_set(mask, GxB_SPARSITY_CONTROL, GxB_SPARSE), GrB_SUCCESS);
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_expect_eq(element(w, 1), -1.25);
    cr_expect_eq(GrB_Vector_extractElement_FP64(&x, w, 0), GrB_NO_VALUE);
    GrB_Vector_free(&mask);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

static GrB_Matrix new_matrix(GrB_Index nrows, GrB_Index ncols, double value)
{
    GrB_Matrix A;
    double *values = torc_malloc(nrows * ncols * sizeof *values);
    void *array = values;
    for (GrB_Index k = 0; k < nrows * ncols; k++) {
        values[k] = value;
    }
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, nrows, ncols), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullR(A, &array, nrows * ncols * sizeof *values, false, NULL), GrB_SUCCESS);
    return A;
}

Test(away_results, that_became_lists_come_home_before_they_are_multiplied, .timeout = TORC_HANGING)
{
    enum { N = 400, WIDTH = 64 };
    GrB_Matrix A = new_matrix(N, N, 2), B = new_matrix(N, WIDTH, 3), C = new_matrix(N, WIDTH, 0);
    torc_target in_place = {.name = "GrB_Matrix_apply", .C = A};
    double x = 0;
    cr_assert(torc_try_apply(&in_place, GrB_AINV_FP64, A));
    cr_assert_eq(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_SPARSE), GrB_SUCCESS);
    cr_assert(torc_away_is_any());
    cr_assert_eq(torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL), GrB_SUCCESS);
    cr_expect(torc_away_is_any(), "C stays");
    cr_assert_eq(GrB_Matrix_extractElement_FP64(&x, C, 7, 7), GrB_SUCCESS);
    cr_expect_eq(x, -2 * 3 * N);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

/* The host looks for negative zeros in them. */
Test(away_results, are_asked_home_before_they_are_a_mask_of_floating_point)
{
    GrB_Vector mask = new_away(0.25), v = new_vector(0.25), w = new_vector(0.5);
    GrB_Matrix A = new_diagonal(w);
    cr_assert_eq(torc_mxv(v, mask, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, w, GrB_DESC_R), GrB_SUCCESS);
    cr_expect_eq(torc_away_count().touched, 0);
    cr_expect_eq(element(v, 1), 1.5 * 1.5);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&mask);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* Until somebody writes to them. */
Test(away_results, that_came_home_are_on_the_device_too)
{
    GrB_Vector v = new_away(0.25), w = new_vector(0.5);
    torc_target copy = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    cr_expect_eq(element(v, 7), -1.25);
    cr_assert_not(torc_away_is_any());
    uint64_t hits = torc_residency_count().hits;
    cr_assert(torc_try_apply(&copy, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_expect_eq(torc_residency_count().hits, hits + 1);
    cr_assert_eq(GrB_Vector_setElement_FP64(v, 5, 7), GrB_SUCCESS);
    cr_assert(torc_try_apply(&copy, GrB_AINV_FP64, (GrB_Matrix)v));
    cr_expect_eq(element(w, 7), -5);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* Page-locked where they leave again, not where they have just come home. */
Test(away_results, that_come_home_twice_are_on_the_device_too)
{
    GrB_Vector v = new_away(0.25), w = new_vector(0.5);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    torc_target copy = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)w};
    for (int turn = 0; turn < 3; turn++) {
        double expected = turn % 2 ? 1.25 : -1.25;
        cr_expect_eq(element(v, 7), expected);
        cr_assert_not(torc_away_is_any());
        uint64_t hits = torc_residency_count().hits;
        cr_assert(torc_try_apply(&copy, GrB_AINV_FP64, (GrB_Matrix)v));
        cr_expect_eq(torc_residency_count().hits, hits + (turn > 0 ? 2 : 1), "v, and what w was");
        cr_expect_eq(element(w, 7), -expected);
        cr_assert(torc_try_apply(&in_place, GrB_AINV_FP64, (GrB_Matrix)v));
    }
    cr_expect_gt(torc_arena_count().pinned, 0);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* A child has no device to ask. */
Test(away_results, are_home_before_a_fork)
{
    GrB_Vector v = new_away(0.25);
    pid_t child = fork();
    if (child == 0) {
        alarm(TORC_HANGING);
        _exit(element(v, 7) != -1.25);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "%x", (unsigned)status);
    cr_expect_not(torc_away_is_any());
    GrB_Vector_free(&v);
}

/* The next results have it, of whatever size they are, and wherever they are on the host. */
Test(away_results, that_are_freed_leave_their_device_memory)
{
    enum { TIMES = 3 };
    void *blocks[TIMES];
    for (int i = 0; i < TIMES; i++) {
        GrB_Vector v = new_away(i);
        cr_expect_eq(torc_residency_count().bytes_held, SIZE * sizeof(double));
        GrB_Vector_free(&v);
        blocks[i] = torc_malloc(SIZE * sizeof(double)); /* that of v */
    }
    GrB_Vector flags = new_away_flags();
    cr_expect_eq(torc_residency_count().bytes_held, SIZE);
    GrB_Vector_free(&flags);
    for (int i = 0; i < TIMES; i++) {
        torc_free(blocks[i]);
    }
}

enum { MANY = 1200000 }; /* bytes: more than the smallest that leave */

/* What the mask's device array holds is read, but cannot be written over. */
Test(away_results, that_are_their_own_mask)
{
    GrB_Matrix A;
    GrB_Vector v, w;
    void *flags = new_flags(MANY), *more_flags = new_flags(2 * MANY);
    cr_assert_eq(GrB_Vector_new(&v, GrB_BOOL, MANY), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&A, GrB_BOOL, MANY, 2), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &flags, MANY, false, NULL), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullR(A, &more_flags, 2 * MANY, false, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_dup(&w, v), GrB_SUCCESS);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    torc_target sum = {.name = "GrB_Matrix_reduce_BinaryOp", .C = (GrB_Matrix)v, .mask = (GrB_Matrix)v};
    cr_assert(torc_try_apply(&in_place, GrB_LNOT, (GrB_Matrix)v));
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_reduce_rows(&sum, GrB_LAND, A));
    cr_assert_eq(GrB_Vector_apply(w, NULL, NULL, GrB_LNOT, w, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_reduce_BinaryOp(w, w, NULL, GrB_LAND, A, NULL), GrB_SUCCESS);
    for (GrB_Index i = 0; i < MANY; i += 1001) {
        bool is, should_be;
        cr_assert_eq(GrB_Vector_extractElement_BOOL(&is, v, i), GrB_SUCCESS);
        cr_assert_eq(GrB_Vector_extractElement_BOOL(&should_be, w, i), GrB_SUCCESS);
        cr_assert_eq(is, should_be, "%d is %d", (int)i, is);
    }
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* v⟨mask⟩ += A w, so many times; is v away at the end? Then it is read. */
static bool stays_after_masked(int calls, GrB_Vector v, GrB_Vector mask, GrB_Matrix A, GrB_Vector w)
{
    bool is_away = false;
    for (int i = 0; i < calls; i++) {
        cr_assert_eq(
            torc_mxv(v, mask, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, A, w, GrB_DESC_RS), GrB_SUCCESS);
        is_away = torc_away_is_any();
    }
    element(v, 0);
    return is_away;
}

static bool stays_after(int calls, GrB_Vector v, GrB_Matrix A, GrB_Vector w)
{
    return stays_after_masked(calls, v, NULL, A, w);
}

/* One result of two arrays. */
Test(away_results, with_a_bitmap_go_on_leaving_too)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5), mask;
    GrB_Matrix A = new_diagonal(w);
    cr_assert_eq(GrB_Vector_new(&mask, GrB_BOOL, SIZE), GrB_SUCCESS);
    for (GrB_Index i = 0; i < SIZE; i += 2) {
        cr_assert_eq(GrB_Vector_setElement_BOOL(mask, true, i), GrB_SUCCESS);
    }
    for (int loop = 0; loop < 5; loop++) {
        cr_expect(stays_after_masked(3, v, mask, A, w), "loop %d", loop);
    }
    GrB_Vector_free(&mask);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(away_results, go_on_leaving_where_only_the_last_of_each_loop_is_read)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Matrix A = new_diagonal(w);
    for (int loop = 0; loop < 5; loop++) {
        cr_expect(stays_after(3, v, A, w), "loop %d", loop);
    }
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(away_results, leave_again_once_they_are_no_longer_read)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Matrix A = new_diagonal(w);
    for (int call = 0; call < 4; call++) {
        stays_after(1, v, A, w);
    }
    cr_expect(stays_after(40, v, A, w));
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(away_results, stay_at_home_where_each_is_read)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Matrix A = new_diagonal(w);
    for (int call = 0; call < 8; call++) {
        cr_expect_eq(stays_after(1, v, A, w), call < 2, "call %d", call);
    }
    GrB_Matrix_free(&A);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}
