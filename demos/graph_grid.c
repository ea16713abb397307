/* graph_grid.c: an edge to the right and one downwards, each both ways. */
#include "graph_grid.h"

static bool connect(torc_graph *graph, uint64_t u, uint64_t v)
{
    return torc_graph_add_edge(graph, u, v) && torc_graph_add_edge(graph, v, u);
}

bool torc_graph_generate_grid(torc_graph *graph, int side)
{
    *graph = (torc_graph){0};
    if (side < 1 || side > TORC_GRID_MAX_SIDE) {
        return torc_graph_fail(graph, "the side must be 1 to %d", TORC_GRID_MAX_SIDE);
    }
    uint64_t n = (uint64_t)side;
    graph->nvertices = n * n;
    bool is_done = true;
    for (uint64_t v = 0; is_done && v < n * n; v++) {
        is_done =
            (v % n + 1 == n || connect(graph, v, v + 1)) && (v / n + 1 == n || connect(graph, v, v + n));
    }
    return is_done;
}
