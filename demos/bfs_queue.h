/* bfs_queue.h: breadth-first search as everybody writes it, with a queue, to check the matrix one. */
#ifndef TORC_BFS_QUEUE_H
#define TORC_BFS_QUEUE_H

#include "adjacency.h"

#define TORC_NOT_REACHED INT32_MAX

/* level[v] of every vertex; queue is room for n vertices. */
void torc_bfs_queue(int32_t *level, uint64_t *queue, const torc_adjacency *adjacency, uint64_t source);

/* What is wrong with levels, and with parents where they are not NULL (then wherever a level is), or NULL.
 * *vertex is where. A parent is right where it is one level above and has the edge. scratch is room for n. */
const char *torc_bfs_difference(uint64_t *vertex, const int32_t *level, const int64_t *parent,
    const int32_t *expected, uint64_t *scratch, const torc_adjacency *adjacency, uint64_t source);

#endif
