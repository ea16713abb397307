/* search_vector.c: breadth-first search from one source, parents and levels, as LAGraph writes it
 * (LAGr_BreadthFirstSearch): a level is pushed from a sparse frontier or pulled into a bitmap one, whichever
 * follows fewer edges (Beamer, Asanović, Patterson, Direction-Optimizing Breadth-First Search, SC 2012).
 */
#include "bench_graphblas.h"
#include "graph_program.h"

enum { ALPHA = 8, BETA_PULL = 8, BETA_PUSH = 512 };

typedef struct search {
    const bench_input *input;
    GrB_Vector frontier, parents, levels, followed;
    GrB_Index size, size_before;
    int64_t edges_left;
    bool is_pulled;
} search;

static GrB_Vector new_vector(GrB_Type type, GrB_Index n, int sparsity)
{
    GrB_Vector vector;
    TRY(GrB_Vector_new(&vector, type, n));
    TRY(GxB_Vector_Option_set(vector, GxB_SPARSITY_CONTROL, sparsity));
    return vector;
}

/* Σ of the frontier's degrees */
static int64_t count_edges(search *it)
{
    int64_t edges = 0;
    TRY(GrB_Vector_assign(
        it->followed, it->frontier, NULL, it->input->degree, GrB_ALL, it->input->n, GrB_DESC_RS));
    TRY(GrB_Vector_reduce_INT64(&edges, NULL, GrB_PLUS_MONOID_INT64, it->followed, NULL));
    return edges;
}

static void choose_direction(search *it)
{
    bool is_growing = it->size > it->size_before;
    if (it->is_pulled) {
        it->is_pulled = is_growing || it->size > it->input->n / BETA_PUSH;
    } else if (is_growing) {
        int64_t edges = count_edges(it);
        it->edges_left -= edges;
        it->is_pulled = edges > it->edges_left / ALPHA || it->size > it->input->n / BETA_PULL;
    }
}

static void advance(search *it)
{
    const bench_input *input = it->input;
    TRY(GxB_Vector_Option_set(it->frontier, GxB_SPARSITY_CONTROL, it->is_pulled ? GxB_BITMAP : GxB_SPARSE));
    if (it->is_pulled) {
        TRY(GrB_mxv(
            it->frontier, it->parents, NULL, GxB_ANY_SECONDI_INT64, input->AT, it->frontier, GrB_DESC_RSC));
    } else {
        TRY(GrB_vxm(
            it->frontier, it->parents, NULL, GxB_ANY_SECONDI_INT64, it->frontier, input->A, GrB_DESC_RSC));
    }
    it->size_before = it->size;
    TRY(GrB_Vector_nvals(&it->size, it->frontier));
}

void bench_search(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    (void)batch;
    GrB_Index n = input->n, source = input->sources[0];
    search it = {.input = input, .size = 1};
    it.frontier = new_vector(GrB_INT64, n, GxB_AUTO_SPARSITY);
    it.parents = new_vector(GrB_INT64, n, GxB_BITMAP | GxB_FULL);
    it.levels = new_vector(GrB_INT32, n, GxB_BITMAP | GxB_FULL);
    it.followed = new_vector(GrB_INT64, n, GxB_AUTO_SPARSITY);
    TRY(GrB_Vector_reduce_INT64(&it.edges_left, NULL, GrB_PLUS_MONOID_INT64, input->degree, NULL));
    TRY(GrB_Vector_setElement_INT64(it.frontier, (int64_t)source, source));
    TRY(GrB_Vector_setElement_INT64(it.parents, (int64_t)source, source));
    TRY(GrB_Vector_setElement_INT32(it.levels, 0, source));
    for (int level = 1; level < input->most_steps; level++) {
        choose_direction(&it);
        advance(&it);
        answer->steps++;
        if (it.size == 0) {
            break;
        }
        TRY(GrB_Vector_assign(it.parents, it.frontier, NULL, it.frontier, GrB_ALL, n, GrB_DESC_S));
        TRY(GrB_Vector_assign_INT32(it.levels, it.frontier, NULL, level, GrB_ALL, n, GrB_DESC_S));
    }
    bench_answer_vector(answer, &it.levels, BENCH_EXACT);
    bench_answer_vector(answer, &it.parents, BENCH_PARENTS);
    GrB_Vector_free(&it.frontier);
    GrB_Vector_free(&it.followed);
}
