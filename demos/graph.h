/* graph.h: what every graph reader produces: a list of directed edges, with weights and names where the
 * source has them.
 *
 * Vertices are 0 .. nvertices-1. An edge may be listed twice; what that means is decided where the matrix is
 * built (graph_matrix.h). An edge from a vertex to itself is dropped on the way in, for nothing recommends
 * itself, and no path gets anywhere by it.
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
    bool has_weights;          /* set before the first edge is added */
    double *weight;            /* one an edge where has_weights */
    char **names;              /* one a vertex, or NULL */
    char error[256];
} torc_graph;

/* false, with error set, where memory is short. The weight counts where the graph has weights. */
bool torc_graph_add_edge(torc_graph *graph, uint64_t source, uint64_t target);
bool torc_graph_add_weighted_edge(torc_graph *graph, uint64_t source, uint64_t target, double weight);

/* The name of a vertex, or where the graph has no names, its number counted from 1, written into `number`. */
enum { TORC_VERTEX_NUMBER = 24 };
const char *torc_graph_name(const torc_graph *graph, uint64_t v, char number[TORC_VERTEX_NUMBER]);

/* Set error as printf does and return false. */
bool torc_graph_fail(torc_graph *graph, const char *format, ...) __attribute__((format(printf, 2, 3)));

void torc_graph_release(torc_graph *graph);

#endif
