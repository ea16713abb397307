/* test_iso_result.c: where SuiteSparse keeps one value for all entries of a product, torc does: every
 * built-in semiring, with operands of one value each and of many. */
#include "binding.h"
#include "glue_fixture.h"
#include "match.h"
#include "operations.h"
#include "semiring_handles.h"
#include "small_product.h"
#include <string.h>

enum { SAMPLE = 53, OTHER_ROW = 3 /* whose elements the mask lets through */ };

TestSuite(iso_result, .init = torc_glue_start, .fini = torc_glue_finish);

/* Of the first value alone, if it is to be iso. Bitmap: without the element at (1, 2). */
static GrB_Matrix operand(const small_matrix *X, bool is_iso, bool is_bitmap)
{
    small_matrix stored = *X;
    if (is_bitmap) {
        stored.is_full = false;
        stored.is_present[X->ncols + 2] = 0;
    }
    GrB_Matrix matrix = torc_small_matrix_new(&stored), iso;
    if (is_iso) {
        GrB_Scalar value;
        GrB_Type type = torc_type_handle(X->type);
        GrB_Index nrows = (GrB_Index)X->nrows, ncols = (GrB_Index)X->ncols;
        cr_assert_eq(GrB_Scalar_new(&value, type), GrB_SUCCESS);
        cr_assert_eq(GrB_Scalar_setElement_INT64(value, 3), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_new(&iso, type, nrows, ncols), GrB_SUCCESS);
        cr_assert_eq(
            GrB_Matrix_assign_Scalar(iso, matrix, NULL, value, GrB_ALL, nrows, GrB_ALL, ncols, GrB_DESC_S),
            GrB_SUCCESS);
        GrB_Matrix_free(&matrix);
        GrB_Scalar_free(&value);
        matrix = iso;
    }
    cr_assert_eq(GxB_Matrix_Option_set(matrix, GxB_SPARSITY_CONTROL,
                     is_bitmap    ? GxB_BITMAP
                     : X->is_full ? GxB_FULL
                                  : GxB_SPARSE),
        GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_wait(matrix, GrB_MATERIALIZE), GrB_SUCCESS);
    return matrix;
}

static GrB_Matrix new_mask(void)
{
    GrB_Matrix mask;
    cr_assert_eq(GrB_Matrix_new(&mask, GrB_BOOL, SMALL_M, SMALL_N), GrB_SUCCESS);
    for (GrB_Index j = 0; j < SMALL_N; j++) {
        cr_assert_eq(GrB_Matrix_setElement_BOOL(mask, true, OTHER_ROW, j), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_setElement_BOOL(mask, true, j, j), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Matrix_wait(mask, GrB_MATERIALIZE), GrB_SUCCESS);
    return mask;
}

typedef GrB_Info product_function(GrB_Matrix, const GrB_Matrix, const GrB_BinaryOp, const GrB_Semiring,
    const GrB_Matrix, const GrB_Matrix, const GrB_Descriptor);

/* Is the result of one value? */
static bool multiply(small_matrix *result, product_function *function, const semiring_handle *handle,
    torc_type type, GrB_Matrix mask, GrB_Matrix A, GrB_Matrix B)
{
    GrB_Matrix C;
    bool is_iso;
    cr_assert_eq(GrB_Matrix_new(&C, torc_type_handle(type), SMALL_M, SMALL_N), GrB_SUCCESS);
    cr_assert_eq(function(C, mask, NULL, handle->handle, A, B, mask ? GrB_DESC_RS : NULL), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_iso(&is_iso, C), GrB_SUCCESS);
    torc_small_matrix_take(result, C, type);
    GrB_Matrix_free(&C);
    return is_iso;
}

/* Bits 0 and 1 of form: A, B is of one value; 2: B is a bitmap, and there is a mask; 3: the dense one is
 * left. */
static bool check(const semiring_handle *handle, torc_semiring semiring, int form, uint64_t seed)
{
    small_product product;
    small_matrix expected, found;
    bool sparse_left = !(form & 8), has_mask = form & 4;
    torc_type type = torc_semiring_traits(semiring).z_type;
    torc_small_product_draw(&product, semiring, sparse_left, seed);
    GrB_Matrix A = operand(&product.A, form & 1, has_mask && !sparse_left),
               B = operand(&product.B, form & 2, has_mask && sparse_left),
               mask = has_mask ? new_mask() : NULL;
    bool iso_alone = multiply(&expected, GrB_mxm, handle, type, mask, A, B);
    bool is_iso = multiply(&found, torc_mxm, handle, type, mask, A, B);
    cr_expect_eq(is_iso, iso_alone, "%s, form %d, seed %lu: iso %d, by SuiteSparse %d", handle->name, form,
        (unsigned long)seed, is_iso, iso_alone);
    cr_expect_arr_eq(
        found.is_present, expected.is_present, sizeof found.is_present, "%s, form %d", handle->name, form);
    for (size_t p = 0; iso_alone && p < sizeof found.is_present; p++) {
        size_t size = torc_type_size(type);
        cr_expect(
            !found.is_present[p] || memcmp(found.values + p * size, expected.values + p * size, size) == 0,
            "%s, form %d, seed %lu: element %zu", handle->name, form, (unsigned long)seed, p);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&mask);
    return iso_alone;
}

Test(iso_result, is_one_where_suitesparse_has_one)
{
    semiring_handles handles = torc_handles_built_in();
    int step = torc_trace_is_reference() ? 1 : SAMPLE, count = 0;
    for (int i = 0; i < handles.count; i += step) {
        torc_semiring semiring;
        cr_assert(torc_match_semiring(&semiring, torc_binding_get(), handles.list[i].handle));
        for (int form = 0; form < 16; form++) {
            count += check(&handles.list[i], semiring, form, (uint64_t)i);
        }
    }
    cr_expect_gt(count, 20 * handles.count / step / 16);
    torc_handles_free(&handles);
}

/* The matrix of ones where `A` has entries, in place of what C had. */
static void expect_pattern(GrB_Matrix A, GrB_Matrix mask, const char *what)
{
    GrB_Matrix alone, C;
    bool iso_alone, is_iso;
    small_matrix expected, found;
    cr_assert_eq(GrB_Matrix_new(&alone, GrB_FP32, SMALL_M, SMALL_N), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&C, GrB_FP32, SMALL_M, SMALL_N), GrB_SUCCESS);
    torc_target target = {
        .name = "GrB_Matrix_apply", .C = C, .mask = mask, .desc = mask ? GrB_DESC_RS : NULL};
    cr_assert_eq(GrB_Matrix_apply(alone, mask, NULL, GxB_ONE_INT32, A, target.desc), GrB_SUCCESS);
    cr_assert(torc_try_apply(&target, GxB_ONE_INT32, A), "%s", what);
    cr_assert_eq(GxB_Matrix_iso(&iso_alone, alone), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_iso(&is_iso, C), GrB_SUCCESS);
    cr_expect(iso_alone && is_iso, "%s: iso %d, by SuiteSparse %d", what, is_iso, iso_alone);
    torc_small_matrix_take(&expected, alone, TORC_FP32);
    torc_small_matrix_take(&found, C, TORC_FP32);
    for (size_t p = 0; p < sizeof found.is_present; p++) {
        float one;
        memcpy(&one, found.values + p * sizeof one, sizeof one);
        cr_expect_eq(found.is_present[p], expected.is_present[p], "%s, place %zu", what, p);
        cr_expect(!found.is_present[p] || one == 1, "%s, place %zu: %g", what, p, (double)one);
    }
    GrB_Matrix_free(&alone);
    GrB_Matrix_free(&C);
}

Test(iso_result, is_the_one_of_a_pattern)
{
    small_product product;
    torc_small_product_draw(&product, (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, true, 5);
    product.B.nrows = SMALL_M;
    GrB_Matrix full = operand(&product.B, false, false), bitmap = operand(&product.B, false, true);
    GrB_Matrix mask = new_mask(), ones;
    cr_assert_eq(GrB_Matrix_new(&ones, GrB_INT32, SMALL_M, SMALL_N), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Matrix_apply", .C = ones};
    cr_expect_not(torc_try_apply(&target, GxB_ONE_INT32, full), "GraphBLAS makes it at once");
    expect_pattern(full, mask, "of a full matrix, under a mask");
    expect_pattern(bitmap, NULL, "of a bitmap");
    expect_pattern(bitmap, mask, "of a bitmap, under a mask");
    GrB_Matrix_free(&full);
    GrB_Matrix_free(&bitmap);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&ones);
}

Test(iso_result, is_an_array_of_what_is_accumulated_into_an_empty_matrix)
{
    small_product product;
    torc_small_product_draw(&product, (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64}, true, 7);
    product.B.nrows = SMALL_M;
    GrB_Matrix A = operand(&product.B, true, true), C;
    bool is_iso = true;
    cr_assert_eq(GrB_Matrix_new(&C, GrB_FP64, SMALL_M, SMALL_N), GrB_SUCCESS);
    torc_target target = {.name = "GrB_Matrix_apply", .C = C, .accum = GrB_PLUS_FP64};
    cr_assert(torc_try_apply(&target, GrB_IDENTITY_FP64, A));
    cr_assert_eq(GxB_Matrix_iso(&is_iso, C), GrB_SUCCESS);
    cr_expect_not(is_iso, "SuiteSparse takes the value of an iso matrix that was cleared for an entry");
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&C);
}

/* Full of one value, times few entries; all of it is masked out. */
Test(iso_result, is_none_where_there_are_no_entries)
{
    enum { N = 200 };
    const int controls[] = {GxB_AUTO_SPARSITY, GxB_BITMAP, GxB_BITMAP + GxB_FULL, GxB_SPARSE};
    GrB_Matrix A, B, mask, C;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_INT64, N, N), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&B, GrB_INT64, N, N), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_new(&mask, GrB_BOOL, N, N), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_assign_INT64(A, NULL, NULL, 3, GrB_ALL, N, GrB_ALL, N, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_assign_BOOL(mask, NULL, NULL, true, GrB_ALL, N, GrB_ALL, N, NULL), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(mask, GxB_SPARSITY_CONTROL, GxB_SPARSE), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_INT64(B, 5, 0, 1), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_setElement_INT64(B, 6, 0, 0), GrB_SUCCESS);
    for (int i = 0; i < 4; i++) {
        bool is_iso = true;
        int64_t sum = -1;
        cr_assert_eq(GrB_Matrix_new(&C, GrB_UINT32, N, N), GrB_SUCCESS);
        cr_assert_eq(GxB_Matrix_Option_set(C, GxB_SPARSITY_CONTROL, controls[i]), GrB_SUCCESS);
        cr_assert_eq(torc_mxm(C, mask, NULL, GxB_ANY_PAIR_INT64, A, B, GrB_DESC_RSC), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, C, NULL), GrB_SUCCESS);
        cr_expect_eq(sum, 0, "control %d", controls[i]);
        cr_assert_eq(GxB_Matrix_iso(&is_iso, C), GrB_SUCCESS);
        cr_expect_not(is_iso, "control %d", controls[i]);
        GrB_Matrix_free(&C);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&mask);
}
