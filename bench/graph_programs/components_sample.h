/* components_sample.h: how components begin on a graph of many edges (LG_CC_FastSV6 of LAGraph; Sutton,
 * Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling, IPDPS 2018): the
 * first four edges of each vertex show most of the largest component; edges inside it need not be looked at
 * again.
 *
 * Both unpack S, read its arrays, and pack it again as it was.
 */
#ifndef BENCH_COMPONENTS_SAMPLE_H
#define BENCH_COMPONENTS_SAMPLE_H

#include <GraphBLAS.h>

/* The first four entries of each row of S, or NULL where S has too few for that to help. */
GrB_Matrix bench_sample_first(GrB_Matrix S, GrB_Index n);

/* The entries of S that do not lie in the largest of the components known so far, where parent[v] names that
 * of v; what leads into it leads to the vertex that names it. */
GrB_Matrix bench_sample_rest(GrB_Matrix S, GrB_Index n, const GrB_Index *parent);

#endif
