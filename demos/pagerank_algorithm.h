/* pagerank_algorithm.h: personalised PageRank of K seeds at once: one GrB_mxm of sparse × dense a step.
 *
 * Column j of R is the long-run share of time that a walker spends at each vertex. From a vertex it follows
 * one of the out-edges, each as likely, with probability `damping`; otherwise, and always where there is no
 * out-edge, it starts again at its own seed s(j). With A the n×n adjacency and d the out-degrees:
 *
 *     R(i,j) = Σ over edges k→i of damping · R(k,j) / d(k)  +  rest(j) if i = s(j)
 *
 * rest(j) is the share of column j that followed no edge.
 *
 * Every column of R sums to 1. A step is written out in pagerank_algorithm.c.
 */
#ifndef TORC_PAGERANK_ALGORITHM_H
#define TORC_PAGERANK_ALGORITHM_H

#include <GraphBLAS.h>

#include "progress.h"

typedef struct torc_pagerank_options {
    double damping;
    double tolerance; /* stop when no column changed by more, in the 1-norm */
    int max_steps;
    double *residuals;       /* NULL, or room for max_steps residuals, one a step */
    torc_progress *progress; /* NULL, or where it is shown */
} torc_pagerank_options;

typedef struct torc_pagerank_report {
    int steps;
    double residual;      /* largest change of a column in the last step, 1-norm */
    double seconds_mxm;   /* in GrB_mxm, all steps */
    double seconds_total; /* in torc_pagerank */
} torc_pagerank_report;

/* *R becomes an n×K matrix, FP64, full.
 * AT is n×n, any type, only its pattern is read: AT(i,k) present where there is an edge k→i.
 * seeds holds K vertices; seeds NULL and K = 1: plain PageRank, where the walker starts again at any vertex.
 * Returns what GraphBLAS returned; on error *R is NULL. */
GrB_Info torc_pagerank(GrB_Matrix *R, torc_pagerank_report *report, GrB_Matrix AT, const GrB_Index *seeds,
    GrB_Index K, const torc_pagerank_options *options);

#endif
