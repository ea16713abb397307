/* shortest_paths.c: lengths of the shortest paths from `batch` sources, a column each, by rounds of Bellman
 * and Ford's method, until one changes nothing:
 *
 *     Y = X;  Y min= W · X (min_plus, W the transposed weights);  is anything in Y less than in X?
 */
#include "bench_graphblas.h"
#include "graph_program.h"

#include <math.h>

static GrB_Matrix new_matrix(GrB_Type type, GrB_Index n, GrB_Index batch)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, type, n, batch));
    return matrix;
}

void bench_shortest_paths(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    GrB_Index n = input->n;
    GrB_Matrix X = new_matrix(GrB_FP32, n, batch), Y = new_matrix(GrB_FP32, n, batch);
    GrB_Matrix is_less = new_matrix(GrB_BOOL, n, batch);
    bool has_changed = true;
    TRY(GrB_Matrix_assign_FP32(X, NULL, NULL, INFINITY, GrB_ALL, n, GrB_ALL, batch, NULL));
    for (GrB_Index s = 0; s < batch; s++) {
        TRY(GrB_Matrix_setElement_FP32(X, 0, input->sources[s], s));
    }
    while (has_changed && answer->steps < input->most_steps) {
        TRY(GrB_Matrix_assign(Y, NULL, NULL, X, GrB_ALL, n, GrB_ALL, batch, NULL));
        TRY(GrB_mxm(Y, NULL, GrB_MIN_FP32, GrB_MIN_PLUS_SEMIRING_FP32, input->weights, X, NULL));
        TRY(GrB_Matrix_eWiseMult_BinaryOp(is_less, NULL, NULL, GrB_LT_FP32, Y, X, NULL));
        TRY(GrB_Matrix_reduce_BOOL(&has_changed, NULL, GrB_LOR_MONOID_BOOL, is_less, NULL));
        GrB_Matrix swap = X;
        X = Y;
        Y = swap;
        answer->steps++;
    }
    bench_answer_matrix(answer, &X, BENCH_EXACT);
    GrB_Matrix_free(&Y);
    GrB_Matrix_free(&is_less);
}
