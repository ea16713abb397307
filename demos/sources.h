/* sources.h: which vertices to ask about: the ones named, or a choice that is the same every time. */
#ifndef TORC_SOURCES_H
#define TORC_SOURCES_H

#include "graph.h"

/* Fill sources with *count distinct vertices: first well-known packages, as far as the graph has such names,
 * then vertices spread evenly over the others that have an out-edge, then over the rest. *count is lowered to
 * the number of vertices. false where memory is short. */
bool torc_sources_choose(uint64_t *sources, uint64_t *count, const torc_graph *graph);

/* *sources becomes an array of the *count vertices of a list "gimp,git", by name, or by number counted from 1
 * where the graph has no names. false, with the graph's error set, where there is no such vertex. */
bool torc_sources_find(uint64_t **sources, uint64_t *count, torc_graph *graph, const char *list);

#endif
