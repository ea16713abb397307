/* Results that stay on the device are what the next operation reads, whatever copies of the same memory are
 * there from before. */
#include "away.h"
#include "glue_fixture.h"
#include "operations.h"
#include "write_tracking.h"
#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>

enum { SIZE = 200000 };

static void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    torc_trace_begin();
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

TestSuite(away_results, .init = start, .fini = torc_glue_finish);

static GrB_Vector new_vector(double value)
{
    double *values = torc_malloc(SIZE * sizeof *values);
    void *array = values;
    GrB_Vector v;
    for (int i = 0; i < SIZE; i++) {
        values[i] = value + i % 3;
    }
    cr_assert_eq(GrB_Vector_new(&v, GrB_FP64, SIZE), GrB_SUCCESS);
    cr_assert_eq(GxB_Vector_pack_Full(v, &array, SIZE * sizeof *values, false, NULL), GrB_SUCCESS);
    return v;
}

static double element(GrB_Vector v, GrB_Index i)
{
    double x;
    cr_assert_eq(GrB_Vector_extractElement_FP64(&x, v, i), GrB_SUCCESS);
    return x;
}

Test(away_results, written_over_an_operand_are_read_next)
{
    GrB_Vector v = new_vector(0.25), w = new_vector(0.5);
    torc_target in_place = {.name = "GrB_Vector_apply", .C = (GrB_Matrix)v};
    torc_target copy = {.name = "GrB_Vector_assign", .C = (GrB_Matrix)w};
    const torc_indices all = {NULL, 1, true};
    cr_assert(torc_try_apply(&in_place, GxB_POSITIONI_INT32, (GrB_Matrix)v));
    cr_assert(torc_away_is_any());
    cr_assert(torc_try_assign(&copy, (GrB_Matrix)v, all, all));
    cr_assert_eq(element(w, 77), 77, "the copy has %g", element(w, 77));
    cr_assert_eq(element(v, 77), 77, "the original has %g", element(v, 77));
    GrB_Vector_free(&v);
    GrB_Vector_free(&w);
}
