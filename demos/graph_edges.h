/* graph_edges.h: the graph of an edge list, as SNAP publishes them, gzipped or not: a line an edge, two
 * vertex numbers and perhaps a weight, between blanks, tabs or commas; lines that begin with # are comments.
 *
 * Numbers need not be dense: they are kept as names, and vertices are counted in order of appearance. Either
 * every edge has a weight or none has. Errors name the file and the line.
 */
#ifndef TORC_GRAPH_EDGES_H
#define TORC_GRAPH_EDGES_H

#include "graph.h"

bool torc_graph_read_edges(torc_graph *graph, const char *path);

#endif
