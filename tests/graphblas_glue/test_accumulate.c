/* Accumulators that no kernel has: T stays on the device, and what is there of C. ldexp and copysign come to
 * torc as source, as user-defined operators do. */
#include "away_fixture.h"
#include "operations.h"
#include "put_off.h"
#include "residency.h"
#include <stdlib.h>
#include <torc/graphblas.h>

enum { N = 6000, K = 8 };

static void start_on_reference(void)
{
    setenv("TORC_BACKEND", "reference", 1);
    setenv("TORC_FORCE", "gpu", 1);
    start();
}

TestSuite(accumulate, .init = start_on_reference, .fini = torc_glue_finish);

static GrB_Matrix new_dense(GrB_Index first, bool is_bitmap)
{
    size_t bytes = (size_t)N * K * sizeof(double);
    double *values = torc_malloc(bytes);
    void *array = values;
    GrB_Matrix X;
    for (GrB_Index e = 0; e < (GrB_Index)N * K; e++) {
        values[e] = (double)((first + e * 7) % 23) - 9;
    }
    cr_assert_eq(GrB_Matrix_new(&X, GrB_FP64, N, K), GrB_SUCCESS);
    cr_assert_eq(GxB_Matrix_pack_FullR(X, &array, bytes, false, NULL), GrB_SUCCESS);
    if (is_bitmap) {
        cr_assert_eq(GrB_Matrix_select_FP64(X, NULL, NULL, GrB_VALUENE_FP64, X, 1, NULL), GrB_SUCCESS);
        cr_assert_eq(GxB_Matrix_Option_set(X, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    }
    return X;
}

/* Some rows are empty. */
static GrB_Matrix new_sparse(void)
{
    GrB_Matrix A;
    cr_assert_eq(GrB_Matrix_new(&A, GrB_FP64, N, N), GrB_SUCCESS);
    for (GrB_Index e = 0; e < 3 * (GrB_Index)N; e++) {
        GrB_Index i = e * 7919 % N;
        cr_assert_eq(
            GrB_Matrix_setElement_FP64(A, (double)(e % 5) + 1, i - i % 3, e * 104729 % N), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
    return A;
}

static void send_away(GrB_Matrix X)
{
    torc_target target = {.name = "GrB_Matrix_apply", .C = X};
    cr_assert(torc_try_apply(&target, GrB_IDENTITY_FP64, X));
}

static bool are_equal(GrB_Matrix X, GrB_Matrix Y)
{
    GrB_Index count, expected;
    GrB_Matrix same;
    bool are = false;
    cr_assert_eq(GrB_Matrix_new(&same, GrB_BOOL, N, K), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_eWiseMult_BinaryOp(same, NULL, NULL, GrB_EQ_FP64, X, Y, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_reduce_BOOL(&are, NULL, GrB_LAND_MONOID_BOOL, same, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_nvals(&count, X), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_nvals(&expected, Y), GrB_SUCCESS);
    are = are && count == expected;
    cr_assert_eq(GrB_Matrix_nvals(&count, same), GrB_SUCCESS);
    GrB_Matrix_free(&same);
    return are && count == expected;
}

/* Twice: the second finds everything there. Does C stay? */
static bool check(GrB_BinaryOp accum, bool is_bitmap, GrB_Descriptor desc)
{
    GrB_Matrix A = new_sparse(), B = new_dense(3, false), C = new_dense(5, is_bitmap), mask = NULL, expected;
    if (desc) {
        mask = new_dense(1, true);
    }
    cr_assert_eq(GrB_Matrix_dup(&expected, C), GrB_SUCCESS);
    send_away(B);
    send_away(C);
    for (int call = 0; call < 2; call++) {
        GrB_Semiring semiring = GrB_PLUS_TIMES_SEMIRING_FP64;
        cr_assert_eq(GrB_mxm(expected, mask, accum, semiring, A, B, desc), GrB_SUCCESS);
        cr_assert_eq(torc_mxm(C, mask, accum, semiring, A, B, desc), GrB_SUCCESS);
    }
    uint64_t returns = torc_residency_count().returns;
    bool is_same = are_equal(C, expected), was_away = torc_residency_count().returns > returns;
    cr_expect(is_same);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&expected);
    return was_away;
}

Test(accumulate, by_operators_with_source_stays_on_the_device)
{
    cr_expect(check(GxB_LDEXP_FP64, false, NULL));
    cr_expect(check(GxB_COPYSIGN_FP64, false, NULL));
}

Test(accumulate, into_a_bitmap_and_under_masks)
{
    const GrB_Descriptor descriptors[] = {GrB_DESC_S, GrB_DESC_SC, GrB_DESC_RS, GrB_DESC_RSC};
    for (int i = 0; i < 4; i++) {
        cr_expect(check(GxB_COPYSIGN_FP64, false, descriptors[i]), "descriptor %d", i);
        cr_expect(check(GxB_COPYSIGN_FP64, true, descriptors[i]), "bitmap, descriptor %d", i);
    }
}

/* It takes -0.0 for true at times: under valued masks of floating point the rest is its own. */
Test(accumulate, under_masks_that_are_suitesparses)
{
    cr_expect(!check(GxB_COPYSIGN_FP64, false, GrB_DESC_R));
    cr_expect(!check(GxB_COPYSIGN_FP64, true, GrB_DESC_RC));
}

static void put_off(GrB_Matrix X, int control)
{
    send_away(X);
    cr_assert(torc_put_off_control(X, control));
}

static int control_of(GrB_Matrix X)
{
    int control;
    cr_assert_eq(GxB_Matrix_Option_get(X, GxB_SPARSITY_CONTROL, &control), GrB_SUCCESS);
    return control;
}

/* A mask of floating point is SuiteSparse's, as above. */
Test(accumulate, by_suitesparse_in_the_formats_that_the_program_asked_for)
{
    GrB_Matrix A = new_sparse(), B = new_dense(3, false), C = new_dense(5, false), mask = new_dense(1, false);
    GrB_Matrix expected;
    GrB_Semiring semiring = GrB_PLUS_TIMES_SEMIRING_FP64;
    cr_assert_eq(GrB_Matrix_dup(&expected, C), GrB_SUCCESS);
    send_away(B);
    put_off(C, GxB_SPARSE + GxB_FULL);
    put_off(mask, GxB_SPARSE + GxB_BITMAP);
    cr_assert_eq(torc_mxm(C, mask, GxB_COPYSIGN_FP64, semiring, A, B, NULL), GrB_SUCCESS);
    cr_expect_eq(control_of(C), GxB_SPARSE + GxB_FULL);
    cr_expect_eq(control_of(mask), GxB_SPARSE + GxB_BITMAP);
    cr_assert_eq(GrB_mxm(expected, mask, GxB_COPYSIGN_FP64, semiring, A, B, NULL), GrB_SUCCESS);
    cr_expect(are_equal(C, expected));
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&expected);
}

static GrB_Matrix half_of(GrB_Matrix X)
{
    GrB_Matrix half;
    cr_assert_eq(GrB_Matrix_new(&half, GrB_FP64, N, K), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_select_FP64(half, NULL, NULL, GrB_VALUEGT_FP64, X, 0, NULL), GrB_SUCCESS);
    return half;
}

/* C⟨M⟩ copysign= B + C, -B and Σ of the rows of B. */
Test(accumulate, after_dense_operations)
{
    GrB_Matrix B = new_dense(3, false), C = new_dense(5, false), mask = half_of(B), expected;
    GrB_Vector v, w;
    GrB_BinaryOp accum = GxB_COPYSIGN_FP64;
    torc_target sum = {"GrB_Matrix_eWiseAdd_BinaryOp", C, mask, accum, GrB_DESC_S, false};
    torc_target minus = {"GrB_Matrix_apply", C, NULL, accum, NULL, false};
    cr_assert_eq(GrB_Matrix_dup(&expected, C), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, N), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, -2, GrB_ALL, N, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_dup(&w, v), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_eWiseAdd_BinaryOp(expected, mask, accum, GrB_PLUS_FP64, B, expected, GrB_DESC_S),
        GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_apply(expected, NULL, accum, GrB_AINV_FP64, B, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_reduce_BinaryOp(w, NULL, accum, GrB_PLUS_FP64, B, NULL), GrB_SUCCESS);
    cr_expect(torc_try_ewise(&sum, TORC_EWISE_ADD, GrB_PLUS_FP64, B, C));
    cr_expect(torc_try_apply(&minus, GrB_AINV_FP64, B));
    torc_target rows = {"GrB_Matrix_reduce_BinaryOp", (GrB_Matrix)v, NULL, accum, NULL, false};
    cr_expect(torc_try_reduce_rows(&rows, GrB_PLUS_FP64, B));
    cr_expect(are_equal(C, expected));
    for (GrB_Index i = 0; i < N; i += 101) {
        cr_expect_eq(element(v, i), element(w, i), "%d", (int)i);
    }
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_Matrix_free(&mask);
    GrB_Matrix_free(&expected);
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}

/* GrB_MINUS is in the kernels, and gt gives another type than C's, which is SuiteSparse's. */
Test(accumulate, of_others_is_as_it_was)
{
    cr_expect(check(GrB_MINUS_FP64, false, NULL));
    check(GrB_GT_FP64, false, NULL);
}

/* All rows of values 0, 1, 2, ... */
static GrB_Matrix new_numbers(void)
{
    GrB_Matrix X;
    cr_assert_eq(GrB_Matrix_new(&X, GrB_INT64, N, K), GrB_SUCCESS);
    for (GrB_Index e = 0; e < (GrB_Index)N * K; e++) {
        cr_assert_eq(GrB_Matrix_setElement_INT64(X, (int64_t)(e % K), e / K, e % K), GrB_SUCCESS);
    }
    cr_assert_eq(GrB_Matrix_wait(X, GrB_MATERIALIZE), GrB_SUCCESS);
    return X;
}

Test(accumulate, by_positional_operators_is_an_error)
{
    GrB_Matrix A = new_sparse(), B = new_numbers(), C = new_numbers();
    const GrB_BinaryOp accums[] = {GxB_FIRSTI_INT64, GxB_FIRSTJ1_INT64, GxB_SECONDI_INT64, GxB_SECONDJ_INT64};
    for (int i = 0; i < 4; i++) {
        torc_target target = {"GrB_Matrix_apply", C, NULL, accums[i], NULL, false};
        cr_expect_not(torc_try_apply(&target, GrB_AINV_INT64, B));
        cr_expect_eq(
            torc_mxm(C, NULL, accums[i], GrB_PLUS_TIMES_SEMIRING_INT64, A, B, NULL), GrB_DOMAIN_MISMATCH);
    }
    for (GrB_Index j = 0; j < K; j++) {
        int64_t x = -1;
        cr_assert_eq(GrB_Matrix_extractElement_INT64(&x, C, N / 2, j), GrB_SUCCESS);
        cr_expect_eq(x, (int64_t)j);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
}
