/* pagerank_seeds.h: which vertices to ask about, the same ones every time. */
#ifndef TORC_PAGERANK_SEEDS_H
#define TORC_PAGERANK_SEEDS_H

#include "graph.h"

/* Fill seeds with *count distinct vertices: first well-known packages, as far as the graph has such names,
 * then vertices spread evenly over the others that have an out-edge, then over the rest. *count is lowered to
 * the number of vertices. false where memory is short. */
bool torc_seeds_choose(uint64_t *seeds, uint64_t *count, const torc_graph *graph);

#endif
