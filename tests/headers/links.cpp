/* links.cpp: a C++ program with graphblas.h links to GraphBLAS, whose header may not say that it is C. */
#include <torc/graphblas.h>

int main()
{
    GrB_Matrix A = nullptr;
    GrB_Info begun = GrB_init(GrB_BLOCKING);
    GrB_Info made = begun == GrB_SUCCESS ? GrB_Matrix_new(&A, GrB_FP64, 2, 2) : begun;
    GrB_Info held = made == GrB_SUCCESS ? torc_matrix_hold(A) : made;
    torc_matrix_release(A);
    GrB_Matrix_free(&A);
    GrB_finalize();
    return held == GrB_SUCCESS ? 0 : 1;
}
