/* plain_graph.h: the answers of the bench's programs by the obvious method, in double precision on dense
 * arrays. */
#ifndef PLAIN_GRAPH_H
#define PLAIN_GRAPH_H

#include "bench_matrix.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct plain_graph {
    size_t n;
    bool *edge, *link; /* edge[i*n+j]: i→j; link: either way */
} plain_graph;

plain_graph plain_graph_of(const bench_matrix *matrix);
void plain_graph_free(plain_graph *graph);

/* level[v]: steps from the source, or -1. */
void plain_levels(int *level, const plain_graph *graph, size_t source);

/* Without seed (n): one-vector PageRank as LAGraph has it, where what comes to a sink is lost. */
void plain_pagerank(double *rank, const plain_graph *graph, double damping, int steps);

/* What is left of 1 restarts at the seed. */
void plain_seeded_pagerank(double *rank, const plain_graph *graph, size_t seed, double damping, int steps);

/* score += what depends on each vertex on shortest paths from the source, by Brandes' formula. */
void plain_betweenness(double *score, const plain_graph *graph, size_t source);

/* component[v]: the least vertex that links lead to. */
void plain_components(size_t *component, const plain_graph *graph);

/* Y = edge · X, for an n × width array X by row. */
void plain_product(double *Y, const bool *edge, const double *X, size_t n, size_t width);

#endif
