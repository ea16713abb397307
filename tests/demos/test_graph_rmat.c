/* test_graph_rmat.c: the generated graph is the same every time, and skewed as R-MAT graphs are. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "graph_rmat.h"

Test(rmat, a_scale_gives_the_same_graph_each_time)
{
    torc_graph first, second;
    cr_assert(torc_graph_generate_rmat(&first, 8));
    cr_assert(torc_graph_generate_rmat(&second, 8));
    cr_assert_eq(first.nvertices, 256);
    cr_assert_eq(first.nedges, second.nedges);
    cr_expect_eq(memcmp(first.source, second.source, first.nedges * sizeof(uint64_t)), 0);
    cr_expect_eq(memcmp(first.target, second.target, first.nedges * sizeof(uint64_t)), 0);
    torc_graph_release(&first);
    torc_graph_release(&second);
}

Test(rmat, the_graph_of_scale_10_is_the_one_it_always_was)
{
    torc_graph graph;
    cr_assert(torc_graph_generate_rmat(&graph, 10));
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a over the edges */
    for (uint64_t e = 0; e < graph.nedges; e++) {
        hash = (hash ^ graph.source[e]) * 0x100000001b3u;
        hash = (hash ^ graph.target[e]) * 0x100000001b3u;
    }
    cr_expect_eq(hash, 0x7ae03dc080a5644bu, "0x%llx", (unsigned long long)hash);
    torc_graph_release(&graph);
}

Test(rmat, edges_are_in_range_and_concentrated)
{
    torc_graph graph;
    cr_assert(torc_graph_generate_rmat(&graph, 12));
    uint64_t *degree = calloc(graph.nvertices, sizeof *degree);
    cr_assert(graph.nedges <= 16 * graph.nvertices && graph.nedges > 15 * graph.nvertices);
    for (uint64_t e = 0; e < graph.nedges; e++) {
        cr_assert(graph.source[e] < graph.nvertices && graph.target[e] < graph.nvertices);
        cr_assert_neq(graph.source[e], graph.target[e]);
        degree[graph.source[e]]++;
    }
    /* The busiest row of the recursion is drawn with probability (a + b)^scale = 0.76^12 = 0.037. */
    uint64_t largest = 0, first_largest = 0, empty = 0;
    for (uint64_t v = 0; v < graph.nvertices; v++) {
        if (degree[v] > largest) {
            largest = degree[v];
            first_largest = v;
        }
        empty += degree[v] == 0;
    }
    cr_expect(largest > graph.nedges / 40 && largest < graph.nedges / 20, "%d", (int)largest);
    cr_expect(first_largest != 0, "not shuffled");
    cr_expect(empty > graph.nvertices / 10, "%d", (int)empty);
    free(degree);
    torc_graph_release(&graph);
}

Test(rmat, a_scale_out_of_range_is_refused)
{
    torc_graph graph;
    cr_expect(!torc_graph_generate_rmat(&graph, 0));
    cr_expect(strstr(graph.error, "scale"));
    cr_expect(!torc_graph_generate_rmat(&graph, TORC_RMAT_MAX_SCALE + 1));
    torc_graph_release(&graph);
}
