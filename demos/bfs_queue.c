/* bfs_queue.c: the queue is the order in which vertices are reached. */
#include "bfs_queue.h"

#include <stddef.h>

void torc_bfs_queue(int32_t *level, uint64_t *queue, const torc_adjacency *adjacency, uint64_t source)
{
    for (uint64_t v = 0; v < adjacency->nvertices; v++) {
        level[v] = TORC_NOT_REACHED;
    }
    uint64_t head = 0, tail = 0;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        uint64_t u = queue[head++];
        for (uint64_t e = adjacency->first[u]; e < adjacency->first[u + 1]; e++) {
            uint64_t v = adjacency->target[e];
            if (level[v] == TORC_NOT_REACHED) {
                level[v] = level[u] + 1;
                queue[tail++] = v;
            }
        }
    }
}

const char *torc_bfs_difference(uint64_t *vertex, const int32_t *level, const int64_t *parent,
    const int32_t *expected, uint64_t *scratch, const torc_adjacency *adjacency, uint64_t source)
{
    uint64_t n = adjacency->nvertices;
    for (uint64_t v = 0; v < n; v++) {
        scratch[v] = v == source; /* whether there is an edge from the parent */
    }
    for (uint64_t u = 0; parent && u < n; u++) {
        for (uint64_t e = adjacency->first[u]; e < adjacency->first[u + 1]; e++) {
            uint64_t v = adjacency->target[e];
            scratch[v] |= level[v] != TORC_NOT_REACHED && parent[v] == (int64_t)u;
        }
    }
    for (uint64_t v = 0; v < n; v++) {
        *vertex = v;
        if (level[v] != expected[v]) {
            return "the level differs";
        }
        if (!parent || level[v] == TORC_NOT_REACHED) {
            continue;
        }
        if (!scratch[v]) {
            return "there is no edge from the parent";
        }
        if (v == source ? parent[v] != (int64_t)v : expected[parent[v]] != expected[v] - 1) {
            return "the parent is not one level above";
        }
    }
    return NULL;
}
