/* test_pagerank.c: torc_pagerank beside a plain dense power iteration that counts dangling mass by itself. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph_matrix.h"
#include "graph_mtx.h"
#include "pagerank_algorithm.h"

/* x becomes the ranks of one seed, or with seed n of plain PageRank, after `steps` steps on the dense n×n
 * adjacency edge[source·n + target]. */
static void dense_pagerank(double *x, const bool *edge, uint64_t n, uint64_t seed, double damping, int steps)
{
    double *next = malloc(n * sizeof *next);
    for (uint64_t v = 0; v < n; v++) {
        x[v] = seed == n ? 1 / (double)n : v == seed;
    }
    for (int s = 0; s < steps; s++) {
        double restart = 0;
        memset(next, 0, n * sizeof *next);
        for (uint64_t u = 0; u < n; u++) {
            uint64_t degree = 0;
            for (uint64_t v = 0; v < n; v++) {
                degree += edge[u * n + v];
            }
            restart += (degree ? 1 - damping : 1) * x[u];
            for (uint64_t v = 0; v < n; v++) {
                if (edge[u * n + v]) {
                    next[v] += damping * x[u] / (double)degree;
                }
            }
        }
        for (uint64_t v = 0; v < n; v++) {
            x[v] = next[v] + restart * (seed == n ? 1 / (double)n : v == seed);
        }
    }
    free(next);
}

/* Every seed's column, or with K = 0 plain PageRank, beside the dense iteration. One step adds at most n
 * terms a value, each from a column of sum 1, and later steps shrink earlier errors by the damping: n·u / (1
 * - damping) bounds the sum over a column; the two sides and the handful of other roundings a step make it 8
 * times that. */
static void expect_dense_result(const torc_graph *graph, uint64_t K, double damping, int steps, unsigned seed)
{
    uint64_t n = graph->nvertices;
    bool *edge = calloc(n * n, sizeof *edge);
    uint64_t columns = K ? K : 1, *seeds = malloc(columns * sizeof *seeds);
    double *x = malloc(n * sizeof *x);
    for (uint64_t e = 0; e < graph->nedges; e++) {
        edge[graph->source[e] * n + graph->target[e]] = true;
    }
    for (uint64_t j = 0; j < columns; j++) {
        seeds[j] = K ? (j * 7 + 3) % n : n;
    }

    GrB_Matrix AT = NULL, R = NULL;
    torc_pagerank_report report;
    torc_pagerank_options options = {.damping = damping, .max_steps = steps};
    cr_assert_eq(torc_graph_pattern(&AT, graph, true), GrB_SUCCESS);
    cr_assert_eq(torc_pagerank(&R, &report, AT, K ? seeds : NULL, columns, &options), GrB_SUCCESS);

    double bound = 8 * (double)(n + 4) * 0x1p-53 / (1 - damping);
    for (uint64_t j = 0; j < columns; j++) {
        double sum = 0, error = 0;
        dense_pagerank(x, edge, n, seeds[j], damping, report.steps);
        for (uint64_t v = 0; v < n; v++) {
            double value = NAN;
            cr_assert_eq(GrB_Matrix_extractElement_FP64(&value, R, v, j), GrB_SUCCESS, "R is not full");
            sum += value;
            error += fabs(value - x[v]);
        }
        cr_expect(error <= bound, "seed %u, column %d: error %g above %g", seed, (int)j, error, bound);
        cr_expect(fabs(sum - 1) <= bound, "seed %u, column %d: sum - 1 = %g", seed, (int)j, sum - 1);
    }
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&R);
    free(edge);
    free(seeds);
    free(x);
}

/* Vertices at the end of the range have no out-edge, those at the start no in-edge, vertex n/2 neither. */
static torc_graph random_graph(uint64_t n, uint64_t nedges)
{
    torc_graph graph = {.nvertices = n};
    for (uint64_t e = 0; e < nedges; e++) {
        uint64_t source = (uint64_t)rand() % (n - n / 5), target = n / 5 + (uint64_t)rand() % (n - n / 5);
        if (source != n / 2 && target != n / 2) {
            cr_assert(torc_graph_add_edge(&graph, source, target));
        }
    }
    return graph;
}

static void begin(void)
{
    cr_assert_eq(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
}

static void end(void)
{
    GrB_finalize();
}

Test(pagerank, random_graphs_with_dangling_and_isolated_vertices, .init = begin, .fini = end)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        srand(seed);
        uint64_t n = 5 + (uint64_t)rand() % 60;
        torc_graph graph = random_graph(n, (uint64_t)rand() % (4 * n));
        expect_dense_result(&graph, 1 + (uint64_t)rand() % n, 0.85, 1 + rand() % 30, seed);
        torc_graph_release(&graph);
    }
}

Test(pagerank, a_chain_by_hand, .init = begin, .fini = end)
{
    /* 0 → 1 → 2, seed 0, damping 1/2: x0 = 1/2 x0 + 1/2 x1 + x2, x1 = x0 / 2, x2 = x1 / 2 */
    torc_graph graph = {.nvertices = 3};
    torc_graph_add_edge(&graph, 0, 1);
    torc_graph_add_edge(&graph, 1, 2);
    GrB_Matrix AT = NULL, R = NULL;
    torc_pagerank_report report;
    cr_assert_eq(torc_graph_pattern(&AT, &graph, true), GrB_SUCCESS);
    cr_assert_eq(torc_pagerank(&R, &report, AT, (GrB_Index[]){0}, 1,
                     &(torc_pagerank_options){0.5, 1e-14, 200, NULL, NULL}),
        GrB_SUCCESS);
    for (GrB_Index v = 0; v < 3; v++) {
        double value = NAN;
        GrB_Matrix_extractElement_FP64(&value, R, v, 0);
        cr_expect_float_eq(value, 4.0 / 7 / (double)(1 << v), 1e-13);
    }
    cr_expect(report.residual <= 1e-14 && report.steps < 200, "%d steps", report.steps);
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&R);
    torc_graph_release(&graph);
}

Test(pagerank, without_seeds_the_walker_starts_everywhere, .init = begin, .fini = end)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        srand(seed);
        uint64_t n = 5 + (uint64_t)rand() % 60;
        torc_graph graph = random_graph(n, (uint64_t)rand() % (4 * n));
        expect_dense_result(&graph, 0, 0.85, 1 + rand() % 30, seed);
        torc_graph_release(&graph);
    }
}

Test(pagerank, the_smallest_graphs, .init = begin, .fini = end)
{
    torc_graph alone = {.nvertices = 1}, empty = {.nvertices = 5};
    expect_dense_result(&alone, 1, 0.85, 3, 0);
    expect_dense_result(&empty, 5, 0.85, 3, 0);
}

Test(pagerank, steps_end_at_the_tolerance_or_the_limit, .init = begin, .fini = end)
{
    torc_graph graph = {.nvertices = 2};
    torc_graph_add_edge(&graph, 0, 1);
    torc_graph_add_edge(&graph, 1, 0);
    GrB_Matrix AT = NULL, R = NULL;
    torc_pagerank_report report;
    GrB_Index seeds[] = {0, 1};
    cr_assert_eq(torc_graph_pattern(&AT, &graph, true), GrB_SUCCESS);
    cr_assert_eq(
        torc_pagerank(&R, &report, AT, seeds, 2, &(torc_pagerank_options){0.85, 1e-6, 7, NULL, NULL}),
        GrB_SUCCESS);
    cr_expect_eq(report.steps, 7);
    GrB_Matrix_free(&R);
    /* A change of 2 · 0.85^s in step s: the first below 1e-6 is step 90. */
    cr_assert_eq(
        torc_pagerank(&R, &report, AT, seeds, 2, &(torc_pagerank_options){0.85, 1e-6, 999, NULL, NULL}),
        GrB_SUCCESS);
    cr_expect_eq(report.steps, 90, "%d", report.steps);
    GrB_Matrix_free(&R);
    GrB_Matrix_free(&AT);
    torc_graph_release(&graph);
}

Test(pagerank, the_adjacency_is_an_iso_pattern_by_row_with_edges_once, .init = begin, .fini = end)
{
    uint64_t source[] = {0, 0, 2, 0}, target[] = {1, 1, 1, 2};
    torc_graph graph = {.nvertices = 3, .nedges = 4, .source = source, .target = target};
    GrB_Index count;
    GrB_Matrix AT = NULL;
    GrB_Type type;
    bool is_iso, value = false;
    cr_assert_eq(torc_graph_pattern(&AT, &graph, true), GrB_SUCCESS);
    GrB_Matrix_nvals(&count, AT);
    GxB_Matrix_iso(&is_iso, AT);
    GxB_Matrix_type(&type, AT);
    cr_expect_eq(count, 3);
    cr_expect(is_iso && type == GrB_BOOL);
    cr_expect(GrB_Matrix_extractElement_BOOL(&value, AT, 1, 2) == GrB_SUCCESS && value);
    GrB_Matrix_free(&AT);
}

Test(pagerank, karate, .init = begin, .fini = end)
{
    const char *path = TORC_SHARED_DATA "/karate.mtx.gz";
    if (access(path, R_OK) != 0) {
        cr_skip_test("%s is not there", path);
    }
    torc_graph graph;
    cr_assert(torc_graph_read_mtx(&graph, path), "%s", graph.error);
    expect_dense_result(&graph, 34, 0.85, 100, 0);
    torc_graph_release(&graph);
}
