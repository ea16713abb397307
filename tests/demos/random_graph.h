/* random_graph.h: small graphs for the tests of the algorithms, with vertices that have no edge in or out. */
#ifndef TORC_RANDOM_GRAPH_H
#define TORC_RANDOM_GRAPH_H

#include "graph.h"

/* nedges draws from rand(), some of them edges listed twice; weights are whole, least to most. A dag has
 * edges to higher vertices only. */
torc_graph torc_random_graph(uint64_t n, uint64_t nedges, int least, int most, bool is_dag);

#endif
