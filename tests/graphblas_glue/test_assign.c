/* Assignments that are to all of C. */
#include "glue_fixture.h"
#include "operations.h"
#include <criterion/criterion.h>

TestSuite(assign, .init = torc_glue_start, .fini = torc_glue_finish);

Test(assign, of_a_scalar_to_all_has_as_many_indices_as_C)
{
    enum { LENGTH = 11 };
    GrB_Vector v;
    double x = 1;
    torc_scalar value = {.type = TORC_FP64};
    const torc_indices the_column = {NULL, 1, true};
    memcpy(value.value, &x, sizeof x);
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 4, GrB_ALL, LENGTH, NULL), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)v, .accum = GrB_MINUS_FP64};
    cr_assert(torc_try_assign_scalar(&target, &value, (torc_indices){GrB_ALL, LENGTH, false}, the_column));
    cr_assert_not(torc_try_assign_scalar(&target, &value, (torc_indices){GrB_ALL, 1, false}, the_column));
    cr_assert_eq(GrB_Vector_extractElement_FP64(&x, v, 0), GrB_SUCCESS);
    cr_assert_eq(x, 3);
    GrB_Vector_free(&v);
}

/* Has v one value after x is assigned where a mask lets it, and all else is deleted? count: entries of v
 * before. */
static bool is_iso_after(GrB_Index count, bool by_torc)
{
    enum { LENGTH = 40, STEP = 3 };
    GrB_Vector v, mask;
    torc_scalar value = {.type = TORC_FP64};
    double x = 4;
    bool is_iso;
    memcpy(value.value, &x, sizeof x);
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&mask, GrB_BOOL, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_Option_set(mask, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    for (GrB_Index i = 0; i < LENGTH; i += STEP) {
        cr_assert_eq(GrB_Vector_setElement_BOOL(mask, true, i), GrB_SUCCESS);
    }
    for (GrB_Index i = 0; i < count; i++) {
        cr_assert_eq(GrB_Vector_setElement_FP64(v, (double)i, i), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Vector_wait(v, GrB_MATERIALIZE), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_wait(mask, GrB_MATERIALIZE), GrB_SUCCESS);
    if (by_torc) {
        torc_target target = {"GrB_Vector_assign", (GrB_Matrix)v, (GrB_Matrix)mask, NULL, GrB_DESC_RS, false};
        cr_assert(torc_try_assign_scalar(
            &target, &value, (torc_indices){GrB_ALL, LENGTH, false}, (torc_indices){NULL, 1, true}));
    } else {
        cr_assert_eq(GrB_Vector_assign_FP64(v, mask, NULL, x, GrB_ALL, LENGTH, GrB_DESC_RS), GrB_SUCCESS);
    }
    cr_assert_eq(GxB_Vector_iso(&is_iso, v), GrB_SUCCESS);
    GrB_Vector_free(&v);
    GrB_Vector_free(&mask);
    return is_iso;
}

Test(assign, of_a_scalar_leaves_one_value_where_suitesparse_does)
{
    cr_expect(is_iso_after(0, false) && !is_iso_after(5, false), "SuiteSparse");
    cr_expect(is_iso_after(0, true));
    cr_expect_not(is_iso_after(5, true), "a dense vector is changed in place");
}

static int counts;

torc_status __real_torc_count_present(
    int64_t *count, torc_context *context, const uint8_t *bitmap, size_t size);
torc_status __wrap_torc_count_present(
    int64_t *count, torc_context *context, const uint8_t *bitmap, size_t size);

torc_status __wrap_torc_count_present(
    int64_t *count, torc_context *context, const uint8_t *bitmap, size_t size)
{
    counts++;
    return __real_torc_count_present(count, context, bitmap, size);
}

enum { LENGTH = 42, STEP = 3 };

/* v(i) = 100 */
static GrB_Vector new_full(void)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, LENGTH), GrB_SUCCESS);
    for (GrB_Index i = 0; i < LENGTH; i++) {
        cr_assert_eq(GrB_Vector_setElement_FP64(v, 100, i), GrB_SUCCESS);
    }
    return v;
}

/* v(i) = i at each step-th place */
static GrB_Vector new_bitmap(GrB_Index step)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    for (GrB_Index i = 0; i < LENGTH; i += step) {
        cr_assert_eq(GrB_Vector_setElement_FP64(v, (double)i, i), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Vector_wait(v, GrB_MATERIALIZE), GrB_SUCCESS);
    return v;
}

/* f⟨mask⟩ = labels: how many entries has f, which had all? The mask is the labels, or has every second place.
 */
static GrB_Index entries_after_labels(bool is_mask)
{
    GrB_Vector f = new_full(), labels = new_bitmap(STEP), other = new_bitmap(2);
    GrB_Index nvals;
    const torc_indices all = {GrB_ALL, LENGTH, false}, the_column = {NULL, 1, true};
    torc_target target = {
        "GrB_Vector_assign", (GrB_Matrix)f, (GrB_Matrix)(is_mask ? labels : other), NULL, GrB_DESC_S, false};
    counts = 0;
    cr_assert(torc_try_assign(&target, (GrB_Matrix)labels, all, the_column));
    for (GrB_Index i = 0; i < LENGTH; i++) {
        double x = -1;
        bool is_allowed = i % (is_mask ? STEP : 2) == 0, is_label = i % STEP == 0;
        GrB_Info info = GrB_Vector_extractElement_FP64(&x, f, i);
        cr_assert_eq(info, is_allowed && !is_label ? GrB_NO_VALUE : GrB_SUCCESS);
        cr_assert_eq(x, !is_allowed ? 100 : is_label ? (double)i : -1);
    }
    cr_assert_eq(GrB_Vector_nvals(&nvals, f), GrB_SUCCESS);
    GrB_Vector_free(&f);
    GrB_Vector_free(&labels);
    GrB_Vector_free(&other);
    return nvals;
}

/* Nothing can go: nobody waits for the device to know how many are left. */
Test(assign, of_what_is_the_mask_too_deletes_nothing)
{
    cr_expect_eq(entries_after_labels(true), LENGTH);
    cr_expect_eq(counts, 0);
    cr_expect_eq(entries_after_labels(false), LENGTH - LENGTH / 2 + LENGTH / 6);
    cr_expect_eq(counts, 1);
}

/* f⟨labels⟩ = labels, read from the last to the first: where that has none, f's go. */
Test(assign, of_what_is_the_mask_in_another_order_deletes)
{
    GrB_Vector f = new_full(), labels = new_bitmap(STEP);
    GrB_Index last_first[LENGTH], nvals;
    for (GrB_Index i = 0; i < LENGTH; i++) {
        last_first[i] = LENGTH - 1 - i;
    }
    torc_target target = {"GrB_Vector_extract", (GrB_Matrix)f, (GrB_Matrix)labels, NULL, GrB_DESC_S, false};
    cr_assert(torc_try_extract(&target, (GrB_Matrix)labels, (torc_indices){last_first, LENGTH, false},
        (torc_indices){NULL, 1, true}));
    cr_assert_eq(GrB_Vector_nvals(&nvals, f), GrB_SUCCESS);
    cr_expect_eq(nvals, LENGTH - LENGTH / STEP);
    GrB_Vector_free(&f);
    GrB_Vector_free(&labels);
}
