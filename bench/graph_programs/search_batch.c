/* search_batch.c: breadth-first search from `batch` sources at once, a row each: levels, or parents.
 * GraphBLAS itself moves the frontier between sparse and bitmap. A level is
 *
 *     levels⟨frontier⟩ = k   or   parents⟨frontier⟩ = frontier
 *     frontier⟨¬seen⟩ = frontier · A
 */
#include "bench_graphblas.h"
#include "graph_program.h"

static GrB_Matrix new_matrix(GrB_Type type, GrB_Index batch, GrB_Index n)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, type, batch, n));
    return matrix;
}

void bench_search_levels(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    GrB_Matrix levels = new_matrix(GrB_INT32, batch, input->n);
    GrB_Matrix frontier = new_matrix(GrB_BOOL, batch, input->n);
    GrB_Index size = batch;
    for (GrB_Index s = 0; s < batch; s++) {
        TRY(GrB_Matrix_setElement_BOOL(frontier, true, s, input->sources[s]));
    }
    for (int level = 0; size > 0 && level < input->most_steps; level++) {
        TRY(GrB_Matrix_assign_INT32(
            levels, frontier, NULL, level, GrB_ALL, batch, GrB_ALL, input->n, GrB_DESC_S));
        TRY(GrB_mxm(frontier, levels, NULL, GxB_ANY_PAIR_BOOL, frontier, input->A, GrB_DESC_RSC));
        TRY(GrB_Matrix_nvals(&size, frontier));
        answer->steps++;
    }
    bench_answer_matrix(answer, &levels, BENCH_EXACT);
    GrB_Matrix_free(&frontier);
}

void bench_search_parents(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    GrB_Matrix parents = new_matrix(GrB_INT64, batch, input->n);
    GrB_Matrix frontier = new_matrix(GrB_INT64, batch, input->n);
    GrB_Index size = batch;
    for (GrB_Index s = 0; s < batch; s++) {
        TRY(GrB_Matrix_setElement_INT64(frontier, (int64_t)input->sources[s], s, input->sources[s]));
    }
    for (int level = 0; size > 0 && level < input->most_steps; level++) {
        TRY(GrB_Matrix_assign(
            parents, frontier, NULL, frontier, GrB_ALL, batch, GrB_ALL, input->n, GrB_DESC_S));
        TRY(GrB_mxm(frontier, parents, NULL, GxB_ANY_SECONDI_INT64, frontier, input->A, GrB_DESC_RSC));
        TRY(GrB_Matrix_nvals(&size, frontier));
        answer->steps++;
    }
    bench_answer_matrix(answer, &parents, BENCH_PARENTS);
    GrB_Matrix_free(&frontier);
}
