/* graph.h: what every graph reader produces: a list of directed edges, and names where the source has them.
 *
 * Vertices are 0 .. nvertices-1. An edge may be listed twice and counts once when the matrix is built; an
 * edge from a vertex to itself is dropped on the way in, for nothing recommends itself.
 *
 * A reader returns true, or false with one line in `error`; torc_graph_release is due in both cases.
 */
#ifndef TORC_GRAPH_H
#define TORC_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct torc_graph {
    uint64_t nvertices, nedges, capacity;
    uint64_t *source, *target; /* edge e goes from source[e] to target[e] */
    char **names;              /* one a vertex, or NULL */
    char error[256];
} torc_graph;

/* false, with error set, where memory is short. */
bool torc_graph_add_edge(torc_graph *graph, uint64_t source, uint64_t target);

/* Set error as printf does and return false. */
bool torc_graph_fail(torc_graph *graph, const char *format, ...) __attribute__((format(printf, 2, 3)));

void torc_graph_release(torc_graph *graph);

#endif
