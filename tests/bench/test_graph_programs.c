/* test_graph_programs.c: the bench's graph algorithms beside the obvious computation. The same test runs once
 * more under the drop-in, whose reference executor then computes what torc takes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "bench_require.h"
#include "program_check.h"

static const double damping = 0.85f, fp32 = 0x1p-24, fp64 = 0x1p-53;

TestSuite(graph_programs, .init = begin_graphblas, .fini = end_graphblas);

/* Twice as many roundings as there are terms of any sum, in every step. */
static void check_pagerank(const checked_run *it)
{
    double *expected = bench_allocate(it->n, sizeof *expected);
    plain_pagerank(expected, &it->graph, damping, it->answer.steps);
    for (size_t v = 0; v < it->n; v++) {
        double bound = 2 * it->answer.steps * (it->longest + 4) * fp32 * expected[v];
        expect_near(it, v, it->values[v], expected[v], bound);
    }
    free(expected);
}

Test(graph_programs, pagerank_of_all)
{
    expect_on_every_graph("pagerank", check_pagerank);
}

static void check_seeded_pagerank(const checked_run *it)
{
    double *expected = bench_allocate(it->n, sizeof *expected);
    for (size_t s = 0; s < it->batch; s++) {
        plain_seeded_pagerank(expected, &it->graph, it->input.sources[s], 0.85, it->answer.steps);
        for (size_t v = 0; v < it->n; v++) {
            double bound = 2 * it->answer.steps * (it->longest + (double)it->n + 4) * fp64;
            expect_near(it, v, it->values[v * it->batch + s], expected[v], bound);
        }
    }
    free(expected);
}

Test(graph_programs, pagerank_of_seeds)
{
    expect_on_every_graph("pagerank-64", check_seeded_pagerank);
}

static void check_levels(const checked_run *it)
{
    int *level = bench_allocate(it->n, sizeof *level);
    for (size_t s = 0; s < it->batch; s++) {
        plain_levels(level, &it->graph, it->input.sources[s]);
        for (size_t v = 0; v < it->n; v++) {
            double value = it->values[s * it->n + v];
            expect_equal(it, v, isnan(value) ? -1 : value, level[v]);
        }
    }
    free(level);
}

Test(graph_programs, levels_of_many_sources)
{
    expect_on_every_graph("bfs-64-levels", check_levels);
}

/* A parent is one level nearer, and its edge is there. */
static void expect_parents(const checked_run *it, const double *parents)
{
    int *level = bench_allocate(it->n, sizeof *level);
    for (size_t s = 0; s < it->batch; s++) {
        size_t source = it->input.sources[s];
        plain_levels(level, &it->graph, source);
        for (size_t v = 0; v < it->n; v++) {
            double value = parents[s * it->n + v];
            cr_expect_eq(isnan(value), level[v] < 0, "%s, %zu", it->where, v);
            if (!isnan(value) && v != source) {
                size_t parent = (size_t)value;
                cr_expect(
                    parent < it->n && it->graph.edge[parent * it->n + v] && level[parent] == level[v] - 1,
                    "%s: %zu is no parent of %zu", it->where, parent, v);
            }
        }
    }
    free(level);
}

static void check_parents(const checked_run *it)
{
    expect_parents(it, it->values);
}

Test(graph_programs, parents_of_many_sources)
{
    expect_on_every_graph("bfs-64-parents", check_parents);
}

static void check_search(const checked_run *it)
{
    double *parents = dense_of(NULL, it->answer.results[1].vector);
    check_levels(it);
    expect_parents(it, parents);
    free(parents);
}

Test(graph_programs, levels_and_parents_of_one_source)
{
    expect_on_every_graph("bfs", check_search);
}

static void check_paths(const checked_run *it)
{
    double *weights = dense_of(it->input.weights, NULL), *length = bench_allocate(it->n, sizeof *length);
    for (size_t s = 0; s < it->batch; s++) {
        for (size_t v = 0; v < it->n; v++) {
            length[v] = v == it->input.sources[s] ? 0 : INFINITY;
        }
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (size_t p = 0; p < it->n * it->n; p++) { /* weights(v,u) of u→v */
                size_t v = p / it->n, u = p % it->n;
                if (it->graph.edge[u * it->n + v] && length[u] + weights[p] < length[v]) {
                    length[v] = length[u] + weights[p];
                    has_changed = true;
                }
            }
        }
        for (size_t v = 0; v < it->n; v++) {
            double value = it->values[v * it->batch + s];
            cr_expect(value == length[v], "%s, %zu: %g, not %g", it->where, v, value, length[v]);
        }
    }
    free(weights);
    free(length);
}

Test(graph_programs, lengths_of_shortest_paths)
{
    expect_on_every_graph("paths-64", check_paths);
}

/* Path counts are exact in fp64 here. */
static void check_betweenness(const checked_run *it)
{
    double *expected = bench_allocate(it->n, sizeof *expected);
    for (size_t s = 0; s < it->batch; s++) {
        plain_betweenness(expected, &it->graph, it->input.sources[s]);
    }
    for (size_t v = 0; v < it->n; v++) {
        double size = expected[v] + 2 * (double)it->batch;
        double roundings = 2 * it->answer.steps * (it->longest + 3) + (double)it->batch;
        expect_near(it, v, it->values[v], expected[v], 2 * roundings * fp64 * size);
    }
    free(expected);
}

Test(graph_programs, betweenness_of_a_small_batch)
{
    expect_on_every_graph("betweenness-4", check_betweenness);
}

Test(graph_programs, betweenness_of_a_large_batch)
{
    expect_on_every_graph("betweenness-64", check_betweenness);
}

static void check_components(const checked_run *it)
{
    size_t *expected = bench_allocate(it->n, sizeof *expected);
    plain_components(expected, &it->graph);
    for (size_t v = 0; v < it->n; v++) {
        expect_equal(it, v, it->values[v], (double)expected[v]);
    }
    free(expected);
}

Test(graph_programs, components)
{
    expect_on_every_graph("components", check_components);
}
