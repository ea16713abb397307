/* communities.h: which vertices belong together, and in which order they were found to: a forest, a tree for
 * each community. */
#ifndef TORC_COMMUNITIES_H
#define TORC_COMMUNITIES_H

#include "graph.h"

#define TORC_NO_VERTEX UINT32_MAX

/* Of each vertex: the one that it was merged into, itself or not in one step; the first that was merged into
 * it; and the next that was merged into what it was merged into itself. */
typedef struct torc_forest {
    uint32_t *above, *first_below, *next;
} torc_forest;

torc_status torc_forest_grow(torc_forest *forest, const torc_graph *graph);
void torc_forest_free(torc_forest *forest);

#endif
