/* pagerank_seeds.c: a mark for each vertex that may still be chosen, and three passes. */
#include "pagerank_seeds.h"

#include <stdlib.h>
#include <string.h>

/* Programs that people know by name, of many kinds. The first ones are those that the report shows. */
static const char *const well_known[] = {"gimp", "postgresql", "python3-numpy", "libreoffice-writer", "git",
    "firefox-esr", "texlive-latex-base", "gcc", "nginx", "emacs-gtk", "vlc", "r-base-core", "docker.io",
    "bash", "gnome-shell", "plasma-desktop"};

enum { TAKEN = 0, SINK = 1, HAS_OUT_EDGE = 2 };

static uint64_t take(uint64_t *seeds, uint64_t taken, unsigned char *mark, uint64_t v)
{
    seeds[taken] = v;
    mark[v] = TAKEN;
    return taken + 1;
}

static uint64_t take_named(
    uint64_t *seeds, uint64_t taken, uint64_t count, unsigned char *mark, const torc_graph *graph)
{
    for (size_t w = 0; w < sizeof well_known / sizeof well_known[0] && taken < count; w++) {
        for (uint64_t v = 0; v < graph->nvertices; v++) {
            if (strcmp(graph->names[v], well_known[w]) == 0) {
                taken = take(seeds, taken, mark, v);
                break;
            }
        }
    }
    return taken;
}

/* Up to count - taken of the vertices so marked, at equal distances among them. */
static uint64_t take_spread(
    uint64_t *seeds, uint64_t taken, uint64_t count, unsigned char *mark, uint64_t n, unsigned char wanted)
{
    uint64_t candidates = 0;
    for (uint64_t v = 0; v < n; v++) {
        candidates += mark[v] == wanted;
    }
    uint64_t missing = count - taken < candidates ? count - taken : candidates;
    uint64_t distance = missing ? candidates / missing : 1, seen = 0, end = taken + missing;
    for (uint64_t v = 0; v < n && taken < end; v++) {
        if (mark[v] == wanted && seen++ % distance == 0) {
            taken = take(seeds, taken, mark, v);
        }
    }
    return taken;
}

bool torc_seeds_choose(uint64_t *seeds, uint64_t *count, const torc_graph *graph)
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
        taken = take_named(seeds, taken, *count, mark, graph);
    }
    taken = take_spread(seeds, taken, *count, mark, n, HAS_OUT_EDGE);
    take_spread(seeds, taken, *count, mark, n, SINK);
    free(mark);
    return true;
}
