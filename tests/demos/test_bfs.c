/* test_bfs.c: torc_bfs beside a search with a queue: levels, and parents that explain them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bfs_algorithm.h"
#include "bfs_queue.h"
#include "graph_grid.h"
#include "graph_matrix.h"
#include "random_graph.h"

/* Every source beside the queue; returns how many levels were pulled. */
static int expect_queue_result(const torc_graph *graph, uint64_t K, bool has_parents, unsigned seed)
{
    uint64_t n = graph->nvertices;
    uint64_t *sources = malloc(K * sizeof *sources), *queue = malloc(n * sizeof *queue);
    int32_t *expected = malloc(n * sizeof *expected), *level = malloc(n * sizeof *level);
    int64_t *parent = malloc(n * sizeof *parent);
    for (uint64_t s = 0; s < K; s++) {
        sources[s] = (s * 7 + 3) % n;
    }
    torc_adjacency adjacency;
    torc_bfs_report report;
    GrB_Matrix A = NULL, AT = NULL, L = NULL, P = NULL;
    cr_assert(torc_adjacency_build(&adjacency, graph));
    cr_assert_eq(torc_graph_pattern(&A, graph, false), GrB_SUCCESS);
    cr_assert_eq(torc_graph_pattern(&AT, graph, true), GrB_SUCCESS);
    cr_assert_eq(torc_bfs(&L, has_parents ? &P : NULL, &report, A, AT, sources, K, NULL), GrB_SUCCESS);

    uint64_t farthest = 0;
    for (uint64_t s = 0; s < K; s++) {
        torc_bfs_queue(expected, queue, &adjacency, sources[s]);
        for (uint64_t v = 0; v < n; v++) {
            level[v] = TORC_NOT_REACHED;
            parent[v] = -1;
            GrB_Matrix_extractElement_INT32(&level[v], L, s, v);
            if (has_parents) {
                GrB_Matrix_extractElement_INT64(&parent[v], P, s, v);
            }
            if (expected[v] != TORC_NOT_REACHED && (uint64_t)expected[v] > farthest) {
                farthest = (uint64_t)expected[v];
            }
        }
        uint64_t where;
        const char *difference = torc_bfs_difference(
            &where, level, has_parents ? parent : NULL, expected, queue, &adjacency, sources[s]);
        cr_expect(!difference, "seed %u, source %d, vertex %d: %s", seed, (int)s, (int)where, difference);
    }
    cr_expect_eq(report.nlevels, farthest + 1, "seed %u", seed);
    int pulled = 0;
    for (uint64_t i = 0; i < report.nlevels; i++) {
        pulled += report.levels[i].is_pulled;
    }
    free(report.levels);
    free(sources);
    free(queue);
    free(expected);
    free(level);
    free(parent);
    torc_adjacency_release(&adjacency);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&L);
    GrB_Matrix_free(&P);
    return pulled;
}

static void begin(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void end(void)
{
    GrB_finalize();
}

Test(bfs, random_graphs_pushed_and_pulled, .init = begin, .fini = end)
{
    int pulled = 0, searches = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        srand(seed);
        uint64_t n = 1 + (uint64_t)rand() % 120;
        torc_graph graph = torc_random_graph(n, (uint64_t)rand() % (5 * n), 1, 1, false);
        pulled += expect_queue_result(&graph, 1 + (uint64_t)rand() % 40, seed % 2 == 0, seed) > 0;
        searches++;
        torc_graph_release(&graph);
    }
    cr_expect(pulled > 5 && pulled < searches - 5, "%d of %d searches pulled", pulled, searches);
}

Test(bfs, a_grid_has_many_thin_levels, .init = begin, .fini = end)
{
    torc_graph graph;
    cr_assert(torc_graph_generate_grid(&graph, 40));
    cr_expect_eq(expect_queue_result(&graph, 3, true, 0), 0);
    torc_graph_release(&graph);
}

Test(bfs, the_smallest_graphs, .init = begin, .fini = end)
{
    torc_graph alone = {.nvertices = 1}, empty = {.nvertices = 5};
    expect_queue_result(&alone, 1, true, 0);
    expect_queue_result(&empty, 5, false, 0);
    expect_queue_result(&empty, 9, true, 0); /* sources may be the same vertex */
}

Test(bfs, a_wrong_level_or_parent_is_found)
{
    /* 0 → 1 → 2, and 3 alone */
    torc_graph graph = {.nvertices = 4};
    torc_graph_add_edge(&graph, 0, 1);
    torc_graph_add_edge(&graph, 1, 2);
    torc_adjacency adjacency;
    uint64_t queue[4], where;
    int32_t expected[4];
    cr_assert(torc_adjacency_build(&adjacency, &graph));
    torc_bfs_queue(expected, queue, &adjacency, 0);
    cr_expect(memcmp(expected, (int32_t[]){0, 1, 2, TORC_NOT_REACHED}, sizeof expected) == 0);

    int32_t late[] = {0, 1, 3, TORC_NOT_REACHED}, invented[] = {0, 1, 2, 1};
    int64_t right[] = {0, 0, 1, -1}, none[] = {0, 0, -1, -1}, no_edge[] = {0, 0, 0, -1};
    cr_expect_null(torc_bfs_difference(&where, expected, right, expected, queue, &adjacency, 0));
    cr_expect(torc_bfs_difference(&where, late, right, expected, queue, &adjacency, 0) && where == 2);
    cr_expect(torc_bfs_difference(&where, invented, NULL, expected, queue, &adjacency, 0) && where == 3);
    cr_expect(torc_bfs_difference(&where, expected, none, expected, queue, &adjacency, 0) && where == 2);
    cr_expect(torc_bfs_difference(&where, expected, no_edge, expected, queue, &adjacency, 0) && where == 2);
    torc_adjacency_release(&adjacency);
    torc_graph_release(&graph);
}
