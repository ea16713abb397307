/* test_scalars.c: operations that take GrB_Scalars, by torc and by GraphBLAS. */
#include "dense_case.h"
#include "glue_fixture.h"
#include "operator_handles.h"
#include <string.h>

TestSuite(scalars, .init = torc_glue_start, .fini = torc_glue_finish);

enum { CASES = 3000, MOST = 20 };

static GrB_Scalar random_scalar(uint64_t *seed)
{
    GrB_Scalar scalar;
    double x = (double)(random_below(seed, 40) - 20) / 4;
    cr_assert_eq(GrB_Scalar_new(&scalar, torc_value_handle(dense_case_type(seed))), GrB_SUCCESS);
    cr_assert_eq(GrB_Scalar_setElement_FP64(scalar, x), GrB_SUCCESS);
    return scalar;
}

static dense_case draw_union(uint64_t first_seed)
{
    uint64_t stream = first_seed, *seed = &stream;
    dense_case c = {.seed = first_seed, .is_vector = random_below(seed, 2)};
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Index n = c.is_vector ? 1 : 1 + (GrB_Index)random_below(seed, MOST);
    c.transposes = !c.is_vector && random_below(seed, 3) == 0;
    c.A = dense_case_operand(
        seed, c.transposes ? n : m, c.transposes ? m : n, dense_case_type(seed), c.is_vector);
    c.B = dense_case_operand(seed, m, n, dense_case_type(seed), c.is_vector);
    c.C = dense_case_operand(seed, m, n, dense_case_type(seed), c.is_vector);
    dense_case_finish(&c, seed, m, n);
    return c;
}

/* Operators that show which argument is which. Not FIRST and SECOND: GraphBLAS 7.4 has one byte for a scalar
 * that the operator ignores, and fills it. */
static GrB_BinaryOp random_operator(uint64_t *seed)
{
    static const torc_multiply all[] = {TORC_PLUS, TORC_MINUS, TORC_DIV, TORC_LT};
    return binary_handle(all[random_below(seed, 4)], (torc_type)dense_case_type(seed));
}

Test(scalars, stand_for_what_a_union_lacks)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        uint64_t stream = ~seed;
        dense_case c = draw_union(seed);
        torc_target target = dense_case_target(&c);
        GrB_BinaryOp op = random_operator(&stream);
        GrB_Scalar alpha = random_scalar(&stream), beta = random_scalar(&stream);
        if (op && torc_try_union(&target, op, c.A, alpha, c.B, beta)) {
            ndone++;
            cr_assert_eq(
                GxB_Matrix_eWiseUnion(c.expected, c.mask, c.accum, op, c.A, alpha, c.B, beta, c.desc),
                GrB_SUCCESS);
        }
        dense_case_expect_same(&c);
        dense_case_free(&c);
        GrB_Scalar_free(&alpha);
        GrB_Scalar_free(&beta);
    }
    cr_assert(ndone > CASES / step / 2, "only %d of %d", ndone, CASES / step);
}

Test(scalars, that_are_empty_are_left_to_graphblas)
{
    uint64_t seed = 4711;
    dense_case c = draw_union(seed);
    torc_target target = {.name = "GxB_Matrix_eWiseUnion", .C = c.C};
    GrB_Scalar full = random_scalar(&seed), empty;
    torc_scalar value;
    cr_assert_eq(GrB_Scalar_new(&empty, GrB_FP64), GrB_SUCCESS);
    cr_assert(torc_try_union(&target, GrB_PLUS_FP64, c.C, full, c.C, full));
    cr_assert_not(torc_try_union(&target, GrB_PLUS_FP64, c.C, full, c.C, empty));
    cr_assert_not(torc_try_union(&target, GrB_PLUS_FP64, c.C, NULL, c.C, full));
    cr_assert(torc_read_scalar(&value, &target, full));
    cr_assert_not(torc_read_scalar(&value, &target, empty));
    dense_case_free(&c);
    GrB_Scalar_free(&full);
    GrB_Scalar_free(&empty);
}

static GrB_Monoid random_monoid(uint64_t *seed)
{
    GrB_Monoid all[] = {GrB_PLUS_MONOID_INT64, GrB_MIN_MONOID_FP64, GrB_MAX_MONOID_INT8, GrB_LOR_MONOID_BOOL,
        GrB_TIMES_MONOID_UINT16};
    return all[random_below(seed, 5)];
}

/* A is made of what a select leaves, at times nothing: a bitmap all the same. */
static GrB_Matrix draw_sum(uint64_t *seed)
{
    GrB_Index m = 1 + (GrB_Index)random_below(seed, MOST), n = 1 + (GrB_Index)random_below(seed, MOST);
    GrB_Matrix A = dense_case_operand(seed, m, n, dense_case_type(seed), false);
    int64_t diagonal = random_below(seed, 3) ? -MOST : MOST;
    cr_assert_eq(GxB_Matrix_Option_set(A, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
    cr_assert_eq(GrB_Matrix_select_INT64(A, NULL, NULL, GrB_TRIU, A, diagonal, NULL), GrB_SUCCESS);
    return A;
}

Test(scalars, take_what_a_matrix_of_one_element_comes_to)
{
    const int step = dense_case_step();
    int ndone = 0, nempty = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        uint64_t stream = seed;
        GrB_Matrix A = draw_sum(&stream), one;
        GrB_Monoid monoid = random_monoid(&stream);
        GrB_BinaryOp accum = random_below(&stream, 2) ? GrB_PLUS_FP64 : NULL;
        if (torc_try_reduce_to_one(&one, torc_operator_of_monoid(monoid), A)) {
            double expected = 0.25, found = 0.25;
            GrB_Index nvals;
            ndone++;
            cr_assert_eq(GrB_Matrix_reduce_FP64(&expected, accum, monoid, A, NULL), GrB_SUCCESS);
            cr_assert_eq(GrB_Matrix_reduce_FP64(&found, accum, monoid, one, NULL), GrB_SUCCESS);
            cr_assert(torc_value_equal(VALUE_FP64, &expected, &found), "seed %lu: %g instead of %g", seed,
                found, expected);
            cr_assert_eq(GrB_Matrix_nvals(&nvals, one), GrB_SUCCESS);
            nempty += nvals == 0;
        }
        GrB_Matrix_free(&A);
        GrB_Matrix_free(&one);
    }
    cr_assert(ndone > CASES / step / 2 && nempty > CASES / step / 10, "only %d, %d of %d", ndone, nempty,
        CASES / step);
}

/* Where SuiteSparse cuts them off, and how, depends on the operator. What torc takes, it answers as
 * GraphBLAS. */
Test(scalars, that_say_which_places_are_cut_off_by_graphblas_alone)
{
    const GrB_IndexUnaryOp ops[] = {GrB_ROWINDEX_INT32, GrB_COLINDEX_INT32, GrB_DIAGINDEX_INT32,
        GrB_ROWINDEX_INT64, GrB_DIAGINDEX_INT64, GrB_TRIL, GrB_TRIU, GrB_DIAG, GrB_OFFDIAG, GrB_ROWLE,
        GrB_COLGT};
    const int64_t far[] = {INT64_MIN, INT64_MIN + 3, -(1LL << 33), INT32_MIN - 1LL, INT32_MAX + 1LL,
        UINT32_MAX - 2LL, 1LL << 32, INT64_MAX};
    const int64_t near[] = {INT32_MIN, -3, 0, 7, INT32_MAX};
    uint64_t seed = 3;
    int ntaken = 0;
    enum {
        OPERATORS = sizeof ops / sizeof *ops,
        FAR = sizeof far / sizeof *far,
        NEAR = sizeof near / sizeof *near
    };
    for (int k = 0; k < OPERATORS * (FAR + NEAR); k++) {
        int which = k / OPERATORS;
        int64_t value = which < FAR ? far[which] : near[which - FAR];
        dense_case c = {.A = dense_case_operand(&seed, MOST, MOST, VALUE_FP64, false)};
        torc_scalar thunk = {.type = TORC_INT64};
        memcpy(thunk.value, &value, sizeof value);
        cr_assert_eq(GxB_Matrix_Option_set(c.A, GxB_SPARSITY_CONTROL, GxB_BITMAP), GrB_SUCCESS);
        cr_assert_eq(GrB_Matrix_new(&c.C, GrB_FP64, MOST, MOST), GrB_SUCCESS);
        c.expected = dense_case_copy(c.C);
        torc_target target = dense_case_target(&c);
        bool is_taken = torc_try_index(&target, TORC_SELECT, ops[k % OPERATORS], c.A, &thunk);
        cr_expect(!is_taken || which >= FAR, "operator %d, %lld", k % OPERATORS, (long long)value);
        ntaken += is_taken;
        if (is_taken) {
            cr_assert_eq(
                GrB_Matrix_select_INT64(c.expected, NULL, NULL, ops[k % OPERATORS], c.A, value, NULL),
                GrB_SUCCESS);
            dense_case_expect_same(&c);
        }
        dense_case_free(&c);
    }
    cr_expect_gt(ntaken, OPERATORS * NEAR / 2);
}
