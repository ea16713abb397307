/* graph_matrix.h: the adjacency matrix of an edge list: A(u,v), or in the transpose A(v,u), where there is an
 * edge u → v. Held by row. On error *A is NULL.
 */
#ifndef TORC_GRAPH_MATRIX_H
#define TORC_GRAPH_MATRIX_H

#include <GraphBLAS.h>

#include "graph.h"

/* iso BOOL: an edge counts once, however often it is listed. */
GrB_Info torc_graph_pattern(GrB_Matrix *A, const torc_graph *graph, bool is_transposed);

/* Aᵀ, of FP64 or a user-defined type: weight[e] of edge e, and of edges listed twice what `parallel` makes of
 * the two. */
GrB_Info torc_graph_weights(
    GrB_Matrix *AT, const torc_graph *graph, GrB_Type type, const void *weight, GrB_BinaryOp parallel);

#endif
