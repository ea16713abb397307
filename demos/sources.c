/* sources.c: a mark for each vertex that may still be chosen, and three passes. */
#include "sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Programs that people know by name, of many kinds. The first ones are those that the report shows. */
static const char *const well_known[] = {"gimp", "postgresql", "python3-numpy", "libreoffice-writer", "git",
    "firefox-esr", "texlive-latex-base", "gcc", "nginx", "emacs-gtk", "vlc", "r-base-core", "docker.io",
    "bash", "gnome-shell", "plasma-desktop"};

enum { TAKEN = 0, SINK = 1, HAS_OUT_EDGE = 2 };

static uint64_t take(uint64_t *sources, uint64_t taken, unsigned char *mark, uint64_t v)
{
    sources[taken] = v;
    mark[v] = TAKEN;
    return taken + 1;
}

static uint64_t take_named(
    uint64_t *sources, uint64_t taken, uint64_t count, unsigned char *mark, const torc_graph *graph)
{
    for (size_t w = 0; w < sizeof well_known / sizeof well_known[0] && taken < count; w++) {
        for (uint64_t v = 0; v < graph->nvertices; v++) {
            if (strcmp(graph->names[v], well_known[w]) == 0) {
                taken = take(sources, taken, mark, v);
                break;
            }
        }
    }
    return taken;
}

/* Up to count - taken of the vertices so marked, at equal distances among them. */
static uint64_t take_spread(
    uint64_t *sources, uint64_t taken, uint64_t count, unsigned char *mark, uint64_t n, unsigned char wanted)
{
    uint64_t candidates = 0;
    for (uint64_t v = 0; v < n; v++) {
        candidates += mark[v] == wanted;
    }
    uint64_t missing = count - taken < candidates ? count - taken : candidates;
    uint64_t distance = missing ? candidates / missing : 1, seen = 0, end = taken + missing;
    for (uint64_t v = 0; v < n && taken < end; v++) {
        if (mark[v] == wanted && seen++ % distance == 0) {
            taken = take(sources, taken, mark, v);
        }
    }
    return taken;
}

bool torc_sources_choose(uint64_t *sources, uint64_t *count, const torc_graph *graph)
{
    uint64_t n = graph->nvertices, taken = 0;
    if (*count > n) {
        *count = n;
    }
    unsigned char *mark = malloc(n);
    if (!mark) {
        return false;
    }
    memset(mark, SINK, n);
    for (uint64_t e = 0; e < graph->nedges; e++) {
        mark[graph->source[e]] = HAS_OUT_EDGE;
    }
    if (graph->names) {
        taken = take_named(sources, taken, *count, mark, graph);
    }
    taken = take_spread(sources, taken, *count, mark, n, HAS_OUT_EDGE);
    take_spread(sources, taken, *count, mark, n, SINK);
    free(mark);
    return true;
}

static bool find_vertex(uint64_t *vertex, const torc_graph *graph, const char *name, size_t length)
{
    for (uint64_t v = 0; graph->names && v < graph->nvertices; v++) {
        if (strncmp(graph->names[v], name, length) == 0 && graph->names[v][length] == '\0') {
            *vertex = v;
            return true;
        }
    }
    char *end;
    errno = 0;
    unsigned long long number = strtoull(name, &end, 10);
    *vertex = number - 1;
    return !graph->names && name[0] != '-' && errno == 0 && end == name + length && number >= 1 &&
           number <= graph->nvertices;
}

bool torc_sources_find(uint64_t **sources, uint64_t *count, torc_graph *graph, const char *list)
{
    *count = 0;
    *sources = malloc((strlen(list) / 2 + 1) * sizeof **sources); /* a name and a comma each */
    if (!*sources) {
        return torc_graph_fail(graph, "not enough memory");
    }
    for (const char *at = list; *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        if (length == 0) {
            continue;
        }
        if (!find_vertex(&(*sources)[*count], graph, at, length)) {
            return torc_graph_fail(graph, "%.*s: no such vertex", length < 100 ? (int)length : 100, at);
        }
        ++*count;
        at += length;
    }
    return *count > 0 || torc_graph_fail(graph, "a list of vertices is empty");
}
