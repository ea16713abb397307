/* single_mxv.c: one GrB_mxv, `calls` times: the products of one-vector PageRank, of components, and of a
 * level of a breadth-first search that is pulled. */
#include "bench_graphblas.h"
#include "graph_program.h"

static GrB_Vector new_vector(GrB_Type type, GrB_Index n)
{
    GrB_Vector vector;
    TRY(GrB_Vector_new(&vector, type, n));
    return vector;
}

/* v(i) = i */
static GrB_Vector new_numbered(GrB_Type type, GrB_Index n)
{
    GrB_Vector vector = new_vector(type, n);
    TRY(GrB_Vector_assign_INT64(vector, NULL, NULL, 0, GrB_ALL, n, NULL));
    TRY(GrB_Vector_apply_IndexOp_INT64(vector, NULL, NULL, GrB_ROWINDEX_INT64, vector, 0, NULL));
    return vector;
}

/* r += Aᵀ · w */
void bench_mxv_plus_second(bench_answer *answer, const bench_input *input, GrB_Index calls)
{
    GrB_Vector w = new_numbered(GrB_FP32, input->n), r = new_vector(GrB_FP32, input->n);
    TRY(GrB_Vector_assign_FP32(r, NULL, NULL, 1, GrB_ALL, input->n, NULL));
    for (; (GrB_Index)answer->steps < calls; answer->steps++) {
        TRY(GrB_mxv(r, NULL, GrB_PLUS_FP32, GxB_PLUS_SECOND_FP32, input->AT, w, NULL));
    }
    bench_answer_vector(answer, &r, BENCH_ROUNDED)->bound =
        bench_sum_bound(0x1p-24, (double)calls, (double)input->longest_column + 1);
    GrB_Vector_free(&w);
}

/* y = min (y, S · x), and the other way round */
void bench_mxv_min_second(bench_answer *answer, const bench_input *input, GrB_Index calls)
{
    GrB_Vector x = new_numbered(GrB_UINT32, input->n), y = new_numbered(GrB_UINT32, input->n);
    for (; (GrB_Index)answer->steps < calls; answer->steps++) {
        TRY(GrB_mxv(y, NULL, GrB_MIN_UINT32, GrB_MIN_SECOND_SEMIRING_UINT32, input->S, x, NULL));
        GrB_Vector swap = x;
        x = y;
        y = swap;
    }
    bench_answer_vector(answer, &x, BENCH_EXACT);
    GrB_Vector_free(&y);
}

/* A bitmap of the vertices v that `every` divides. */
static GrB_Vector new_bitmap(GrB_Index n, int64_t every)
{
    GrB_Vector vector = new_vector(GrB_INT64, n);
    TRY(GxB_Vector_Option_set(vector, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    for (GrB_Index v = 0; v < n; v += (GrB_Index)every) {
        TRY(GrB_Vector_setElement_INT64(vector, (int64_t)v, v));
    }
    TRY(GrB_Vector_wait(vector, GrB_MATERIALIZE));
    return vector;
}

/* r⟨¬seen⟩ = Aᵀ · frontier */
void bench_mxv_any_secondi(bench_answer *answer, const bench_input *input, GrB_Index calls)
{
    GrB_Vector frontier = new_bitmap(input->n, 2), seen = new_bitmap(input->n, 3);
    GrB_Vector r = new_vector(GrB_INT64, input->n);
    TRY(GxB_Vector_Option_set(r, GxB_SPARSITY_CONTROL, GxB_BITMAP));
    for (; (GrB_Index)answer->steps < calls; answer->steps++) {
        TRY(GrB_mxv(r, seen, NULL, GxB_ANY_SECONDI_INT64, input->AT, frontier, GrB_DESC_RSC));
    }
    bench_answer_vector(answer, &r, BENCH_STRUCTURE);
    GrB_Vector_free(&frontier);
    GrB_Vector_free(&seen);
}
