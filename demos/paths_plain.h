/* paths_plain.h: what the plain algorithms have to say about one source: a cycle, predecessors, and the
 * values themselves to check the matrix method. Each returns false where memory is short.
 */
#ifndef TORC_PATHS_PLAIN_H
#define TORC_PATHS_PLAIN_H

#include "adjacency.h"
#include "paths_algorithm.h"

#define TORC_NO_VERTEX UINT64_MAX

/* Look for a cycle that makes paths better each time round: relax every edge in turn, at most `passes` times,
 * beginning with value[], which changes. Where the relaxed edges close a cycle, *cycle becomes an array of
 * its *length vertices, each before the one that it is reached from; else it stays NULL. */
bool torc_plain_cycle(
    uint64_t **cycle, uint64_t *length, void *value, const torc_paths_problem *problem, uint64_t passes);

/* before[v] of every vertex: the one before it on a best path from the source with as few edges as any,
 * or TORC_NO_VERTEX. A best path is made of edges u → v that explain v's value: value[v] = value[u] ⊗ weight,
 * none better; in counting, of all edges. */
bool torc_plain_predecessors(uint64_t *before, const void *value, const torc_adjacency *adjacency,
    const torc_paths_problem *problem, uint64_t source);

/* value[] from one source, by Dijkstra's algorithm where it applies, by a count with a queue where paths are
 * counted, and else edge by edge until nothing changes, which there must be no cycle to prevent.
 * torc_plain_method says which. */
const char *torc_plain_method(const torc_paths_problem *problem);
bool torc_plain_values(
    void *value, const torc_paths_problem *problem, const torc_adjacency *adjacency, uint64_t source);

#endif
