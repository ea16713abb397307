/* graph.h: the graph whose communities are rows that belong together.
 *
 *     square A       vertex i is row i and column i; its neighbours are the columns that row i names
 *     other A        vertices are rows, then columns; an entry joins its row and its column
 */
#ifndef TORC_REORDER_GRAPH_H
#define TORC_REORDER_GRAPH_H

#include "row_lists.h"

typedef struct torc_graph {
    uint32_t nvertices;
    int64_t *begin;             /* nvertices + 1 */
    const uint32_t *neighbours; /* of vertex v from begin[v] to begin[v+1] - 1 */
    uint32_t *own;              /* the same, where they are not A's; to be freed */
} torc_graph;

torc_status torc_graph_make(torc_graph *graph, const torc_row_lists *A);
void torc_graph_free(torc_graph *graph);

#endif
