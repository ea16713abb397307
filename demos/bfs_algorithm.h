/* bfs_algorithm.h: breadth-first search from K sources at once: one GrB_mxm a level.
 *
 * Row s of L holds the level of every vertex that source s reaches: 0 at the source, 1 at its out-neighbours,
 * and so on; P, where it is wanted, holds the vertex that each was reached from, the source itself at the
 * source. With F the K×n frontier and A the adjacency, a level is
 *
 *     F⟨¬L, replace⟩ = F any.pair A      whom the frontier points to and nobody has seen yet
 *     L⟨F⟩ = level
 *
 * and with min.secondi in place of any.pair F holds the parents. While F is thin it is kept sparse and the
 * product pushes: A by row, F's rows scattered along its edges. When it is not, F is kept as a bitmap and the
 * product pulls: the edges into each vertex not seen yet are searched. Then Aᵀ is given, with a transpose.
 */
#ifndef TORC_BFS_ALGORITHM_H
#define TORC_BFS_ALGORITHM_H

#include <GraphBLAS.h>

#include "progress.h"

typedef struct torc_bfs_level {
    uint64_t frontier; /* pairs (source, vertex) that this level is the first to reach */
    bool is_pulled;
} torc_bfs_level;

typedef struct torc_bfs_report {
    uint64_t nlevels; /* with level 0; the last one reached somebody */
    torc_bfs_level *levels;
    double seconds_mxm, seconds_total;
} torc_bfs_report;

/* *L becomes K×n INT32; *P K×n INT64, or stays NULL where P is NULL. A and AT: BOOL, held by row. Returns
 * what GraphBLAS returned; on error *L and *P are NULL. report->levels is to be freed in any case. */
GrB_Info torc_bfs(GrB_Matrix *L, GrB_Matrix *P, torc_bfs_report *report, GrB_Matrix A, GrB_Matrix AT,
    const GrB_Index *sources, GrB_Index K, torc_progress *progress);

#endif
