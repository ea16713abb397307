/* test_descriptor.c: objects that are no descriptors are refused, by every operation. */
#include "glue_fixture.h"
#include "operations.h"

TestSuite(descriptor, .init = torc_glue_start, .fini = torc_glue_finish);

enum { LENGTH = 20 };

static GrB_Vector counted(void)
{
    GrB_Vector v;
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, LENGTH), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_assign_FP64(v, NULL, NULL, 1, GrB_ALL, LENGTH, NULL), GrB_SUCCESS);
    cr_assert_eq(GrB_Vector_apply_IndexOp_INT64(v, NULL, NULL, GrB_ROWINDEX_INT64, v, 0, NULL), GrB_SUCCESS);
    return v;
}

Test(descriptor, that_is_another_object_is_refused)
{
    void *const others[] = {
        GrB_PLUS_FP64, GrB_AINV_FP64, GrB_PLUS_MONOID_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, GrB_FP64, GrB_TRIL};
    GrB_Vector u = counted(), w = counted();
    int nrefused = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        torc_target target = {.name = "a dense call", .C = (GrB_Matrix)w, .desc = others[i]};
        if (GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, u, others[i]) == GrB_SUCCESS) {
            continue; /* it passes for one */
        }
        nrefused++;
        cr_expect_not(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)u), "apply under object %zu", i);
        cr_expect_not(torc_try_ewise(&target, TORC_EWISE_ADD, GrB_PLUS_FP64, (GrB_Matrix)u, (GrB_Matrix)w),
            "eWiseAdd under object %zu", i);
    }
    cr_assert_gt(nrefused, 2);
    torc_target target = {.name = "a dense call", .C = (GrB_Matrix)w, .desc = GrB_DESC_R};
    cr_assert(torc_try_apply(&target, GrB_AINV_FP64, (GrB_Matrix)u));
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
}
