/* pagerank_vector.c: PageRank of all vertices in one vector, as LAGraph writes it (LAGr_PageRank, fp32). With
 * d(k) = max (out-degree, 1) / damping, a step is
 *
 *     w = t ./ d;  r = teleport;  r += Aᵀ·w;  change = Σ |t - r|
 *
 * The number of steps is fixed; the change is read in each of them all the same, as a program does that stops
 * by it.
 */
#include "bench_graphblas.h"
#include "graph_program.h"

static const float damping = 0.85f;
enum { STEPS = 20 };

static GrB_Vector new_vector(GrB_Index n)
{
    GrB_Vector vector;
    TRY(GrB_Vector_new(&vector, GrB_FP32, n));
    return vector;
}

/* d = max (degree / damping, 1 / damping) */
static GrB_Vector scale_by_degree(const bench_input *input)
{
    GrB_Vector d = new_vector(input->n), least = new_vector(input->n);
    TRY(GrB_Vector_apply_BinaryOp2nd_FP32(d, NULL, NULL, GrB_DIV_FP32, input->degree, damping, NULL));
    TRY(GrB_Vector_assign_FP32(least, NULL, NULL, 1 / damping, GrB_ALL, input->n, NULL));
    TRY(GrB_Vector_eWiseAdd_BinaryOp(d, NULL, NULL, GrB_MAX_FP32, least, d, NULL));
    TRY(GrB_Vector_free(&least));
    return d;
}

void bench_pagerank_vector(bench_answer *answer, const bench_input *input, GrB_Index batch)
{
    (void)batch;
    GrB_Index n = input->n;
    GrB_Vector d = scale_by_degree(input), t = new_vector(n), r = new_vector(n), w = new_vector(n);
    GrB_Semiring plus_second;
    float teleport = (1 - damping) / (float)n, change = 1;
    TRY(GrB_Semiring_new(&plus_second, GrB_PLUS_MONOID_FP32, GrB_SECOND_FP32));
    TRY(GrB_Vector_assign_FP32(r, NULL, NULL, 1 / (float)n, GrB_ALL, n, NULL));
    for (int step = 0; step < STEPS && change > 0; step++) {
        GrB_Vector swap = t;
        t = r;
        r = swap;
        TRY(GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GrB_DIV_FP32, t, d, NULL));
        TRY(GrB_Vector_assign_FP32(r, NULL, NULL, teleport, GrB_ALL, n, NULL));
        TRY(GrB_mxv(r, NULL, GrB_PLUS_FP32, plus_second, input->AT, w, NULL));
        TRY(GrB_Vector_assign(t, NULL, GrB_MINUS_FP32, r, GrB_ALL, n, NULL));
        TRY(GrB_Vector_apply(t, NULL, NULL, GrB_ABS_FP32, t, NULL));
        TRY(GrB_Vector_reduce_FP32(&change, NULL, GrB_PLUS_MONOID_FP32, t, NULL));
        answer->steps++;
    }
    bench_answer_vector(answer, &r, BENCH_ROUNDED)->bound =
        bench_sum_bound(0x1p-24, STEPS, (double)input->longest_column + 3);
    GrB_Vector_free(&t);
    GrB_Vector_free(&w);
    GrB_Vector_free(&d);
    GrB_Semiring_free(&plus_second);
}
