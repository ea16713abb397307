/* centre_distances.c: a round of k-means: how far each point, a row x of A, is from the nearest of k centres,
 * the columns of C. |x - c|² = |x|² - 2·x·c + |c|², and |x|², the row's entries, does not tell which is
 * nearest:
 *
 *     D = 1 · |c|²ᵀ;  D += A · (-2·C);  nearest = min over the columns of D;  nearest += |x|²
 *
 * All values are fractions of 256, which fp64 adds exactly.
 */
#include "bench_graphblas.h"
#include "graph_program.h"

static GrB_Matrix new_matrix(GrB_Index nrows, GrB_Index ncols)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, GrB_FP64, nrows, ncols));
    return matrix;
}

/* D(i,j) = |c(j)|², with P for the squares */
static void add_squares(GrB_Matrix D, GrB_Matrix P, const bench_input *input, GrB_Index k)
{
    GrB_Matrix row = new_matrix(1, k), ones = new_matrix(input->n, 1);
    GrB_Vector squares;
    TRY(GrB_Vector_new(&squares, GrB_FP64, k));
    TRY(GrB_Matrix_eWiseMult_BinaryOp(P, NULL, NULL, GrB_TIMES_FP64, input->centres, input->centres, NULL));
    TRY(GrB_Matrix_reduce_Monoid(squares, NULL, NULL, GrB_PLUS_MONOID_FP64, P, GrB_DESC_T0));
    TRY(GrB_Row_assign(row, NULL, NULL, squares, 0, GrB_ALL, k, NULL));
    TRY(GrB_Matrix_assign_FP64(ones, NULL, NULL, 1, GrB_ALL, input->n, GrB_ALL, 1, NULL));
    TRY(GrB_mxm(D, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, ones, row, NULL));
    GrB_Matrix_free(&row);
    GrB_Matrix_free(&ones);
    GrB_Vector_free(&squares);
}

void bench_centre_distances(bench_answer *answer, const bench_input *input, GrB_Index k)
{
    GrB_Matrix D = new_matrix(input->n, k), P = new_matrix(input->n, k);
    GrB_Vector nearest;
    TRY(GrB_Vector_new(&nearest, GrB_FP64, input->n));
    add_squares(D, P, input, k);
    TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(P, NULL, NULL, GrB_TIMES_FP64, input->centres, -2, NULL));
    TRY(GrB_mxm(D, NULL, GrB_PLUS_FP64, GxB_PLUS_SECOND_FP64, input->A, P, NULL));
    TRY(GrB_Matrix_reduce_Monoid(nearest, NULL, NULL, GrB_MIN_MONOID_FP64, D, NULL));
    TRY(GrB_Vector_eWiseAdd_BinaryOp(nearest, NULL, NULL, GrB_PLUS_FP64, nearest, input->degree, NULL));
    answer->steps = 1;
    bench_answer_vector(answer, &nearest, BENCH_EXACT);
    GrB_Matrix_free(&D);
    GrB_Matrix_free(&P);
}
