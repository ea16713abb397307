/* fuzz_reader.c: a file in memory, reached through /proc. */
#include "fuzz_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void require_graph(const torc_graph *graph)
{
    char number[TORC_VERTEX_NUMBER];
    for (uint64_t e = 0; e < graph->nedges; e++) {
        require(graph->source[e] < graph->nvertices && graph->target[e] < graph->nvertices);
        require(graph->source[e] != graph->target[e]);
        require(!graph->has_weights || isfinite(graph->weight[e]));
        require(strlen(torc_graph_name(graph, graph->source[e], number)) > 0);
    }
}

int torc_fuzz_reader(const uint8_t *data, size_t size, bool (*read)(torc_graph *graph, const char *path))
{
    torc_graph graph;
    char path[64];
    int file = memfd_create("fuzz", 0);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (read(&graph, path)) {
        require_graph(&graph);
    } else {
        require(graph.error[0] != '\0' && !strchr(graph.error, '\n'));
    }
    torc_graph_release(&graph);
    close(file);
    return 0;
}
