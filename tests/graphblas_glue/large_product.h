/* large_product.h: C = A B with arrays of more than 1 MiB in torc's arena, so that the kernel's write
 * tracking decides whether copies are fresh. A permutes rows: the sum of C is that of B. */
#ifndef TORC_LARGE_PRODUCT_H
#define TORC_LARGE_PRODUCT_H

#include "glue_fixture.h"

#define OK(call) cr_assert_eq((call), GrB_SUCCESS)

enum { SIZE = 3000, WIDTH = 64, SUM = SIZE * WIDTH + 1 };

static GrB_Matrix A, B, C;

/* On one thread: OpenMP has no others in a child of fork. */
static inline void large_product_start(void)
{
    torc_trace_begin();
    OK(GxB_init(GrB_NONBLOCKING, torc_malloc, torc_calloc, torc_realloc, torc_free));
    OK(GxB_Global_Option_set(GxB_NTHREADS, 1));
    OK(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    for (GrB_Index i = 0; i < SIZE; i++) {
        OK(GrB_Matrix_setElement_FP64(A, 1, i, (i * 7 + 3) % SIZE));
    }
    OK(GrB_Matrix_new(&B, GrB_FP64, SIZE, WIDTH));
    OK(GrB_Matrix_assign_FP64(B, NULL, NULL, 1, GrB_ALL, SIZE, GrB_ALL, WIDTH, NULL));
    OK(GrB_Matrix_setElement_FP64(B, 2, 1, 1)); /* not iso */
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
    OK(GrB_Matrix_new(&C, GrB_FP64, SIZE, WIDTH));
}

static inline void large_product_finish(void)
{
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    torc_glue_finish();
}

static inline GrB_Info large_product_multiply(void)
{
    return torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, B, NULL);
}

static inline double large_product_sum(void)
{
    double sum = 0;
    OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL));
    return sum;
}

#endif
