/* program_product.h: C = A B, for programs that run alone and under torc. A permutes rows; B and C have more
 * than 1 MiB, so that they may stay on the device. */
#ifndef TORC_PROGRAM_PRODUCT_H
#define TORC_PROGRAM_PRODUCT_H

#include "require.h"
#include <GraphBLAS.h>

#define OK(call) TORC_REQUIRE((call) == GrB_SUCCESS)

enum { SIZE = 3000, WIDTH = 64 };

static GrB_Matrix A, B, C;

/* On one thread: OpenMP has no others in a child of fork, nor in a sandbox. */
static inline void program_product_make(void)
{
    OK(GrB_init(GrB_NONBLOCKING));
    OK(GxB_Global_Option_set(GxB_NTHREADS, 1));
    OK(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    OK(GrB_Matrix_new(&B, GrB_FP64, SIZE, WIDTH));
    OK(GrB_Matrix_new(&C, GrB_FP64, SIZE, WIDTH));
    for (GrB_Index i = 0; i < SIZE; i++) {
        OK(GrB_Matrix_setElement_FP64(A, 2, i, (i * 7 + 3) % SIZE));
    }
    for (GrB_Index i = 0; i < SIZE * WIDTH; i++) {
        OK(GrB_Matrix_setElement_FP64(B, (double)(i % 5), i / WIDTH, i % WIDTH));
    }
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GrB_Matrix_wait(B, GrB_MATERIALIZE));
}

static inline GrB_Info program_product_multiply(GrB_Matrix to, GrB_Matrix from)
{
    return GrB_mxm(to, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, from, NULL);
}

static inline double program_product_sum(GrB_Matrix of)
{
    double sum = 0;
    OK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, of, NULL));
    return sum;
}

#endif
