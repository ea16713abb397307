/* graph_rmat.h: the generated graph of the Graph500 benchmark: 2^scale vertices, 16 edges a vertex drawn by
 * the recursive matrix (R-MAT) method with a, b, c, d = 0.57, 0.19, 0.19, 0.05, then the vertices shuffled.
 * Few vertices have most of the edges and many have none. The same scale gives the same graph everywhere.
 *
 * Chakrabarti, Zhan, Faloutsos, R-MAT: A Recursive Model for Graph Mining (SDM 2004).
 */
#ifndef TORC_GRAPH_RMAT_H
#define TORC_GRAPH_RMAT_H

#include "graph.h"

#define TORC_RMAT_MAX_SCALE 30

bool torc_graph_generate_rmat(torc_graph *graph, int scale);

#endif
