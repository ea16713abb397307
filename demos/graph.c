/* graph.c: the edge list grows by doubling, so that no size announced by a file is believed. */
#include "graph.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(torc_graph *graph)
{
    uint64_t capacity = graph->capacity ? 2 * graph->capacity : 1024;
    uint64_t *source = realloc(graph->source, capacity * sizeof *source);
    if (source) {
        graph->source = source;
    }
    uint64_t *target = realloc(graph->target, capacity * sizeof *target);
    if (target) {
        graph->target = target;
    }
    if (!source || !target) {
        return torc_graph_fail(graph, "not enough memory for %llu edges", (unsigned long long)capacity);
    }
    graph->capacity = capacity;
    return true;
}

bool torc_graph_add_edge(torc_graph *graph, uint64_t source, uint64_t target)
{
    if (source == target) {
        return true;
    }
    if (graph->nedges == graph->capacity && !grow(graph)) {
        return false;
    }
    graph->source[graph->nedges] = source;
    graph->target[graph->nedges] = target;
    graph->nedges++;
    return true;
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
    *graph = (torc_graph){0};
}
