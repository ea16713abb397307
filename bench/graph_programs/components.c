/* components.c: connected components by FastSV: Zhang, Azad, Hu, FastSV: A Distributed-Memory Connected
 * Component Algorithm with Fast Convergence (PP 2020), as LAGraph writes it (LG_CC_FastSV6), sampled start
 * and all. Every vertex ends with the least vertex of its component.
 *
 * In `hook` C(i,j) is there where i = parent(j): parent's values are the row indices of a CSC matrix, which
 * is packed and unpacked around the product.
 */
#include "bench_graphblas.h"
#include "components_sample.h"
#include "graph_program.h"

#include <stdlib.h>

typedef struct rounds {
    GrB_Index n;
    GrB_Vector parent, least, grandparent, grandparent_next,
        is_same; /* least: of the neighbours' grandparents */
    GrB_Matrix hooks;
    GrB_Index *column_ptr, *parents;
    bool *present;
} rounds;

static GrB_Vector copy(GrB_Vector vector)
{
    GrB_Vector result;
    TRY(GrB_Vector_dup(&result, vector));
    return result;
}

static void start(rounds *it)
{
    GrB_Index n = it->n;
    it->column_ptr = bench_allocate(n + 1, sizeof *it->column_ptr);
    it->parents = bench_allocate(n, sizeof *it->parents);
    it->present = bench_allocate(1, sizeof *it->present);
    *it->present = true;
#pragma omp parallel for
    for (GrB_Index v = 0; v <= n; v++) {
        it->column_ptr[v] = v;
    }
    TRY(GrB_Matrix_new(&it->hooks, GrB_BOOL, n, n));
    TRY(GrB_Vector_new(&it->parent, GrB_UINT64, n));
    TRY(GrB_Vector_assign_UINT64(it->parent, NULL, NULL, 0, GrB_ALL, n, NULL));
    TRY(GrB_Vector_apply_IndexOp_INT64(it->parent, NULL, NULL, GrB_ROWINDEX_INT64, it->parent, 0, NULL));
    TRY(GrB_Vector_extractTuples_UINT64(NULL, it->parents, &n, it->parent));
    it->least = copy(it->parent);
    it->grandparent = copy(it->parent);
    it->grandparent_next = copy(it->parent);
    TRY(GrB_Vector_new(&it->is_same, GrB_BOOL, n));
}

/* parent = min (parent, C · least) */
static void hook(rounds *it)
{
    void *values = it->present;
    GrB_Index ptr_size = (it->n + 1) * sizeof *it->column_ptr, index_size = it->n * sizeof *it->parents,
              value_size = 1;
    bool is_iso;
    TRY(GxB_Matrix_pack_CSC(it->hooks, &it->column_ptr, &it->parents, &values, ptr_size, index_size,
        value_size, true, false, NULL));
    TRY(GrB_mxv(
        it->parent, NULL, GrB_MIN_UINT64, GrB_MIN_SECOND_SEMIRING_UINT64, it->hooks, it->least, NULL));
    TRY(GxB_Matrix_unpack_CSC(it->hooks, &it->column_ptr, &it->parents, &values, &ptr_size, &index_size,
        &value_size, &is_iso, NULL, NULL));
    it->present = values;
}

/* false after the last round */
static bool advance(rounds *it, GrB_Matrix S)
{
    bool is_done;
    TRY(GrB_mxv(it->least, NULL, GrB_MIN_UINT64, GrB_MIN_SECOND_SEMIRING_UINT64, S, it->grandparent, NULL));
    hook(it);
    TRY(GrB_Vector_eWiseAdd_BinaryOp(
        it->parent, NULL, GrB_MIN_UINT64, GrB_MIN_UINT64, it->least, it->grandparent, NULL));
    TRY(GrB_Vector_extractTuples_UINT64(NULL, it->parents, &it->n, it->parent));
    TRY(GrB_Vector_extract(it->grandparent_next, NULL, NULL, it->parent, it->parents, it->n, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(
        it->is_same, NULL, NULL, GrB_EQ_UINT64, it->grandparent_next, it->grandparent, NULL));
    TRY(GrB_Vector_reduce_BOOL(&is_done, NULL, GrB_LAND_MONOID_BOOL, it->is_same, NULL));
    GrB_Vector swap = it->grandparent;
    it->grandparent = it->grandparent_next;
    it->grandparent_next = swap;
    return !is_done;
}

/* Returns how many rounds it took. */
static int find_components(rounds *it, GrB_Matrix S)
{
    int count = 1;
    while (advance(it, S)) {
        count++;
    }
    return count;
}

void bench_components(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    (void)batch;
    rounds it = {.n = input->n};
    start(&it);
    GrB_Matrix first = bench_sample_first(input->S, it.n), rest = NULL;
    if (first) {
        answer->steps += find_components(&it, first);
        rest = bench_sample_rest(input->S, it.n, it.parents);
    }
    answer->steps += find_components(&it, rest ? rest : input->S);
    bench_answer_vector(answer, &it.parent, BENCH_EXACT);
    GrB_Matrix_free(&first);
    GrB_Matrix_free(&rest);
    GrB_Vector_free(&it.least);
    GrB_Vector_free(&it.grandparent);
    GrB_Vector_free(&it.grandparent_next);
    GrB_Vector_free(&it.is_same);
    GrB_Matrix_free(&it.hooks);
    free(it.column_ptr);
    free(it.parents);
    free(it.present);
}
