/* test_any_operator.c: the operator that gives any of its arguments gives the one that GraphBLAS takes: in
 * element-wise operations y, as an accumulator the new value, and a scalar if one is bound to it. Where a
 * matrix has one value for all entries it is GraphBLAS that is asked. */
#include "dense_case.h"
#include "glue_fixture.h"
#include <string.h>

TestSuite(any_operator, .init = torc_glue_start, .fini = torc_glue_finish);

enum { CASES = 2000, MOST = 12 };

static GrB_BinaryOp any_of(value_type type)
{
    const GrB_BinaryOp all[] = {
#define X(name, handle, ctype) [VALUE_##name] = GxB_ANY_##name,
        VALUE_TYPE_MAP(X)
#undef X
    };
    return all[type];
}

/* A, B and C of m x n, and what is to be done with them. */
static dense_case draw(uint64_t seed)
{
    uint64_t stream = seed;
    GrB_Index m = 1 + (GrB_Index)random_below(&stream, MOST), n = 1 + (GrB_Index)random_below(&stream, MOST);
    dense_case c = {.seed = seed};
    c.A = dense_case_operand(&stream, m, n, dense_case_type(&stream), false);
    c.B = dense_case_operand(&stream, m, n, dense_case_type(&stream), false);
    c.C = dense_case_operand(&stream, m, n, dense_case_type(&stream), false);
    dense_case_finish(&c, &stream, m, n);
    return c;
}

static bool combine(const dense_case *c, torc_operation_kind kind, GrB_BinaryOp op)
{
    torc_target target = dense_case_target(c);
    return torc_try_ewise(&target, kind, op, c->A, c->B) &&
           (kind == TORC_EWISE_ADD ? GrB_Matrix_eWiseAdd_BinaryOp : GrB_Matrix_eWiseMult_BinaryOp)(
               c->expected, c->mask, c->accum, op, c->A, c->B, c->desc) == GrB_SUCCESS;
}

static bool copy(const dense_case *c)
{
    torc_target target = dense_case_target(c);
    return torc_try_apply(&target, GrB_IDENTITY_INT32, c->A) &&
           GrB_Matrix_apply(c->expected, c->mask, c->accum, GrB_IDENTITY_INT32, c->A, c->desc) == GrB_SUCCESS;
}

Test(any_operator, gives_the_argument_that_graphblas_takes)
{
    const int step = dense_case_step();
    int ndone = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += (uint64_t)step) {
        uint64_t stream = ~seed;
        dense_case c = draw(seed);
        GrB_BinaryOp op = any_of(dense_case_type(&stream));
        int64_t which = random_below(&stream, 3);
        if (which == 2) {
            c.accum = op;
        }
        ndone += which == 2 ? copy(&c) : combine(&c, which ? TORC_EWISE_ADD : TORC_EWISE_MULT, op);
        dense_case_expect_same(&c);
        dense_case_free(&c);
    }
    cr_assert(ndone > CASES / step / 3, "only %d of %d", ndone, CASES / step);
}

Test(any_operator, gives_a_scalar_that_is_bound_to_it)
{
    for (uint64_t seed = 1; seed <= CASES / 10; seed++) {
        dense_case c = draw(seed);
        torc_target target = dense_case_target(&c);
        GrB_BinaryOp op = any_of(dense_case_type(&(uint64_t){~seed}));
        torc_scalar value = {.type = TORC_FP64};
        bool is_first = seed % 2;
        memcpy(value.value, &(double){7}, sizeof(double));
        if (torc_try_bind(&target, op, &value, is_first, c.A)) {
            cr_assert_eq(
                is_first ? GrB_Matrix_apply_BinaryOp1st_FP64(c.expected, c.mask, c.accum, op, 7, c.A, c.desc)
                         : GrB_Matrix_apply_BinaryOp2nd_FP64(c.expected, c.mask, c.accum, op, c.A, 7, c.desc),
                GrB_SUCCESS);
        }
        dense_case_expect_same(&c);
        dense_case_free(&c);
    }
}
