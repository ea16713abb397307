/* test_graph_grid.c: neighbours of a grid, both ways. */
#include <criterion/criterion.h>

#include "graph_grid.h"

Test(grid, every_vertex_has_its_neighbours_and_no_other)
{
    enum { SIDE = 7 };
    torc_graph graph;
    bool is_edge[SIDE * SIDE][SIDE * SIDE] = {{false}};
    cr_assert(torc_graph_generate_grid(&graph, SIDE));
    cr_assert_eq(graph.nvertices, SIDE * SIDE);
    cr_assert_eq(graph.nedges, 4 * SIDE * (SIDE - 1));
    for (uint64_t e = 0; e < graph.nedges; e++) {
        cr_expect(!is_edge[graph.source[e]][graph.target[e]], "listed twice");
        is_edge[graph.source[e]][graph.target[e]] = true;
    }
    for (int u = 0; u < SIDE * SIDE; u++) {
        for (int v = 0; v < SIDE * SIDE; v++) {
            int distance = abs(u / SIDE - v / SIDE) + abs(u % SIDE - v % SIDE);
            cr_expect_eq(is_edge[u][v], distance == 1, "%d to %d", u, v);
        }
    }
    torc_graph_release(&graph);
}

Test(grid, one_vertex_has_no_edge_and_a_side_out_of_range_is_refused)
{
    torc_graph graph;
    cr_assert(torc_graph_generate_grid(&graph, 1));
    cr_expect_eq(graph.nedges, 0);
    torc_graph_release(&graph);
    cr_expect(!torc_graph_generate_grid(&graph, 0));
    cr_expect(!torc_graph_generate_grid(&graph, TORC_GRID_MAX_SIDE + 1));
}
