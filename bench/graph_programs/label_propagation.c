/* label_propagation.c: labels of some vertices spread to all: Zhu, Ghahramani, Learning from Labeled and
 * Unlabeled Data with Label Propagation (2002). F(v,c) is how much class c has of vertex v; D(v,:) is v's
 * degree. A step is
 *
 *     T = 0;  T += S · F;  F = T ./ D;  F⟨labels⟩ = labels
 */
#include "bench_graphblas.h"
#include "graph_program.h"

enum { STEPS = 20 };

static GrB_Matrix new_full(GrB_Index n, GrB_Index classes, float value)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, GrB_FP32, n, classes));
    TRY(GrB_Matrix_assign_FP32(matrix, NULL, NULL, value, GrB_ALL, n, GrB_ALL, classes, NULL));
    return matrix;
}

void bench_label_propagation(bench_answer *answer, const bench_input *input, GrB_Index classes)
{
    GrB_Index n = input->n;
    GrB_Semiring plus_second = GxB_PLUS_SECOND_FP32;
    GrB_Matrix F = new_full(n, classes, 1 / (float)classes), T = new_full(n, classes, 1);
    GrB_Matrix D = new_full(n, classes, 1);
    TRY(GrB_mxm(D, NULL, GrB_MAX_FP32, plus_second, input->S, T, NULL));
    TRY(GrB_Matrix_assign(F, input->labels, NULL, input->labels, GrB_ALL, n, GrB_ALL, classes, GrB_DESC_S));
    for (int step = 0; step < STEPS; step++) {
        TRY(GrB_Matrix_assign_FP32(T, NULL, NULL, 0, GrB_ALL, n, GrB_ALL, classes, NULL));
        TRY(GrB_mxm(T, NULL, GrB_PLUS_FP32, plus_second, input->S, F, NULL));
        TRY(GrB_Matrix_eWiseMult_BinaryOp(F, NULL, NULL, GrB_DIV_FP32, T, D, NULL));
        TRY(GrB_Matrix_assign(
            F, input->labels, NULL, input->labels, GrB_ALL, n, GrB_ALL, classes, GrB_DESC_S));
        answer->steps++;
    }
    bench_answer_matrix(answer, &F, BENCH_ROUNDED)->bound =
        bench_sum_bound(0x1p-24, STEPS, (double)(input->longest_row + input->longest_column) + 1);
    GrB_Matrix_free(&T);
    GrB_Matrix_free(&D);
}
