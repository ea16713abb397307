/* graph_network.c: inference of a graph neural network of two layers, by sums over neighbours: a layer is
 *
 *     H = clip (S · (H · W))          clip (x) = min (max (x, 0), 4)
 *
 * sparse × full of fp32 around a small full × full. W has four weights of ±1 a column and zeros elsewhere, so
 * that sums stay integers below 2^24, which fp32 adds exactly.
 */
#include "bench_graphblas.h"
#include "graph_program.h"

static const float most = 4;

static GrB_Matrix new_full(GrB_Index nrows, GrB_Index ncols)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, GrB_FP32, nrows, ncols));
    TRY(GrB_Matrix_assign_FP32(matrix, NULL, NULL, 0, GrB_ALL, nrows, GrB_ALL, ncols, NULL));
    return matrix;
}

void bench_graph_network(bench_answer *answer, const bench_input *input, GrB_Index width)
{
    GrB_Index n = input->n;
    GrB_Matrix T = new_full(n, width), H = new_full(n, width);
    for (int layer = 0; layer < BENCH_LAYERS; layer++) {
        GrB_Matrix W = input->layers[layer];
        TRY(GrB_mxm(T, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP32, layer ? H : input->features, W, NULL));
        TRY(GrB_Matrix_assign_FP32(H, NULL, NULL, 0, GrB_ALL, n, GrB_ALL, width, NULL));
        TRY(GrB_mxm(H, NULL, GrB_PLUS_FP32, GrB_PLUS_TIMES_SEMIRING_FP32, input->S, T, NULL));
        TRY(GrB_Matrix_apply_BinaryOp2nd_FP32(H, NULL, NULL, GrB_MAX_FP32, H, 0, NULL));
        TRY(GrB_Matrix_apply_BinaryOp2nd_FP32(H, NULL, NULL, GrB_MIN_FP32, H, most, NULL));
        answer->steps++;
    }
    bench_answer_matrix(answer, &H, BENCH_EXACT);
    GrB_Matrix_free(&T);
}
