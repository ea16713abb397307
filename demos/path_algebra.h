/* path_algebra.h: six questions about paths, each a semiring, and room for more: add chooses among paths,
 * multiply extends one by an edge.
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
    const void *source, *nothing; /* the value at the source itself, and where there is no path */
    bool has_weights;             /* else each edge is as good as any other */
    bool is_counting;             /* add is not a choice: paths are settled by their number of edges */
    bool is_best_shown;           /* the values worth showing are the best; else the worst that there are */

    /* what semiring and add mean, in plain C; counting cannot extend, and there more is better */
    void (*extend)(void *extended, const void *path, const void *edge);
    bool (*is_better)(const void *left, const void *right);

    /* NULL and 0 for the six, whose values are of type double. Else objects of GraphBLAS, `better` with
     * results of type bool, bytes of a value, an edge of a weight, and a value as text. */
    GrB_Type type;
    GrB_Semiring semiring;
    GrB_BinaryOp add, better;
    size_t size;
    void (*edge)(void *edge, double weight);
    int (*show)(char *text, size_t size, const void *value);
} torc_algebra;

/* NULL where there is none of this name. */
const torc_algebra *torc_algebra_find(const char *name);

/* The names, with ", " between them. */
const char *torc_algebra_names(void);

/* The objects of GraphBLAS; after GrB_init. */
GrB_Type torc_algebra_type(const torc_algebra *algebra);
GrB_Semiring torc_algebra_semiring(const torc_algebra *algebra);
GrB_BinaryOp torc_algebra_add(const torc_algebra *algebra);
GrB_BinaryOp torc_algebra_better(const torc_algebra *algebra); /* z is bool; not for counting */

/* Arrays of values. */
size_t torc_algebra_size(const torc_algebra *algebra);
void *torc_algebra_at(const torc_algebra *algebra, const void *values, uint64_t i);
bool torc_algebra_is_nothing(const torc_algebra *algebra, const void *value);

/* With so many digits where it is a number. */
enum { TORC_VALUE_TEXT = 128 };
void torc_algebra_show(
    char text[TORC_VALUE_TEXT], const torc_algebra *algebra, const void *value, int digits);

/* Of each edge, an array of values for the caller to free: from the graph's own weights; or else whole
 * numbers from 1 to 100, for `reliable` in percent, drawn from `random` and the two vertices, the same in
 * both directions; 1 where `random` is 0 or the algebra has no weights. NULL, with the graph's error set,
 * where weights do not fit or memory is short. */
void *torc_algebra_weights(const torc_algebra *algebra, torc_graph *graph, uint64_t random);

/* Whether a path is known never to get better by an edge more, as Dijkstra's algorithm needs it. Its values
 * are of type double. */
bool torc_algebra_is_monotone(const torc_algebra *algebra, const void *weight, uint64_t nedges);

#endif
