/* adjacency.h: the out-edges of each vertex side by side, for the plain algorithms that check the matrix
 * ones.
 *
 * Edges of u: target[first[u] .. first[u+1]-1], in the order of the list; edges listed twice stay twice.
 */
#ifndef TORC_ADJACENCY_H
#define TORC_ADJACENCY_H

#include "graph.h"

typedef struct torc_adjacency {
    uint64_t nvertices;
    uint64_t *first, *target;
    uint64_t *edge; /* the edge's place in the list */
} torc_adjacency;

/* false where memory is short; release is due in both cases. */
bool torc_adjacency_build(torc_adjacency *adjacency, const torc_graph *graph);

void torc_adjacency_release(torc_adjacency *adjacency);

#endif
