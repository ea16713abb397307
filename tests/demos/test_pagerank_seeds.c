/* test_pagerank_seeds.c: seeds are distinct, spread out, and well-known packages first. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "pagerank_seeds.h"

enum { N = 100 };

Test(seeds, vertices_with_out_edges_come_first_and_evenly_spread)
{
    torc_graph graph = {.nvertices = N};
    for (uint64_t v = 0; v < N; v += 2) {
        torc_graph_add_edge(&graph, v, v + 1);
    }
    uint64_t seeds[N], count = 5;
    cr_assert(torc_seeds_choose(seeds, &count, &graph));
    cr_expect_eq(count, 5);
    for (uint64_t j = 0; j < count; j++) {
        cr_expect_eq(seeds[j], 20 * j, "%d", (int)seeds[j]);
    }
    torc_graph_release(&graph);
}

Test(seeds, more_seeds_than_vertices_are_all_vertices_once)
{
    torc_graph graph = {.nvertices = N};
    torc_graph_add_edge(&graph, 42, 7);
    uint64_t seeds[2 * N], count = 2 * N;
    cr_assert(torc_seeds_choose(seeds, &count, &graph));
    cr_assert_eq(count, N);
    cr_expect_eq(seeds[0], 42, "the only vertex with an out-edge");
    bool is_seen[N] = {false};
    for (uint64_t j = 0; j < count; j++) {
        cr_assert(seeds[j] < N && !is_seen[seeds[j]], "%d", (int)seeds[j]);
        is_seen[seeds[j]] = true;
    }
    torc_graph_release(&graph);
}

Test(seeds, well_known_packages_come_first)
{
    char *names[] = {"aaa", "bbb", "git", "ccc", "gimp"};
    torc_graph graph = {.nvertices = 5, .names = names};
    uint64_t seeds[5], count = 3;
    cr_assert(torc_seeds_choose(seeds, &count, &graph));
    cr_expect_eq(seeds[0], 4);
    cr_expect_eq(seeds[1], 2);
    cr_expect_eq(seeds[2], 0);
}
