/* graph.c: the edge list grows by doubling, so that no size announced by a file is believed. */
#include "graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(torc_graph *graph)
{
    uint64_t capacity = graph->capacity ? 2 * graph->capacity : 1024;
    uint64_t *source = realloc(graph->source, capacity * sizeof *source);
    graph->source = source ? source : graph->source;
    uint64_t *target = realloc(graph->target, capacity * sizeof *target);
    graph->target = target ? target : graph->target;
    bool is_done = source && target;
    if (graph->has_weights) {
        double *weight = realloc(graph->weight, capacity * sizeof *weight);
        graph->weight = weight ? weight : graph->weight;
        is_done = is_done && weight;
    }
    if (!is_done) {
        return torc_graph_fail(graph, "not enough memory for %llu edges", (unsigned long long)capacity);
    }
    graph->capacity = capacity;
    return true;
}

bool torc_graph_add_weighted_edge(torc_graph *graph, uint64_t source, uint64_t target, double weight)
{
    if (source == target) {
        return true;
    }
    if (graph->nedges == graph->capacity && !grow(graph)) {
        return false;
    }
    graph->source[graph->nedges] = source;
    graph->target[graph->nedges] = target;
    if (graph->has_weights) {
        graph->weight[graph->nedges] = weight;
    }
    graph->nedges++;
    return true;
}

bool torc_graph_add_edge(torc_graph *graph, uint64_t source, uint64_t target)
{
    return torc_graph_add_weighted_edge(graph, source, target, 1);
}

const char *torc_graph_name(const torc_graph *graph, uint64_t v, char number[TORC_VERTEX_NUMBER])
{
    if (graph->names) {
        return graph->names[v];
    }
    snprintf(number, TORC_VERTEX_NUMBER, "%llu", (unsigned long long)v + 1);
    return number;
}

bool torc_graph_fail(torc_graph *graph, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(graph->error, sizeof graph->error, format, arguments);
    va_end(arguments);
    return false;
}

void torc_graph_release(torc_graph *graph)
{
    for (uint64_t v = 0; graph->names && v < graph->nvertices; v++) {
        free(graph->names[v]);
    }
    free(graph->names);
    free(graph->source);
    free(graph->target);
    free(graph->weight);
    *graph = (torc_graph){0};
}
