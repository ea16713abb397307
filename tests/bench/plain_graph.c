#include "plain_graph.h"
#include "bench_require.h"
#include <stdlib.h>
#include <string.h>

plain_graph plain_graph_of(const bench_matrix *matrix)
{
    size_t n = (size_t)matrix->nrows;
    plain_graph graph = {n, bench_allocate(n * n, 1), bench_allocate(n * n, 1)};
    for (size_t i = 0; i < n; i++) {
        for (int32_t p = matrix->row_ptr[i]; p < matrix->row_ptr[i + 1]; p++) {
            size_t j = (size_t)matrix->col_idx[p];
            graph.edge[i * n + j] = graph.link[i * n + j] = graph.link[j * n + i] = true;
        }
    }
    return graph;
}

void plain_graph_free(plain_graph *graph)
{
    free(graph->edge);
    free(graph->link);
}

void plain_levels(int *level, const plain_graph *graph, size_t source)
{
    size_t n = graph->n;
    for (size_t v = 0; v < n; v++) {
        level[v] = v == source ? 0 : -1;
    }
    bool has_grown = true;
    for (int depth = 0; has_grown; depth++) {
        has_grown = false;
        for (size_t p = 0; p < n * n; p++) {
            if (graph->edge[p] && level[p / n] == depth && level[p % n] < 0) {
                level[p % n] = depth + 1;
                has_grown = true;
            }
        }
    }
}

static double out_degree(const plain_graph *graph, size_t v)
{
    double degree = 0;
    for (size_t w = 0; w < graph->n; w++) {
        degree += graph->edge[v * graph->n + w];
    }
    return degree;
}

/* next(v) = Σ over edges u→v of damping · rank(u) / degree(u) */
static void walk(double *next, const double *rank, const plain_graph *graph, double damping)
{
    size_t n = graph->n;
    memset(next, 0, n * sizeof *next);
    for (size_t u = 0; u < n; u++) {
        double share = damping * rank[u] / out_degree(graph, u);
        for (size_t v = 0; v < n; v++) {
            next[v] += graph->edge[u * n + v] ? share : 0;
        }
    }
}

void plain_pagerank(double *rank, const plain_graph *graph, double damping, int steps)
{
    size_t n = graph->n;
    double *next = bench_allocate(n, sizeof *next);
    for (size_t v = 0; v < n; v++) {
        rank[v] = 1 / (double)n;
    }
    for (int step = 0; step < steps; step++) {
        walk(next, rank, graph, damping);
        for (size_t v = 0; v < n; v++) {
            rank[v] = next[v] + (1 - damping) / (double)n;
        }
    }
    free(next);
}

void plain_seeded_pagerank(double *rank, const plain_graph *graph, size_t seed, double damping, int steps)
{
    size_t n = graph->n;
    double *next = bench_allocate(n, sizeof *next);
    memset(rank, 0, n * sizeof *rank);
    rank[seed] = 1;
    for (int step = 0; step < steps; step++) {
        double left = 1;
        walk(next, rank, graph, damping);
        for (size_t v = 0; v < n; v++) {
            left -= next[v];
        }
        memcpy(rank, next, n * sizeof *rank);
        rank[seed] += left;
    }
    free(next);
}

void plain_betweenness(double *score, const plain_graph *graph, size_t source)
{
    size_t n = graph->n;
    int *level = bench_allocate(n, sizeof *level);
    double *paths = bench_allocate(n, sizeof *paths), *depends = bench_allocate(n, sizeof *depends);
    plain_levels(level, graph, source);
    paths[source] = 1;
    int farthest = 0;
    for (size_t v = 0; v < n; v++) {
        farthest = level[v] > farthest ? level[v] : farthest;
    }
    for (int depth = 1; depth <= farthest; depth++) {
        for (size_t p = 0; p < n * n; p++) {
            bool is_step = graph->edge[p] && level[p % n] == depth && level[p / n] == depth - 1;
            paths[p % n] += is_step ? paths[p / n] : 0;
        }
    }
    for (int depth = farthest; depth > 0; depth--) {
        for (size_t p = 0; p < n * n; p++) {
            bool is_step = graph->edge[p] && level[p % n] == depth && level[p / n] == depth - 1;
            depends[p / n] += is_step ? paths[p / n] / paths[p % n] * (1 + depends[p % n]) : 0;
        }
    }
    for (size_t v = 0; v < n; v++) {
        score[v] += v == source ? 0 : depends[v];
    }
    free(level);
    free(paths);
    free(depends);
}

void plain_components(size_t *component, const plain_graph *graph)
{
    size_t n = graph->n;
    for (size_t v = 0; v < n; v++) {
        component[v] = v;
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t p = 0; p < n * n; p++) {
            if (graph->link[p] && component[p / n] < component[p % n]) {
                component[p % n] = component[p / n];
                has_changed = true;
            }
        }
    }
}

void plain_product(double *Y, const bool *edge, const double *X, size_t n, size_t width)
{
    memset(Y, 0, n * width * sizeof *Y);
    for (size_t p = 0; p < n * n; p++) {
        for (size_t j = 0; edge[p] && j < width; j++) {
            Y[p / n * width + j] += X[p % n * width + j];
        }
    }
}
