/* betweenness.c: betweenness centrality by Brandes' method from `batch` sources at once, as LAGraph writes it
 * (LAGr_Betweenness): shortest paths are counted level by level, forward; what depends on each vertex flows
 * back.
 */
#include "bench_graphblas.h"
#include "graph_program.h"

#include <stdlib.h>

static const double pull_share = 0.1; /* the frontier's share of all pairs from which on a level is pulled */

typedef struct centrality {
    const bench_input *input;
    GrB_Index batch, n;
    GrB_Semiring plus_first;
    GrB_Matrix paths, frontier;
    GrB_Matrix *levels; /* the pattern of each level's frontier */
    int nlevels;
} centrality;

static GrB_Matrix new_matrix(GrB_Type type, const centrality *it)
{
    GrB_Matrix matrix;
    TRY(GrB_Matrix_new(&matrix, type, it->batch, it->n));
    return matrix;
}

static bool is_pulled(GrB_Index size, const centrality *it)
{
    return (double)size > pull_share * (double)it->batch * (double)it->n;
}

static void start(centrality *it)
{
    it->paths = new_matrix(GrB_FP64, it);
    it->frontier = new_matrix(GrB_FP64, it);
    TRY(GxB_Matrix_Option_set(it->paths, GxB_SPARSITY_CONTROL, GxB_BITMAP | GxB_FULL));
    for (GrB_Index s = 0; s < it->batch; s++) {
        TRY(GrB_Matrix_setElement_FP64(it->paths, 1, s, it->input->sources[s]));
        TRY(GrB_Matrix_setElement_FP64(it->frontier, 1, s, it->input->sources[s]));
    }
    TRY(GrB_mxm(it->frontier, it->paths, NULL, it->plus_first, it->frontier, it->input->A, GrB_DESC_RSC));
}

/* paths += frontier;  frontier⟨¬paths⟩ = frontier · A */
static void count_paths(centrality *it)
{
    GrB_Index size;
    TRY(GrB_Matrix_nvals(&size, it->frontier));
    while (size > 0 && it->nlevels < it->input->most_steps) {
        GrB_Matrix *level = &it->levels[it->nlevels++];
        *level = new_matrix(GrB_BOOL, it);
        TRY(GrB_Matrix_apply(*level, NULL, NULL, GxB_ONE_BOOL, it->frontier, NULL));
        TRY(GrB_Matrix_assign(
            it->paths, NULL, GrB_PLUS_FP64, it->frontier, GrB_ALL, it->batch, GrB_ALL, it->n, NULL));
        bool pull = is_pulled(size, it);
        TRY(GxB_Matrix_Option_set(it->frontier, GxB_SPARSITY_CONTROL, pull ? GxB_BITMAP : GxB_SPARSE));
        TRY(GrB_mxm(it->frontier, it->paths, NULL, it->plus_first, it->frontier,
            pull ? it->input->AT : it->input->A, pull ? GrB_DESC_RSCT1 : GrB_DESC_RSC));
        TRY(GrB_Matrix_nvals(&size, it->frontier));
    }
}

/* For each level from the last: W⟨level⟩ = update ./ paths;  W⟨level before⟩ = W · Aᵀ;  update += W .* paths
 */
static GrB_Matrix flow_back(centrality *it)
{
    GrB_Matrix update = new_matrix(GrB_FP64, it), W = new_matrix(GrB_FP64, it);
    TRY(GrB_Matrix_assign_FP64(update, NULL, NULL, 1, GrB_ALL, it->batch, GrB_ALL, it->n, NULL));
    for (int level = it->nlevels - 1; level > 0; level--) {
        GrB_Index size;
        TRY(GrB_Matrix_eWiseMult_BinaryOp(
            W, it->levels[level], NULL, GrB_DIV_FP64, update, it->paths, GrB_DESC_RS));
        TRY(GrB_Matrix_nvals(&size, W));
        bool pull = is_pulled(size, it);
        TRY(GxB_Matrix_Option_set(W, GxB_SPARSITY_CONTROL, pull ? GxB_BITMAP : GxB_SPARSE));
        TRY(GrB_mxm(W, it->levels[level - 1], NULL, it->plus_first, W, pull ? it->input->A : it->input->AT,
            pull ? GrB_DESC_RST1 : GrB_DESC_RS));
        TRY(GrB_Matrix_eWiseMult_BinaryOp(update, NULL, GrB_PLUS_FP64, GrB_TIMES_FP64, W, it->paths, NULL));
    }
    GrB_Matrix_free(&W);
    return update;
}

void bench_betweenness(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    centrality it = {.input = input, .batch = batch, .n = input->n};
    GrB_Vector centrality_of;
    it.levels = bench_allocate((size_t)input->most_steps, sizeof *it.levels);
    TRY(GrB_Semiring_new(&it.plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64));
    start(&it);
    count_paths(&it);
    GrB_Matrix update = flow_back(&it);
    TRY(GrB_Vector_new(&centrality_of, GrB_FP64, it.n));
    TRY(GrB_Vector_assign_FP64(centrality_of, NULL, NULL, -(double)batch, GrB_ALL, it.n, NULL));
    TRY(GrB_Matrix_reduce_Monoid(
        centrality_of, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, update, GrB_DESC_T0));
    answer->steps = it.nlevels;

    /* both ways a sum and two more operations a level, and the columns' sums */
    double terms = (double)(input->longest_row + input->longest_column + batch);
    bench_result *result = bench_answer_vector(answer, &centrality_of, BENCH_ROUNDED);
    result->bound = bench_sum_bound(0x1p-53, 4 * it.nlevels + 1, terms);
    result->cancelled = 2 * (double)batch;
    for (int level = 0; level < it.nlevels; level++) {
        GrB_Matrix_free(&it.levels[level]);
    }
    free(it.levels);
    GrB_Matrix_free(&it.paths);
    GrB_Matrix_free(&it.frontier);
    GrB_Matrix_free(&update);
    GrB_Semiring_free(&it.plus_first);
}
