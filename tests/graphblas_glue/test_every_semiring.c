/* test_every_semiring.c: every semiring that GraphBLAS has built in, and every other that can be made of its
 * monoids and operators, through torc_mxm and through GrB_mxm. All of them on the reference executor; on a
 * GPU, where each is compiled first, one in SAMPLE, or all with TORC_TEST_ALL=1 in the environment. */
#include "binding.h"
#include "match.h"
#include "semiring_handles.h"
#include "small_product.h"
#include "traced_mxm.h"
#include <criterion/criterion.h>
#include <stdlib.h>

enum { SAMPLE = 37 };

static GrB_Matrix new_result(torc_type type)
{
    GrB_Matrix C;
    cr_assert_eq(GrB_Matrix_new(&C, torc_type_handle(type), SMALL_M, SMALL_N), GrB_SUCCESS);
    return C;
}

static void check_product(
    const semiring_handle *handle, torc_semiring semiring, bool sparse_left, uint64_t seed)
{
    small_product product;
    small_matrix expected, found;
    mxm_trace trace;
    torc_type type = torc_semiring_traits(semiring).z_type;
    torc_small_product_draw(&product, semiring, sparse_left, seed);
    GrB_Matrix A = torc_small_matrix_new(&product.A), B = torc_small_matrix_new(&product.B);
    GrB_Matrix C = new_result(type), D = new_result(type);

    cr_assert_eq(GrB_mxm(C, NULL, NULL, handle->handle, A, B, NULL), GrB_SUCCESS, "%s", handle->name);
    torc_small_matrix_take(&expected, C, type);
    cr_assert_eq(
        torc_traced_mxm(&trace, D, NULL, NULL, handle->handle, A, B, NULL), GrB_SUCCESS, "%s", handle->name);
    cr_expect(
        trace.where[0] && strcmp(trace.where, "cpu") != 0, "%s ran elsewhere: %s", handle->name, trace.text);
    torc_small_matrix_take(&found, D, type);
    const char *wrong = torc_small_product_judge(&product, &expected, &found);
    cr_expect_null(wrong, "%s, A %s %s, B %s %s, seed %lu: %s", handle->name, torc_type_name(product.A.type),
        sparse_left ? "sparse" : "full", torc_type_name(product.B.type), sparse_left ? "full" : "sparse",
        (unsigned long)seed, wrong ? wrong : "");
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&D);
}

static void check_all(const semiring_handles *handles)
{
    bool all = torc_trace_is_reference() || getenv("TORC_TEST_ALL");
    for (int i = 0; i < handles->count; i += all ? 1 : SAMPLE) {
        const semiring_handle *handle = &handles->list[i];
        torc_semiring semiring;
        cr_assert(torc_match_semiring(&semiring, torc_binding_get(), handle->handle), "torc lacks %s",
            handle->name);
        check_product(handle, semiring, true, (uint64_t)i);
        check_product(handle, semiring, false, (uint64_t)i);
    }
}

static void start(void)
{
    torc_trace_begin();
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    cr_assert_not_null(torc_binding_get());
}

static void finish(void)
{
    GrB_finalize();
}

TestSuite(every_semiring, .init = start, .fini = finish);

Test(every_semiring, that_is_built_in_answers_as_suitesparse_does)
{
    semiring_handles handles = torc_handles_built_in();
    int standard = 0;
    for (int i = 0; i < handles.count; i++) {
        standard += handles.list[i].is_standard;
    }
    if (torc_binding_get()->version[0] == 7) {
        cr_assert_eq(standard, 124, "%d", standard);
        cr_assert_eq(handles.count, 1553 + 124, "%d", handles.count);
    }
    check_all(&handles);
    torc_handles_free(&handles);
}

Test(every_semiring, that_can_be_made_of_built_in_parts_answers_as_suitesparse_does)
{
    semiring_handles handles = torc_handles_own();
    cr_assert_gt(handles.count, 500);
    check_all(&handles);
    torc_handles_free(&handles);
}

/* X, or with the descriptor its transpose, hypersparse: where SuiteSparse 7.4 takes positions in the list of
 * vectors for indices. */
static GrB_Matrix new_hypersparse(const small_matrix *X, bool is_transposed, bool by_col)
{
    GrB_Matrix matrix = torc_small_matrix_new(X), transpose;
    if (is_transposed) {
        cr_assert_eq(
            GrB_Matrix_new(&transpose, torc_type_handle(X->type), (GrB_Index)X->ncols, (GrB_Index)X->nrows),
            GrB_SUCCESS);
        cr_assert_eq(GrB_transpose(transpose, NULL, NULL, matrix, NULL), GrB_SUCCESS);
        GrB_Matrix_free(&matrix);
        matrix = transpose;
    }
    GxB_Matrix_Option_set(matrix, GxB_FORMAT, by_col ? GxB_BY_COL : GxB_BY_ROW);
    GxB_Matrix_Option_set(matrix, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE);
    return matrix;
}

static void check_positions(const semiring_handle *handle, torc_semiring semiring, int form, uint64_t seed)
{
    bool sparse_left = form & 1, is_transposed = form & 2, by_col = form & 4;
    GrB_Descriptor desc = !is_transposed ? NULL : sparse_left ? GrB_DESC_T0 : GrB_DESC_T1;
    small_product product;
    small_matrix expected, found;
    mxm_trace trace;
    torc_small_product_draw(&product, semiring, sparse_left, seed);
    torc_small_product_solve(&expected, &product);
    GrB_Matrix A =
        sparse_left ? new_hypersparse(&product.A, is_transposed, by_col) : torc_small_matrix_new(&product.A);
    GrB_Matrix B =
        sparse_left ? torc_small_matrix_new(&product.B) : new_hypersparse(&product.B, is_transposed, by_col);
    GrB_Matrix C = new_result(semiring.type);
    cr_assert_eq(torc_traced_mxm(&trace, C, NULL, NULL, handle->handle, A, B, desc), GrB_SUCCESS);
    cr_expect(
        trace.where[0] && strcmp(trace.where, "cpu") != 0, "%s ran elsewhere: %s", handle->name, trace.text);
    torc_small_matrix_take(&found, C, semiring.type);
    const char *wrong = torc_small_product_judge(&product, &expected, &found);
    cr_expect_null(wrong, "%s, hypersparse by %s on the %s%s, seed %lu: %s", handle->name,
        by_col ? "column" : "row", sparse_left ? "left" : "right", is_transposed ? " transposed" : "",
        (unsigned long)seed, wrong ? wrong : "");
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}

Test(every_semiring, that_is_positional_sees_the_indices_of_hypersparse_operands)
{
    semiring_handles handles = torc_handles_built_in();
    bool all = torc_trace_is_reference() || getenv("TORC_TEST_ALL");
    int count = 0;
    for (int i = 0; i < handles.count; i++) {
        torc_semiring semiring;
        cr_assert(torc_match_semiring(&semiring, torc_binding_get(), handles.list[i].handle));
        if (!torc_semiring_traits(semiring).is_positional || (count++ % 7 != 0 && !all)) {
            continue;
        }
        for (int form = 0; form < 8; form++) {
            check_positions(&handles.list[i], semiring, form, (uint64_t)(i * 8 + form));
        }
    }
    cr_expect_eq(count, 80, "%d", count);
    torc_handles_free(&handles);
}
