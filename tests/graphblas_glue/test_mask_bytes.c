/* A mask as bytes: true where GraphBLAS has it so, whatever it is stored as, and without a copy where it lies
 * that way already. */
#include "mask_bytes.h"
#include "glue_fixture.h"
#include "random_matrix.h"
#include <stdlib.h>

TestSuite(mask_bytes, .init = torc_glue_start, .fini = torc_glue_finish);

/* By row. Where the mask is true by GraphBLAS: with an entry, and if it is valued, one that is not zero. */
static uint8_t *expected_bytes(GrB_Matrix mask, const matrix_recipe *recipe, bool is_structural)
{
    GrB_Index n = recipe->nrows * recipe->ncols;
    GrB_Index *rows = malloc(n * sizeof *rows), *cols = malloc(n * sizeof *cols);
    bool *values = malloc(n);
    uint8_t *bytes = calloc(n, 1);
    cr_assert_eq(GrB_Matrix_extractTuples_BOOL(rows, cols, values, &n, mask), GrB_SUCCESS);
    for (GrB_Index p = 0; p < n; p++) {
        bytes[rows[p] * recipe->ncols + cols[p]] = is_structural || values[p];
    }
    free(rows);
    free(cols);
    free(values);
    return bytes;
}

static void check(const matrix_recipe *recipe, bool is_structural, bool by_col)
{
    GrB_Matrix mask = torc_random_matrix(recipe);
    uint8_t *made, *expected = expected_bytes(mask, recipe, is_structural);
    torc_view view;
    bool is_readable;
    cr_assert_eq(torc_view_open(&view, torc_binding_get(), mask), GrB_SUCCESS);
    bool is_pattern = torc_mask_is_pattern(&is_readable, &view, is_structural);
    const uint8_t *bytes = torc_mask_bytes(&made, &view, is_pattern, by_col);
    cr_assert(is_readable && bytes);
    for (GrB_Index i = 0; i < recipe->nrows; i++) {
        for (GrB_Index j = 0; j < recipe->ncols; j++) {
            uint8_t byte = bytes[by_col ? j * recipe->nrows + i : i * recipe->ncols + j];
            cr_assert_eq(byte != 0, expected[i * recipe->ncols + j], "format %d, type %d, (%llu,%llu)",
                recipe->format, recipe->type, (unsigned long long)i, (unsigned long long)j);
        }
    }
    bool is_one_byte_each = recipe->type == VALUE_BOOL || recipe->type == VALUE_INT8;
    bool lies_right = recipe->by_col == by_col &&
                      (recipe->format == GxB_BITMAP ? is_pattern
                                                    : recipe->format == GxB_FULL && !is_pattern &&
                                                          is_one_byte_each && !recipe->iso);
    cr_expect_eq(!made, lies_right, "format %d, type %d", recipe->format, recipe->type);
    free(made);
    free(expected);
    GrB_Matrix_free(&mask);
}

Test(mask_bytes, are_true_where_the_mask_is)
{
    static const int formats[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL};
    static const value_type types[] = {VALUE_BOOL, VALUE_INT8, VALUE_INT32, VALUE_FP64, VALUE_FC32};
    for (int i = 0; i < 4 * 5 * 16; i++) {
        int format = formats[i / 16 % 4];
        matrix_recipe recipe = {.seed = (uint64_t)i + 1,
            .nrows = 9,
            .ncols = 13,
            .type = types[i / 64],
            .format = format,
            .control = format,
            .density = format == GxB_FULL ? 1 : 0.6,
            .by_col = i & 1,
            .iso = i & 2};
        check(&recipe, i & 4, i & 8);
    }
}

/* As many as several processors share out. */
Test(mask_bytes, of_a_large_mask_are_those_of_a_small_one)
{
    matrix_recipe recipe = {.seed = 5,
        .nrows = 3000,
        .ncols = 400,
        .type = VALUE_INT32,
        .format = GxB_BITMAP,
        .control = GxB_BITMAP,
        .density = 0.6};
    check(&recipe, false, false);
    check(&recipe, false, true);
}

/* 3×3, one entry in each row: 1, a second value, and a zero without sign. */
static GrB_Matrix small_mask(GrB_Type type, double second, int format, bool is_imaginary)
{
    GrB_Matrix mask;
    const double values[] = {1, second, 0};
    cr_assert_eq(GrB_Matrix_new(&mask, type, 3, 3), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_Option_set(mask, GxB_SPARSITY_CONTROL, format), GrB_SUCCESS);
    for (GrB_Index p = 0; p < (format == GxB_FULL ? 9 : 3); p++) {
        GrB_Index j = format == GxB_FULL ? p / 3 : p * 2 % 3;
        GrB_Info info = type == GxB_FC64 ? GxB_Matrix_setElement_FC64(mask,
                                               GxB_CMPLX(values[p % 3], is_imaginary ? 1.0 : 0.0), p % 3, j)
                                         : GrB_Matrix_setElement_FP64(mask, values[p % 3], p % 3, j);
        cr_assert_eq(info, GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Matrix_wait(mask, GrB_MATERIALIZE), GrB_SUCCESS);
    return mask;
}

static bool has_negative_zero(GrB_Type type, double second, int format, bool is_imaginary)
{
    GrB_Matrix mask = small_mask(type, second, format, is_imaginary);
    torc_view view;
    cr_assert_eq(torc_view_open(&view, torc_binding_get(), mask), GrB_SUCCESS);
    bool is_found = torc_mask_has_negative_zeros(&view);
    GrB_Matrix_free(&mask);
    return is_found;
}

Test(mask_bytes, of_a_negative_zero_are_unknown)
{
    static const int formats[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP, GxB_FULL};
    for (int f = 0; f < 4; f++) {
        int format = formats[f];
        cr_expect(has_negative_zero(GrB_FP32, -0.0, format, false), "fp32, format %d", format);
        cr_expect(has_negative_zero(GrB_FP64, -0.0, format, false), "fp64, format %d", format);
        cr_expect(has_negative_zero(GxB_FC64, -0.0, format, false), "fc64, format %d", format);
        cr_expect_not(has_negative_zero(GxB_FC64, -0.0, format, true), "-0+1i, format %d", format);
        cr_expect_not(has_negative_zero(GrB_FP32, 0.0, format, false), "0, format %d", format);
        cr_expect_not(has_negative_zero(GrB_FP64, -1e-300, format, false), "-1e-300, format %d", format);
        cr_expect_not(has_negative_zero(GrB_INT64, -0.0, format, false), "int64, format %d", format);
    }
}
