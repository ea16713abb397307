/* away_fixture.h: GraphBLAS with torc's allocator, where results stay on the device, and vectors in it. */
#ifndef TORC_AWAY_FIXTURE_H
#define TORC_AWAY_FIXTURE_H

#include "away.h"
#include "glue_fixture.h"
#include "write_tracking.h"
#include <criterion/criterion.h>
#include <signal.h>

enum { SIZE = 200000 };

static inline void start(void)
{
    if (!torc_tracking_is_available()) {
        cr_skip_test("this kernel tracks no writes");
    }
    torc_trace_begin();
    torc_away_allow(sigaction);
    cr_assert_eq(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free), GrB_SUCCESS);
}

static inline GrB_Vector new_vector(double value)
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

static inline double element(GrB_Vector v, GrB_Index i)
{
    double x;
    cr_assert_eq(GrB_Vector_extractElement_FP64(&x, v, i), GrB_SUCCESS);
    return x;
}

#endif
