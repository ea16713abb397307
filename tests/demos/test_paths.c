/* test_paths.c: torc_paths over every algebra beside plain algorithms, and its paths and cycles by their
 * weights. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph_matrix.h"
#include "paths_algorithm.h"
#include "paths_plain.h"
#include "random_graph.h"

static const char *const names[] = {"shortest", "widest", "reliable", "longest", "reach", "count"};
enum { NAMES = sizeof names / sizeof names[0] };

typedef struct solution {
    torc_paths_problem problem;
    torc_paths_report report;
    void *weight;
    GrB_Matrix AT, X;
} solution;

static solution solve(torc_graph *graph, const char *name, const uint64_t *sources, uint64_t K)
{
    solution s = {
        .problem = {.algebra = torc_algebra_find(name), .graph = graph, .sources = sources, .K = K}};
    const torc_algebra *algebra = s.problem.algebra;
    s.problem.weight = s.weight = torc_algebra_weights(algebra, graph, 1);
    cr_assert(s.weight, "%s", graph->error);
    GrB_Info info = algebra->has_weights ? torc_graph_weights(&s.AT, graph, torc_algebra_type(algebra),
                                               s.weight, torc_algebra_add(algebra))
                                         : torc_graph_pattern(&s.AT, graph, true);
    cr_assert_eq(info, GrB_SUCCESS);
    cr_assert_eq(torc_paths(&s.X, &s.report, s.AT, &s.problem, NULL), GrB_SUCCESS);
    return s;
}

static void release(solution *s)
{
    torc_paths_release(&s->report);
    free(s->weight);
    GrB_Matrix_free(&s->AT);
    GrB_Matrix_free(&s->X);
}

/* The value of the path to v that before[] describes, by the best of parallel edges. */
static double value_of_path(
    const torc_adjacency *adjacency, const torc_paths_problem *problem, const uint64_t *before, uint64_t v)
{
    const torc_algebra *algebra = problem->algebra;
    const double *weight = problem->weight;
    uint64_t u = before[v];
    if (u == TORC_NO_VERTEX) {
        return *(const double *)algebra->source;
    }
    double shorter = value_of_path(adjacency, problem, before, u), best = *(const double *)algebra->nothing;
    for (uint64_t i = adjacency->first[u]; i < adjacency->first[u + 1]; i++) {
        double value;
        algebra->extend(&value, &shorter, &weight[adjacency->edge[i]]);
        if (adjacency->target[i] == v && algebra->is_better(&value, &best)) {
            best = value;
        }
    }
    return best;
}

static void expect_plain_values(torc_graph *graph, const char *name, uint64_t K, unsigned seed)
{
    uint64_t n = graph->nvertices;
    uint64_t *sources = malloc(K * sizeof *sources), *before = malloc(n * sizeof *before);
    double *value = malloc(n * sizeof *value), *expected = malloc(n * sizeof *expected);
    for (uint64_t j = 0; j < K; j++) {
        sources[j] = (j * 7 + 3) % n;
    }
    solution s = solve(graph, name, sources, K);
    const torc_algebra *algebra = s.problem.algebra;
    torc_adjacency adjacency;
    cr_assert(s.X, "seed %u, %s: a cycle", seed, name);
    cr_assert(torc_adjacency_build(&adjacency, graph));
    for (uint64_t j = 0; j < K; j++) {
        cr_assert_eq(torc_paths_column(value, s.X, algebra, j), GrB_SUCCESS);
        cr_assert(torc_plain_values(expected, &s.problem, &adjacency, sources[j]));
        cr_assert(torc_plain_predecessors(before, value, &adjacency, &s.problem, sources[j]));
        for (uint64_t v = 0; v < n; v++) {
            cr_expect_eq(value[v], expected[v], "seed %u, %s, source %d, vertex %d: %g, not %g", seed, name,
                (int)sources[j], (int)v, value[v], expected[v]);
            if (!algebra->is_counting && !torc_algebra_is_nothing(algebra, &value[v])) {
                cr_expect_eq(value_of_path(&adjacency, &s.problem, before, v), value[v],
                    "seed %u, %s, source %d: the path to %d", seed, name, (int)sources[j], (int)v);
            }
        }
    }
    torc_adjacency_release(&adjacency);
    release(&s);
    free(sources);
    free(before);
    free(value);
    free(expected);
}

static void begin(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void end(void)
{
    GrB_finalize();
}

Test(paths, every_algebra_on_random_graphs_with_weights_drawn, .init = begin, .fini = end)
{
    for (unsigned seed = 1; seed <= 60; seed++) {
        const char *name = names[seed % NAMES];
        srand(seed);
        uint64_t n = 1 + (uint64_t)rand() % 80;
        torc_graph graph =
            torc_random_graph(n, (uint64_t)rand() % (4 * n), 1, 1, strcmp(name, "longest") == 0);
        graph.has_weights = false;
        expect_plain_values(&graph, name, 1 + (uint64_t)rand() % 20, seed);
        torc_graph_release(&graph);
    }
}

Test(paths, negative_weights_without_cycles, .init = begin, .fini = end)
{
    for (unsigned seed = 1; seed <= 30; seed++) {
        srand(seed);
        uint64_t n = 2 + (uint64_t)rand() % 80;
        torc_graph graph = torc_random_graph(n, (uint64_t)rand() % (6 * n), -20, 20, true);
        expect_plain_values(&graph, seed % 2 ? "shortest" : "longest", 1 + (uint64_t)rand() % 20, seed);
        expect_plain_values(&graph, "widest", 5, seed);
        torc_graph_release(&graph);
    }
}

/*      0 --3--> 1 --2--> 3        edges 0→1 3, 1→3 2, 0→2 4, 2→3 1, 3→4 0.5
 *      0 --4--> 2 --1--> 3 --½--> 4,   and 5 alone                                   */
Test(paths, a_diamond_by_hand, .init = begin, .fini = end)
{
    const double edges[][3] = {{0, 1, 3}, {1, 3, 2}, {0, 2, 4}, {2, 3, 1}, {3, 4, 0.5}};
    const struct {
        const char *name;
        double value[6];
    } cases[] = {{"shortest", {0, 3, 4, 5, 5.5, INFINITY}}, {"widest", {INFINITY, 3, 4, 2, 0.5, -INFINITY}},
        {"longest", {0, 3, 4, 5, 5.5, -INFINITY}}, {"reach", {1, 1, 1, 1, 1, 0}},
        {"count", {1, 1, 1, 2, 2, 0}}};
    torc_graph graph = {.nvertices = 6, .has_weights = true};
    for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
        torc_graph_add_weighted_edge(&graph, (uint64_t)edges[e][0], (uint64_t)edges[e][1], edges[e][2]);
    }
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double value[6];
        solution s = solve(&graph, cases[c].name, (uint64_t[]){0}, 1);
        cr_assert_eq(torc_paths_column(value, s.X, s.problem.algebra, 0), GrB_SUCCESS);
        for (int v = 0; v < 6; v++) {
            cr_expect_eq(value[v], cases[c].value[v], "%s, vertex %d: %g", cases[c].name, v, value[v]);
        }
        release(&s);
    }
    cr_expect_null(torc_algebra_weights(torc_algebra_find("reliable"), &graph, 1), "3 is no probability");
    cr_expect(strstr(graph.error, "from 0 to 1"), "%s", graph.error);
    torc_graph_release(&graph);
}

/* A cycle of `length` edges, all of weight 1 but one, at the end of a chain of as many. */
static torc_graph chain_and_cycle(uint64_t length, double odd_weight)
{
    torc_graph graph = {.nvertices = 2 * length, .has_weights = true};
    for (uint64_t v = 0; v + 1 < 2 * length; v++) {
        cr_assert(torc_graph_add_weighted_edge(&graph, v, v + 1, 1));
    }
    cr_assert(torc_graph_add_weighted_edge(&graph, 2 * length - 1, length, odd_weight));
    return graph;
}

Test(paths, a_negative_cycle_is_named_and_one_of_zero_is_none, .init = begin, .fini = end)
{
    for (uint64_t length = 2; length < 200; length = 2 * length + 1) {
        torc_graph graph = chain_and_cycle(length, -(double)length);
        solution s = solve(&graph, "shortest", (uint64_t[]){1, 0}, 2);
        cr_assert(s.report.cycle && !s.X, "a cycle of length %d, weights sum to -1", (int)length);
        cr_expect_eq(s.report.length, length);
        for (uint64_t i = 0; i < s.report.length; i++) {
            uint64_t u = s.report.cycle[(i + 1) % length], v = s.report.cycle[i];
            cr_expect(v == u + 1 || (u == 2 * length - 1 && v == length), "%d to %d", (int)u, (int)v);
        }
        release(&s);
        torc_graph_release(&graph);

        graph = chain_and_cycle(length, 1 - (double)length);
        s = solve(&graph, "shortest", (uint64_t[]){0}, 1);
        cr_expect(!s.report.cycle && s.X, "a cycle of length %d, weights sum to 0", (int)length);
        release(&s);
        torc_graph_release(&graph);
    }
}

Test(paths, a_cycle_that_no_source_reaches_does_not_matter, .init = begin, .fini = end)
{
    torc_graph graph = chain_and_cycle(3, -5);
    torc_graph_add_weighted_edge(&graph, 5, 0, 100);
    graph.nvertices = 8;
    torc_graph_add_weighted_edge(&graph, 7, 6, -1); /* away from the cycle */
    solution s = solve(&graph, "shortest", (uint64_t[]){7, 6}, 2);
    cr_expect(!s.report.cycle && s.X);
    release(&s);
    s = solve(&graph, "shortest", (uint64_t[]){7, 1}, 2);
    cr_expect(s.report.cycle && !s.X);
    release(&s);
    torc_graph_release(&graph);
}

Test(paths, weights_drawn_are_the_same_in_both_directions_and_differ_by_seed)
{
    torc_graph graph = {.nvertices = 100};
    for (uint64_t v = 1; v < 100; v++) {
        torc_graph_add_edge(&graph, v - 1, v);
        torc_graph_add_edge(&graph, v, v - 1);
    }
    double *first = torc_algebra_weights(torc_algebra_find("shortest"), &graph, 1);
    double *second = torc_algebra_weights(torc_algebra_find("shortest"), &graph, 2);
    int same = 0;
    for (uint64_t e = 0; e < graph.nedges; e += 2) {
        cr_expect(first[e] >= 1 && first[e] <= 100 && first[e] == floor(first[e]));
        cr_expect_eq(first[e], first[e + 1]);
        same += first[e] == second[e];
    }
    cr_expect(same < 10, "%d of 99 weights are the same", same);
    free(first);
    free(second);
    torc_graph_release(&graph);
}
