/* graph_grid.h: side × side vertices, row by row, each with edges to its neighbours left, right, above and
 * below: the opposite of R-MAT, all degrees alike and every path long.
 */
#ifndef TORC_GRAPH_GRID_H
#define TORC_GRAPH_GRID_H

#include "graph.h"

#define TORC_GRID_MAX_SIDE 32768

bool torc_graph_generate_grid(torc_graph *graph, int side);

#endif
