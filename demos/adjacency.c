/* adjacency.c: a counting sort of the edges by source. */
#include "adjacency.h"

#include <stdlib.h>

bool torc_adjacency_build(torc_adjacency *adjacency, const torc_graph *graph)
{
    uint64_t n = graph->nvertices, nedges = graph->nedges;
    *adjacency = (torc_adjacency){.nvertices = n};
    adjacency->first = calloc(n + 2, sizeof *adjacency->first);
    adjacency->target = malloc((nedges + 1) * sizeof *adjacency->target);
    adjacency->edge = malloc((nedges + 1) * sizeof *adjacency->edge);
    if (!adjacency->first || !adjacency->target || !adjacency->edge) {
        return false;
    }
    /* next[u] counts the edges of u, then is where the next of them goes, and at last where those of u+1
     * begin */
    uint64_t *next = adjacency->first + 1;
    for (uint64_t e = 0; e < nedges; e++) {
        next[graph->source[e] + 1]++;
    }
    for (uint64_t u = 1; u <= n; u++) {
        next[u] += next[u - 1];
    }
    for (uint64_t e = 0; e < nedges; e++) {
        uint64_t at = next[graph->source[e]]++;
        adjacency->target[at] = graph->target[e];
        adjacency->edge[at] = e;
    }
    return true;
}

void torc_adjacency_release(torc_adjacency *adjacency)
{
    free(adjacency->first);
    free(adjacency->target);
    free(adjacency->edge);
    *adjacency = (torc_adjacency){0};
}
