/* consumer.c: C = A·B by torc_mxm, A sparse and B full. Succeeds if C(0,0) is right. */
#include <torc/graphblas.h>

enum { N = 100 };

int main(void)
{
    GrB_Matrix A = NULL, B = NULL, C = NULL;
    float value = 0;
    GrB_init(GrB_NONBLOCKING);
    GrB_Matrix_new(&A, GrB_FP32, N, N);
    GrB_Matrix_new(&B, GrB_FP32, N, N);
    GrB_Matrix_new(&C, GrB_FP32, N, N);
    GrB_Matrix_setElement_FP32(A, 3, 0, 1);
    GrB_Matrix_assign_FP32(B, NULL, NULL, 2, GrB_ALL, N, GrB_ALL, N, NULL);
    GrB_Info info = torc_mxm(C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, A, B, NULL);
    GrB_Matrix_extractElement_FP32(&value, C, 0, 0);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Matrix_free(&C);
    GrB_finalize();
    return info != GrB_SUCCESS || value != 6;
}
