/* chained_products.c: ten products, each of A and the result of the one before: Y = 0; Y += A · X. Row i,
 * column j ends as a weighted number of the walks of ten edges from i. */
#include "bench_graphblas.h"
#include "graph_program.h"

enum { PRODUCTS = 10 };

static void fill(GrB_Matrix X, double value, GrB_Index n, GrB_Index width)
{
    TRY(GrB_Matrix_assign_FP64(X, NULL, NULL, value, GrB_ALL, n, GrB_ALL, width, NULL));
}

void bench_chained_products(bench_answer *answer, const bench_input *input, GrB_Index width)
{
    GrB_Index n = input->n;
    GrB_Matrix X, Y;
    TRY(GrB_Matrix_new(&X, GrB_FP64, n, width));
    TRY(GrB_Matrix_new(&Y, GrB_FP64, n, width));
    fill(X, 1, n, width);
    for (GrB_Index j = 0; j < width; j++) { /* no two columns are alike */
        TRY(GrB_Matrix_setElement_FP64(X, 2, input->sources[j % BENCH_MOST_SOURCES], j));
    }
    for (int product = 0; product < PRODUCTS; product++) {
        fill(Y, 0, n, width);
        TRY(GrB_mxm(Y, NULL, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, input->A, X, NULL));
        GrB_Matrix swap = X;
        X = Y;
        Y = swap;
        answer->steps++;
    }
    bench_answer_matrix(answer, &X, BENCH_ROUNDED)->bound =
        bench_sum_bound(0x1p-53, PRODUCTS, (double)input->longest_row);
    GrB_Matrix_free(&Y);
}
