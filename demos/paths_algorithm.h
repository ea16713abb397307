/* paths_algorithm.h: paths from K sources at once by Bellman and Ford's method over a semiring: one GrB_mxm
 * of sparse × dense a round.
 *
 * X(v,j) is the value of the best path found so far from source j to v. A round lengthens every path by an
 * edge and keeps what is better:
 *
 *     T = X ⊕ Aᵀ ⊕.⊗ X        until no value changes
 *
 * After round r, X is right for all paths of r edges. Where it still changes after as many rounds as the
 * graph has vertices, a cycle makes paths better each time round and there is no answer; the cycle is looked
 * for long before, at rounds 32, 64, 128, ...
 *
 * Counting has no better and worse. There a vertex is settled by the first round that reaches it, which adds
 * up all paths with the fewest edges: F⟨¬X, replace⟩ = Aᵀ plus.second F, then X⟨F⟩ = F.
 */
#ifndef TORC_PATHS_ALGORITHM_H
#define TORC_PATHS_ALGORITHM_H

#include <GraphBLAS.h>

#include "path_algebra.h"
#include "progress.h"

typedef struct torc_paths_problem {
    const torc_algebra *algebra;
    const torc_graph *graph;
    const void *weight; /* one an edge, values of the algebra */
    const GrB_Index *sources;
    GrB_Index K;
} torc_paths_problem;

typedef struct torc_paths_report {
    uint64_t rounds, capacity;
    uint64_t *changed; /* values that each round changed */
    uint64_t *cycle; /* NULL, or the vertices of a cycle that never ends to make paths better, each before */
    uint64_t length; /* the one it has an edge from: cycle[i+1] → cycle[i]; and how many */
    double seconds_mxm, seconds_total;
} torc_paths_report;

/* *X becomes n×K, of the algebra's type; counting leaves out what no path reaches. AT: the weights, or for an
 * algebra without weights the pattern. Where there is a cycle as above, *X is NULL and the report has it.
 * Returns what GraphBLAS returned. torc_paths_release is due in any case. */
GrB_Info torc_paths(GrB_Matrix *X, torc_paths_report *report, GrB_Matrix AT,
    const torc_paths_problem *problem, torc_progress *progress);

void torc_paths_release(torc_paths_report *report);

/* value[v] of every vertex, column j of X. */
GrB_Info torc_paths_column(void *value, GrB_Matrix X, const torc_algebra *algebra, GrB_Index j);

#endif
