/* test_sources.c: sources are distinct, spread out, and well-known packages first. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sources.h"

enum { N = 100 };

Test(sources, vertices_with_out_edges_come_first_and_evenly_spread)
{
    torc_graph graph = {.nvertices = N};
    for (uint64_t v = 0; v < N; v += 2) {
        torc_graph_add_edge(&graph, v, v + 1);
    }
    uint64_t sources[N], count = 5;
    cr_assert(torc_sources_choose(sources, &count, &graph));
    cr_expect_eq(count, 5);
    for (uint64_t j = 0; j < count; j++) {
        cr_expect_eq(sources[j], 20 * j, "%d", (int)sources[j]);
    }
    torc_graph_release(&graph);
}

Test(sources, more_sources_than_vertices_are_all_vertices_once)
{
    torc_graph graph = {.nvertices = N};
    torc_graph_add_edge(&graph, 42, 7);
    uint64_t sources[2 * N], count = 2 * N;
    cr_assert(torc_sources_choose(sources, &count, &graph));
    cr_assert_eq(count, N);
    cr_expect_eq(sources[0], 42, "the only vertex with an out-edge");
    bool is_seen[N] = {false};
    for (uint64_t j = 0; j < count; j++) {
        cr_assert(sources[j] < N && !is_seen[sources[j]], "%d", (int)sources[j]);
        is_seen[sources[j]] = true;
    }
    torc_graph_release(&graph);
}

Test(sources, well_known_packages_come_first)
{
    char *names[] = {"aaa", "bbb", "git", "ccc", "gimp"};
    torc_graph graph = {.nvertices = 5, .names = names};
    uint64_t sources[5], count = 3;
    cr_assert(torc_sources_choose(sources, &count, &graph));
    cr_expect_eq(sources[0], 4);
    cr_expect_eq(sources[1], 2);
    cr_expect_eq(sources[2], 0);
}

Test(sources, a_list_names_vertices_or_gives_their_numbers)
{
    char *names[] = {"aaa", "bbb", "git", "gi"};
    torc_graph named = {.nvertices = 4, .names = names}, numbered = {.nvertices = 4};
    uint64_t *sources, count;
    cr_assert(torc_sources_find(&sources, &count, &named, ",gi,,git,aaa,"), "%s", named.error);
    cr_expect(count == 3 && sources[0] == 3 && sources[1] == 2 && sources[2] == 0);
    free(sources);
    cr_assert(torc_sources_find(&sources, &count, &numbered, "4,1"), "%s", numbered.error);
    cr_expect(count == 2 && sources[0] == 3 && sources[1] == 0);
    free(sources);
    const char *bad[] = {"", ",", "5", "0", "-1", "1x", "x", "1,99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect(!torc_sources_find(&sources, &count, &numbered, bad[i]), "accepted: '%s'", bad[i]);
        cr_expect(strlen(numbered.error) > 0);
        free(sources);
    }
    cr_expect(!torc_sources_find(&sources, &count, &named, "1"), "a name, not a number");
    free(sources);
}
