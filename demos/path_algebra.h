/* path_algebra.h: six questions about paths, each a semiring: add chooses among paths, multiply extends one
 * by an edge.
 *
 *     shortest   min.plus     the least sum of weights
 *     widest     max.min      the greatest least weight
 *     reliable   max.times    the greatest product of weights, which are probabilities
 *     longest    max.plus     the greatest sum, where there are no cycles
 *     reach      lor.land     is there a path
 *     count      plus.second  how many paths with the fewest edges
 *
 * Gondran, Minoux, Graphs, Dioids and Semirings (2008).
 */
#ifndef TORC_PATH_ALGEBRA_H
#define TORC_PATH_ALGEBRA_H

#include <GraphBLAS.h>

#include "graph.h"

typedef struct torc_algebra {
    const char *name, *semiring_name;
    double source, nothing; /* the value at the source itself, and where there is no path */
    bool has_weights;       /* else each edge is as good as any other */
    bool is_counting;       /* add is not a choice: paths are settled by their number of edges */
    bool is_high_extreme;   /* the values worth showing are the greatest; else the least */

    /* what semiring and add mean, in plain C; not for counting */
    double (*extend)(double path, double weight);
    bool (*is_better)(double left, double right);
} torc_algebra;

/* NULL where there is none of this name. */
const torc_algebra *torc_algebra_find(const char *name);

/* The names, with ", " between them. */
const char *torc_algebra_names(void);

/* The objects of GraphBLAS; after GrB_init. */
GrB_Type torc_algebra_type(const torc_algebra *algebra);
GrB_Semiring torc_algebra_semiring(const torc_algebra *algebra);
GrB_BinaryOp torc_algebra_add(const torc_algebra *algebra);

/* Of each edge, an array for the caller to free: the graph's own weights; or else whole numbers from 1 to
 * 100, for `reliable` in percent, drawn from `random` and the two vertices, the same in both directions; 1
 * where the algebra has no weights. NULL, with the graph's error set, where weights do not fit or memory is
 * short. */
double *torc_algebra_weights(const torc_algebra *algebra, torc_graph *graph, uint64_t random);

/* Whether a path never gets better by an edge more, as Dijkstra's algorithm needs it. */
bool torc_algebra_is_monotone(const torc_algebra *algebra, const double *weight, uint64_t nedges);

#endif
