/* product_plugin.c: starts GraphBLAS, multiplies, and ends it. */
#include <GraphBLAS.h>
#include <stdio.h>

enum { N = 3000, COLUMNS = 60 };

void plugin_run(void);

static GrB_Matrix make(GrB_Index ncols, GrB_Index step)
{
    GrB_Matrix A = NULL;
    GrB_Matrix_new(&A, GrB_FP64, N, ncols);
    for (GrB_Index i = 0; i < N; i++) {
        for (GrB_Index j = i % step; j < ncols; j += step) {
            GrB_Matrix_setElement_FP64(A, (double)(i % 7) - (double)(j % 5), i, j);
        }
    }
    GrB_Matrix_wait(A, GrB_MATERIALIZE);
    return A;
}

void plugin_run(void)
{
    printf("start %d, ", GrB_init(GrB_NONBLOCKING));
    GrB_Matrix S = make(N, 100), X = make(COLUMNS, 1), C = NULL;
    double sum = 0;
    GrB_Matrix_new(&C, GrB_FP64, N, COLUMNS);
    printf("mxm %d, ", GrB_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, S, X, NULL));
    GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, C, NULL);
    GrB_Matrix_free(&S);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&C);
    printf("sum %g, end %d\n", sum, GrB_finalize());
}
