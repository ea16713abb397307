/* smooth.c: a GraphBLAS program that knows nothing of torc. Vertices of a random graph have 32 values each; a
 * step gives each vertex the mean of its neighbours' values.
 *
 *     cc -O2 smooth.c -I/usr/include/suitesparse -lgraphblas -o smooth
 *     TORC_BURBLE=1 torc run ./smooth
 */
#include <GraphBLAS.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Checks that stay in every build. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        GrB_Info info = (call);                                                                              \
        if (info != GrB_SUCCESS) {                                                                           \
            fprintf(stderr, "%s:%d: GraphBLAS returned %d\n", __FILE__, __LINE__, (int)info);                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

int main(int argc, char **argv)
{
    const GrB_Index n = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000, degree = 16, K = 32;
    GrB_Matrix A, X, Y;
    uint64_t state = 1;
    double sum = 0;
    if (n == 0 || n > UINT32_MAX) {
        fprintf(stderr, "smooth: so many vertices, please: 1 to 2^32-1\n");
        return 1;
    }
    CHECK(GrB_init(GrB_NONBLOCKING));

    /* A(i,j) = 1/degree; edges drawn twice count twice */
    GrB_Index *rows = malloc(n * degree * sizeof *rows), *columns = malloc(n * degree * sizeof *columns);
    double *values = malloc(n * degree * sizeof *values);
    if (!rows || !columns || !values) {
        fprintf(stderr, "smooth: not enough memory\n");
        return 1;
    }
    for (GrB_Index e = 0; e < n * degree; e++) {
        rows[e] = e / degree;
        columns[e] = draw(&state) % n;
        values[e] = 1 / (double)degree;
    }
    CHECK(GrB_Matrix_new(&A, GrB_FP64, n, n));
    CHECK(GrB_Matrix_build_FP64(A, rows, columns, values, n * degree, GrB_PLUS_FP64));

    /* X: zeros, and ones in the first hundredth of the rows. Both X and Y are full. */
    CHECK(GrB_Matrix_new(&X, GrB_FP64, n, K));
    CHECK(GrB_Matrix_new(&Y, GrB_FP64, n, K));
    CHECK(GrB_Matrix_assign_FP64(X, NULL, NULL, 0, GrB_ALL, n, GrB_ALL, K, NULL));
    const GrB_Index first[] = {0, (n - 1) / 100};
    CHECK(GrB_Matrix_assign_FP64(X, NULL, NULL, 1, first, GxB_RANGE, GrB_ALL, K, NULL));

    for (int step = 0; step < 10; step++) {
        CHECK(GrB_mxm(Y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, A, X, NULL));
        GrB_Matrix swap = X;
        X = Y;
        Y = swap;
    }
    CHECK(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, X, NULL));
    printf("mean %.6f\n", sum / (double)(n * K));

    free(rows);
    free(columns);
    free(values);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&X);
    GrB_Matrix_free(&Y);
    GrB_finalize();
    return 0;
}
