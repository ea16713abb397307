/* graph_rmat.c: integers only, so that no floating-point setting changes the graph. */
#include "graph_rmat.h"

#include <stdlib.h>

enum { EDGES_A_VERTEX = 16, PERCENT_A = 57, PERCENT_AB = 76, PERCENT_ABC = 95 };

/* SplitMix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators (OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(uint64_t *label, uint64_t n, uint64_t *state)
{
    for (uint64_t v = 0; v < n; v++) {
        uint64_t w = next_random(state) % (v + 1);
        label[v] = label[w];
        label[w] = v;
    }
}

/* One edge: at each level, the quadrant of the adjacency matrix that it falls into. */
static void draw_edge(uint64_t *source, uint64_t *target, int scale, uint64_t *state)
{
    *source = *target = 0;
    for (int level = 0; level < scale; level++) {
        uint64_t percent = next_random(state) % 100;
        bool is_lower = percent >= PERCENT_AB;
        bool is_right = is_lower ? percent >= PERCENT_ABC : percent >= PERCENT_A;
        *source = 2 * *source + is_lower;
        *target = 2 * *target + is_right;
    }
}

bool torc_graph_generate_rmat(torc_graph *graph, int scale)
{
    *graph = (torc_graph){0};
    if (scale < 1 || scale > TORC_RMAT_MAX_SCALE) {
        return torc_graph_fail(graph, "the scale must be 1 to %d", TORC_RMAT_MAX_SCALE);
    }
    graph->nvertices = (uint64_t)1 << scale;
    uint64_t *label = malloc(graph->nvertices * sizeof *label);
    if (!label) {
        return torc_graph_fail(graph, "not enough memory for a graph of scale %d", scale);
    }
    uint64_t state = 1;
    shuffle(label, graph->nvertices, &state);
    bool is_done = true;
    for (uint64_t e = 0; is_done && e < EDGES_A_VERTEX * graph->nvertices; e++) {
        uint64_t source, target;
        draw_edge(&source, &target, scale, &state);
        is_done = torc_graph_add_edge(graph, label[source], label[target]);
    }
    free(label);
    return is_done;
}
