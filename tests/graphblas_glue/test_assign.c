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
