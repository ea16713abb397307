/* test_iso_result.c: where SuiteSparse keeps one value for all entries of a product, torc does: every
 * built-in semiring, with operands of one value each and of many. */
#include "binding.h"
#include "glue_fixture.h"
#include "match.h"
#include "semiring_handles.h"
#include "small_product.h"

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
