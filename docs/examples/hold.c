/* hold.c: torc_mxm by name, and an operand that stays on the device. Shortest paths from 4 corners of a grid:
 * X = min (X, A min.+ X) until nothing changes.
 *
 *     cc hold.c -I/usr/include/suitesparse $(pkg-config --cflags --libs torc_graphblas) -lgraphblas -o hold
 */
#include <stdio.h>
#include <stdlib.h>
#include <torc/graphblas.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        GrB_Info info = (call);                                                                              \
        if (info != GrB_SUCCESS) {                                                                           \
            fprintf(stderr, "%s:%d: GraphBLAS returned %d\n", __FILE__, __LINE__, (int)info);                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

enum { SIDE = 50, N = SIDE * SIDE, K = 4 };

static void connect(GrB_Matrix A, int u, int v)
{
    double weight = 1 + (u + v) % 3;
    CHECK(GrB_Matrix_setElement_FP64(A, weight, (GrB_Index)u, (GrB_Index)v));
    CHECK(GrB_Matrix_setElement_FP64(A, weight, (GrB_Index)v, (GrB_Index)u));
}

int main(void)
{
    const GrB_Index corners[K] = {0, SIDE - 1, N - SIDE, N - 1};
    GrB_Matrix A, X, T, differs;
    bool has_changed = true;
    int rounds = 0;
    double across;
    CHECK(GrB_init(GrB_NONBLOCKING));
    CHECK(GrB_Matrix_new(&A, GrB_FP64, N, N));
    CHECK(GrB_Matrix_new(&X, GrB_FP64, N, K));
    CHECK(GrB_Matrix_new(&T, GrB_FP64, N, K));
    CHECK(GrB_Matrix_new(&differs, GrB_BOOL, N, K));
    for (int v = 0; v < N; v++) {
        if (v % SIDE + 1 < SIDE) {
            connect(A, v, v + 1);
        }
        if (v + SIDE < N) {
            connect(A, v, v + SIDE);
        }
    }
    CHECK(GrB_Matrix_assign_FP64(X, NULL, NULL, 1e9, GrB_ALL, N, GrB_ALL, K, NULL));
    for (GrB_Index j = 0; j < K; j++) {
        CHECK(GrB_Matrix_setElement_FP64(X, 0, corners[j], j));
    }

    /* A promise: A does not change until it is released. On a GPU its copy is made once. */
    CHECK(torc_matrix_hold(A));
    for (; has_changed; rounds++) {
        CHECK(GrB_Matrix_assign(T, NULL, NULL, X, GrB_ALL, N, GrB_ALL, K, NULL));
        CHECK(torc_mxm(T, NULL, GrB_MIN_FP64, GrB_MIN_PLUS_SEMIRING_FP64, A, X, NULL)); /* as GrB_mxm */
        CHECK(GrB_Matrix_eWiseMult_BinaryOp(differs, NULL, NULL, GrB_NE_FP64, T, X, NULL));
        CHECK(GrB_Matrix_reduce_BOOL(&has_changed, NULL, GrB_LOR_MONOID_BOOL, differs, NULL));
        GrB_Matrix swap = X;
        X = T;
        T = swap;
    }
    CHECK(torc_matrix_release(A));

    CHECK(GrB_Matrix_extractElement_FP64(&across, X, N - 1, 0));
    printf("from corner to corner: %g, after %d rounds\n", across, rounds);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&T);
    GrB_Matrix_free(&differs);
    GrB_finalize();
    return 0;
}
