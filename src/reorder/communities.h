/* communities.h: vertices that belong together, as a forest with one tree per community. The tree also tells
 * the order in which they were merged. */
#ifndef TORC_COMMUNITIES_H
#define TORC_COMMUNITIES_H

#include "graph.h"

#define TORC_NO_VERTEX UINT32_MAX

/* For each vertex. above: the vertex that it was merged into, perhaps over several steps; itself if into
 * none. first_below: the first vertex that was merged into it. next: the next one that was merged into the
 * same vertex. */
typedef struct torc_forest {
    uint32_t *above, *first_below, *next;
} torc_forest;

torc_status torc_forest_grow(torc_forest *forest, const torc_graph *graph);
void torc_forest_free(torc_forest *forest);

#endif
