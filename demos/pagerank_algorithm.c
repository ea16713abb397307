/* pagerank_algorithm.c: the power iteration. With D(k,:) = d(k) / damping, a step is
 *
 *     W = R ./ D                what a vertex gives to each of its out-neighbours
 *     T = 0; T += Aᵀ W          GrB_mxm, sparse × dense, plus_second: Aᵀ is a pattern without values
 *     T(s(j),j) += 1 - Σ T(:,j) the rest of column j starts again at its seed
 *     residual = max Σ |T - R|  over the columns
 *
 * Plain PageRank has one column, which starts and restarts everywhere: (1 - Σ T) / n is added to every
 * vertex.
 *
 * T is preset with zeros and accumulated into, as LAGr_PageRank does: T stays full where Aᵀ has empty rows,
 * and it is the form of the product that SuiteSparse computes fastest. Aᵀ is stored, by row, so that the
 * product needs no transpose.
 */
#include "pagerank_algorithm.h"

#include <math.h>

#include "clock_now.h"
#include "grb_try.h"

typedef struct iteration {
    GrB_Index n, K;
    const GrB_Index *seeds;
    GrB_Semiring plus_second;
    GrB_Matrix AT, D, R, T, W;
    GrB_Vector column_sums;
} iteration;

static GrB_Info fill(GrB_Matrix X, double value)
{
    GrB_Index n, K;
    GrB_Info info;
    TRY(GrB_Matrix_nrows(&n, X));
    TRY(GrB_Matrix_ncols(&K, X));
    TRY(GrB_Matrix_assign_FP64(X, NULL, NULL, value, GrB_ALL, n, GrB_ALL, K, NULL));
done:
    return info;
}

/* D(k,:) = max(out-degree of k, 1) / damping. A vertex without out-edges divides by something too. */
static GrB_Info scale_by_degree(iteration *it, double damping)
{
    GrB_Matrix weights = NULL;
    GrB_Info info;
    TRY(GrB_Matrix_new(&weights, GrB_FP64, it->n, it->K));
    TRY(fill(weights, 1 / damping));
    TRY(fill(it->D, 1 / damping));
    TRY(GrB_mxm(it->D, NULL, GrB_MAX_FP64, it->plus_second, it->AT, weights, GrB_DESC_T0));
done:
    GrB_Matrix_free(&weights);
    return info;
}

/* Column j of R begins as 1 at seed j, or spread over all vertices. */
static GrB_Info start(iteration *it)
{
    GrB_Info info;
    TRY(fill(it->R, it->seeds ? 0 : 1 / (double)it->n));
    for (GrB_Index j = 0; it->seeds && j < it->K; j++) {
        TRY(GrB_Matrix_setElement_FP64(it->R, 1, it->seeds[j], j));
    }
    TRY(GrB_Matrix_wait(it->R, GrB_MATERIALIZE));
done:
    return info;
}

static GrB_Info restart(iteration *it)
{
    double moved;
    GrB_Info info;
    TRY(GrB_Matrix_reduce_Monoid(it->column_sums, NULL, NULL, GrB_PLUS_MONOID_FP64, it->T, GrB_DESC_T0));
    for (GrB_Index j = 0; it->seeds && j < it->K; j++) {
        double share;
        TRY(GrB_Matrix_extractElement_FP64(&share, it->T, it->seeds[j], j));
        TRY(GrB_Vector_extractElement_FP64(&moved, it->column_sums, j));
        TRY(GrB_Matrix_setElement_FP64(it->T, share + (1 - moved), it->seeds[j], j));
    }
    if (!it->seeds) {
        double everywhere;
        TRY(GrB_Vector_extractElement_FP64(&moved, it->column_sums, 0));
        everywhere = (1 - moved) / (double)it->n;
        TRY(GrB_Matrix_assign_FP64(
            it->T, NULL, GrB_PLUS_FP64, everywhere, GrB_ALL, it->n, GrB_ALL, it->K, NULL));
    }
done:
    return info;
}

/* max over the columns of Σ |T - R|, with W for the differences */
static GrB_Info residual_of(double *residual, iteration *it)
{
    GrB_Info info;
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(it->W, NULL, NULL, GrB_MINUS_FP64, it->T, it->R, NULL));
    TRY(GrB_Matrix_apply(it->W, NULL, NULL, GrB_ABS_FP64, it->W, NULL));
    TRY(GrB_Matrix_reduce_Monoid(it->column_sums, NULL, NULL, GrB_PLUS_MONOID_FP64, it->W, GrB_DESC_T0));
    TRY(GrB_Vector_reduce_FP64(residual, NULL, GrB_MAX_MONOID_FP64, it->column_sums, NULL));
done:
    return info;
}

static GrB_Info step(iteration *it, torc_pagerank_report *report)
{
    GrB_Info info;
    TRY(GrB_Matrix_eWiseMult_BinaryOp(it->W, NULL, NULL, GrB_DIV_FP64, it->R, it->D, NULL));
    TRY(fill(it->T, 0));
    TRY(GrB_Matrix_wait(it->W, GrB_MATERIALIZE));
    double begin = torc_now();
    TRY(GrB_mxm(it->T, NULL, GrB_PLUS_FP64, it->plus_second, it->AT, it->W, NULL));
    TRY(GrB_Matrix_wait(it->T, GrB_MATERIALIZE));
    report->seconds_mxm += torc_now() - begin;
    TRY(restart(it));
    TRY(residual_of(&report->residual, it));
    report->steps++;
    GrB_Matrix swap = it->R;
    it->R = it->T;
    it->T = swap;
done:
    return info;
}

/* The residual falls by about the same factor every step, from 2 to the tolerance. */
static double share_done(const torc_pagerank_report *report, const torc_pagerank_options *options)
{
    double by_residual = options->tolerance > 0 ? log(report->residual / 2) / log(options->tolerance / 2) : 0;
    return fmax(by_residual, (double)report->steps / options->max_steps);
}

GrB_Info torc_pagerank(GrB_Matrix *R, torc_pagerank_report *report, GrB_Matrix AT, const GrB_Index *seeds,
    GrB_Index K, const torc_pagerank_options *options)
{
    iteration it = {.AT = AT, .K = K, .seeds = seeds};
    double begin = torc_now();
    GrB_Info info;
    *R = NULL;
    *report = (torc_pagerank_report){.residual = 2}; /* as far apart as two distributions can be */
    TRY(GrB_Matrix_nrows(&it.n, AT));
    TRY(GrB_Semiring_new(&it.plus_second, GrB_PLUS_MONOID_FP64, GrB_SECOND_FP64));
    TRY(GrB_Matrix_new(&it.D, GrB_FP64, it.n, K));
    TRY(GrB_Matrix_new(&it.R, GrB_FP64, it.n, K));
    TRY(GrB_Matrix_new(&it.T, GrB_FP64, it.n, K));
    TRY(GrB_Matrix_new(&it.W, GrB_FP64, it.n, K));
    TRY(GrB_Vector_new(&it.column_sums, GrB_FP64, K));

    TRY(scale_by_degree(&it, options->damping));
    TRY(start(&it));
    while (report->residual > options->tolerance && report->steps < options->max_steps) {
        TRY(step(&it, report));
        if (options->residuals) {
            options->residuals[report->steps - 1] = report->residual;
        }
        torc_progress_show(options->progress, (uint64_t)report->steps, share_done(report, options),
            "step %d, residual %.1e", report->steps, report->residual);
    }
    *R = it.R;
    it.R = NULL;
done:
    GrB_Semiring_free(&it.plus_second);
    GrB_Matrix_free(&it.D);
    GrB_Matrix_free(&it.R);
    GrB_Matrix_free(&it.T);
    GrB_Matrix_free(&it.W);
    GrB_Vector_free(&it.column_sums);
    report->seconds_total = torc_now() - begin;
    return info;
}
