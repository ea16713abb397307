/* Parts of results that stay on the device, and copies of them, are made where they are. */
#include "away_fixture.h"
#include "home.h"
#include "operations.h"
#include "reference.h"
#include "residency.h"
#include <stdlib.h>

TestSuite(away_parts, .init = start, .fini = torc_glue_finish);

static void *new_flags(GrB_Index count)
{
    bool *flags = torc_malloc(count);
    for (GrB_Index i = 0; i < count; i++) {
        flags[i] = i % 3 == 0;
    }
    return flags;
}

static GrB_Index *indices_backwards(void)
{
    GrB_Index *backwards = malloc(SIZE * sizeof *backwards);
    for (GrB_Index k = 0; k < SIZE; k++) {
        backwards[k] = SIZE - 1 - k;
    }
    return backwards;
}

/* Of FastSV, the grandparents: parent (parent), one whole list. */
Test(away_parts, are_read_in_any_order_where_they_are)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    GrB_Index *backwards = indices_backwards();
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    torc_target part = {.name = "GrB_Vector_extract", .C = (GrB_Matrix)w};
    cr_assert(torc_try_apply(&in_place, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    uint64_t returns = torc_residency_count().returns;
    cr_assert(torc_try_extract(
        &part, (GrB_Matrix)v, (torc_indices){backwards, SIZE, false}, (torc_indices){NULL, 1, true}));
    cr_assert_eq(torc_residency_count().returns, returns);
    cr_assert_eq(element(w, 77), SIZE - 78);
    free(backwards);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

Test(away_parts, are_written_in_part_where_they_are)
{
    GrB_Vector v = new_vector(0.25), u;
    GrB_Index some[] = {7, 5, 199999};
    const torc_indices part = {some, 3, false}, column = {NULL, 1, true};
    torc_target target = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)v};
    cr_assert_eq(GrB_Vector_new(&u, GrB_FP64, 3), GrB_SUCCESS);
    for (GrB_Index k = 0; k < 3; k++) {
        cr_assert_eq(GrB_Vector_setElement_FP64(u, -1 - (double)k, k), GrB_SUCCESS);
    }
    cr_assert(torc_try_apply(&target, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    uint64_t returns = torc_residency_count().returns;
    cr_assert(torc_try_assign(&target, (GrB_Matrix)u, part, column));
    cr_assert_eq(torc_residency_count().returns, returns);
    cr_assert_eq(element(v, 5), -2);
    cr_assert_eq(element(v, 6), 6);
    cr_assert_eq(element(v, 7), -1);
    cr_assert_eq(element(v, 199999), -3);
    GrB_Vector_free(&v);
    GrB_Vector_free(&u);
}

/* What is read cannot be written over. */
Test(away_parts, are_turned_round_in_themselves)
{
    GrB_Vector v = new_vector(0.25);
    GrB_Index *backwards = indices_backwards();
    const torc_indices part = {backwards, SIZE, false}, column = {NULL, 1, true};
    torc_target target = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)v};
    cr_assert(torc_try_apply(&target, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    cr_assert(torc_try_assign(&target, (GrB_Matrix)v, part, column));
    cr_assert_eq(element(v, 77), SIZE - 78, "there is %g", element(v, 77));
    cr_assert(torc_try_extract(&target, (GrB_Matrix)v, part, column));
    for (GrB_Index i = 0; i < SIZE; i += 997) {
        cr_assert_eq(element(v, i), (double)i, "there is %g at %lu", element(v, i), i);
    }
    free(backwards);
    GrB_Vector_free(&v);
}

Test(away_parts, are_copied_where_they_are)
{
    enum { NROWS = 400, NCOLS = 500 };
    GrB_Matrix A, copy;
    int by_col, control, of_copy;
    void *flags = new_flags(NROWS * NCOLS);
    cr_assert_eq(GrB_Matrix_new(&A, GrB_BOOL, NROWS, NCOLS), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullC(A, &flags, NROWS * NCOLS, false, NULL), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_BITMAP + GxB_FULL), GrB_SUCCESS);
    torc_target in_place = {.name = "GrB_Matrix_apply", .C = A};
    cr_assert_not(torc_try_dup(&copy, A, false), "what is home is GraphBLAS's");
    cr_assert(torc_try_apply(&in_place, GrB_LNOT, A));
    uint64_t returns = torc_residency_count().returns;
    cr_assert(torc_try_dup(&copy, A, false));
    cr_assert_eq(torc_residency_count().returns, returns);
    cr_assert(torc_try_apply(&in_place, GrB_LNOT, A));
    for (GrB_Index k = 0; k < NROWS * NCOLS; k += 101) {
        bool is, was;
        cr_assert_eq(GrB_Matrix_extractElement_BOOL(&is, A, k % NROWS, k / NROWS), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_extractElement_BOOL(&was, copy, k % NROWS, k / NROWS), GrB_SUCCESS);
        cr_assert(is == (k % 3 == 0) && was == !is);
    }
    cr_assert_eq(GxB_Matrix_Option_get(copy, GxB_FORMAT, &by_col), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_get(A, GxB_SPARSITY_CONTROL, &control), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_get(copy, GxB_SPARSITY_CONTROL, &of_copy), GrB_SUCCESS);
    cr_assert(by_col == GxB_BY_COL && of_copy == control);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&copy);
}

Test(away_parts, give_their_values_and_stay)
{
    enum { NROWS = 400, NCOLS = 500, CELLS = NROWS * NCOLS };
    GrB_Matrix A;
    GrB_Index *rows = malloc(CELLS * sizeof *rows), *columns = malloc(CELLS * sizeof *columns), count = CELLS;
    int32_t *numbers = malloc(CELLS * sizeof *numbers);
    bool *same = malloc(CELLS * sizeof *same);
    void *flags = new_flags(CELLS);
    cr_assert_eq(GrB_Matrix_new(&A, GrB_BOOL, NROWS, NCOLS), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullC(A, &flags, CELLS, false, NULL), GrB_SUCCESS);
    torc_target in_place = {.name = "GrB_Matrix_apply", .C = A};
    cr_assert(torc_try_apply(&in_place, GrB_LNOT, A));
    uint64_t returns = torc_residency_count().returns;
    cr_assert(torc_try_extract_tuples(rows, columns, numbers, &count, TORC_INT32, A));
    cr_assert(torc_try_extract_tuples(NULL, NULL, same, &count, TORC_BOOL, A));
    cr_assert_eq(torc_residency_count().returns, returns);
    for (GrB_Index k = 0; k < CELLS; k++) {
        bool is = k % 3 != 0;
        cr_assert(rows[k] == k % NROWS && columns[k] == k / NROWS && numbers[k] == is && same[k] == is);
    }
    count = CELLS - 1;
    cr_assert_not(torc_try_extract_tuples(rows, columns, numbers, &count, TORC_INT32, A));
    GrB_Matrix_free(&A);
    free(rows);
    free(columns);
    free(numbers);
    free(same);
}

static int waits;

torc_status __real_torc_context_wait(torc_context *context);
torc_status __wrap_torc_context_wait(torc_context *context);

torc_status __wrap_torc_context_wait(torc_context *context)
{
    waits++;
    return __real_torc_context_wait(context);
}

/* Linked with --wrap=torc_context_wait. */
Test(away_parts, are_waited_for_and_stay)
{
    GrB_Vector v = new_vector(0.25);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    waits = 0;
    torc_complete_away(v);
    torc_complete_away(NULL);
    cr_assert_eq(waits, 0, "what is home is complete");
    cr_assert(torc_try_apply(&in_place, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    uint64_t returns = torc_residency_count().returns;
    waits = 0;
    torc_complete_away(v);
    cr_assert_eq(waits, 1);
    cr_assert_eq(torc_residency_count().returns, returns);
    GrB_Vector_free(&v);
}

Test(away_parts, give_single_elements_as_matrices_of_one)
{
    GrB_Vector v = new_vector(0.25);
    GrB_Matrix one;
    double x;
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    cr_assert_not(torc_try_extract_one(&one, (GrB_Matrix)v, 77, 0), "what is home is GraphBLAS's");
    cr_assert(torc_try_apply(&in_place, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    uint64_t returns = torc_residency_count().returns;
    cr_assert(torc_try_extract_one(&one, (GrB_Matrix)v, 77, 0));
    cr_assert_eq(torc_residency_count().returns, returns);
    cr_assert_eq(GrB_Matrix_extractElement_FP64(&x, one, 0, 0), GrB_SUCCESS);
    cr_assert_eq(x, 77);
    cr_assert_not(torc_try_extract_one(&one, (GrB_Matrix)v, SIZE, 0), "the index is out of bounds");
    GrB_Matrix_free(&one);
    GrB_Vector_free(&v);
}

enum { ABSENT = SIZE / 2 };

/* v(i) = i from ABSENT on: a bitmap, away. */
static GrB_Vector new_with_gaps(void)
{
    GrB_Vector v = new_vector(0.25);
    torc_target target = {.name = "GrB_Vector_select", .C = (GrB_Matrix)v};
    torc_scalar least = {.type = TORC_INT64, .value = {ABSENT}};
    cr_assert(torc_try_apply(&target, GxB_POSITIONI_INT64, (GrB_Matrix)v));
    cr_assert(torc_try_index(&target, TORC_SELECT, GrB_VALUEGE_INT64, (GrB_Matrix)v, &least));
    return v;
}

static void expect_content(GrB_Vector v, GrB_Index nvals, double sum, int64_t fault)
{
    GrB_Index count;
    double found;
    cr_assert_eq(GrB_Vector_nvals(&count, v), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_reduce_FP64(&found, NULL, GrB_PLUS_MONOID_FP64, v, NULL), GrB_SUCCESS);
    cr_expect(count == nvals && found == sum, "fault %ld: %lu entries instead of %lu, %g instead of %g",
        (long)fault, (unsigned long)count, (unsigned long)nvals, found, sum);
}

/* v(flags) += 1: whatever fails, v is as it was, or all is done. */
Test(away_parts, with_gaps_are_added_to_as_a_whole)
{
    void *flags = new_flags(SIZE);
    GrB_Vector u = new_vector(0.25), mask;
    cr_assert_eq(GrB_Vector_new(&mask, GrB_BOOL, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(mask, &flags, SIZE, false, NULL), GrB_SUCCESS);
    GrB_Index nflags = (SIZE + 2) / 3, more = (ABSENT + 2) / 3;
    double sum = (SIZE - ABSENT) / 2 * (double)(SIZE - 1 + ABSENT);
    bool is_over = false;
    for (int64_t fault = 0; !is_over; fault++) {
        GrB_Vector v = new_with_gaps();
        torc_target target = {.name = "GrB_Vector_eWiseMult_BinaryOp",
            .C = (GrB_Matrix)v,
            .mask = (GrB_Matrix)mask,
            .accum = GrB_PLUS_FP64};
        torc_reference_fail_at(fault);
        bool is_done = torc_try_ewise(&target, TORC_EWISE_MULT, GrB_DIV_FP64, (GrB_Matrix)u, (GrB_Matrix)u);
        is_over = torc_reference_calls_left() >= 0;
        torc_reference_fail_at(-1);
        cr_assert(is_done || !is_over);
        expect_content(v, SIZE - ABSENT + (is_done ? more : 0), sum + (is_done ? (double)nflags : 0), fault);
        GrB_Vector_free(&v);
    }
    GrB_Vector_free(&u);
    GrB_Vector_free(&mask);
}
