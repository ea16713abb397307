/* graph_mtx.h: the graph of a Matrix Market file, .mtx or .mtx.gz: entry (i,j) is an edge from i to j.
 *
 * Values of real and integer files are weights, complex ones are checked and dropped; explicit zeros are
 * edges. Symmetric, skew-symmetric and Hermitian files list one of (i,j) and (j,i) and mean both. The
 * matrix must be square and in coordinate format. Errors name the file and the line.
 */
#ifndef TORC_GRAPH_MTX_H
#define TORC_GRAPH_MTX_H

#include "graph.h"

bool torc_graph_read_mtx(torc_graph *graph, const char *path);

#endif
