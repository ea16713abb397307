/* paths_plain.c: the textbook algorithms, over any of the algebras. */
#include "paths_plain.h"

#include <stdlib.h>
#include <string.h>

/* Relax every edge once, in the order of the list; whether a value changed. before: NULL, or who changed it.
 * extended: room for a value. */
static bool relax_all(void *value, uint64_t *before, const torc_paths_problem *problem, void *extended)
{
    const torc_graph *graph = problem->graph;
    const torc_algebra *algebra = problem->algebra;
    bool has_changed = false;
    for (uint64_t e = 0; e < graph->nedges; e++) {
        uint64_t u = graph->source[e], v = graph->target[e];
        void *known = torc_algebra_at(algebra, value, v);
        algebra->extend(
            extended, torc_algebra_at(algebra, value, u), torc_algebra_at(algebra, problem->weight, e));
        if (algebra->is_better(extended, known)) {
            memcpy(known, extended, torc_algebra_size(algebra));
            has_changed = true;
            if (before) {
                before[v] = u;
            }
        }
    }
    return has_changed;
}

/* A vertex on a cycle of before[], or TORC_NO_VERTEX. seen[v]: the vertex from which v was first come across.
 */
static uint64_t find_cycle(uint64_t *seen, const uint64_t *before, uint64_t n)
{
    memset(seen, 0xff, n * sizeof *seen);
    for (uint64_t start = 0; start < n; start++) {
        uint64_t v = start;
        while (v != TORC_NO_VERTEX && seen[v] == TORC_NO_VERTEX) {
            seen[v] = start;
            v = before[v];
        }
        if (v != TORC_NO_VERTEX && seen[v] == start) {
            return v;
        }
    }
    return TORC_NO_VERTEX;
}

static bool list_cycle(uint64_t **cycle, uint64_t *length, const uint64_t *before, uint64_t on_cycle)
{
    uint64_t v = on_cycle;
    *length = 0;
    do {
        ++*length;
        v = before[v];
    } while (v != on_cycle);
    *cycle = malloc(*length * sizeof **cycle);
    for (uint64_t i = 0; *cycle && i < *length; i++) {
        (*cycle)[i] = v;
        v = before[v];
    }
    return *cycle != NULL;
}

bool torc_plain_cycle(
    uint64_t **cycle, uint64_t *length, void *value, const torc_paths_problem *problem, uint64_t passes)
{
    uint64_t n = problem->graph->nvertices;
    uint64_t *before = malloc(n * sizeof *before), *seen = malloc(n * sizeof *seen);
    void *extended = malloc(torc_algebra_size(problem->algebra));
    bool is_done = before && seen && extended;
    *cycle = NULL;
    if (is_done) {
        memset(before, 0xff, n * sizeof *before);
    }
    for (uint64_t pass = 0; is_done && !*cycle && pass < passes; pass++) {
        if (!relax_all(value, before, problem, extended)) {
            break;
        }
        uint64_t on_cycle = find_cycle(seen, before, n);
        if (on_cycle != TORC_NO_VERTEX) {
            is_done = list_cycle(cycle, length, before, on_cycle);
        }
    }
    free(before);
    free(seen);
    free(extended);
    return is_done;
}

static bool is_same(const torc_algebra *algebra, const void *left, const void *right)
{
    return !algebra->is_better(left, right) && !algebra->is_better(right, left);
}

bool torc_plain_predecessors(uint64_t *before, const void *value, const torc_adjacency *adjacency,
    const torc_paths_problem *problem, uint64_t source)
{
    const torc_algebra *algebra = problem->algebra;
    uint64_t n = adjacency->nvertices, head = 0, tail = 0;
    uint64_t *queue = malloc(n * sizeof *queue);
    void *extended = malloc(torc_algebra_size(algebra));
    bool is_done = queue && extended;
    if (is_done) {
        memset(before, 0xff, n * sizeof *before);
        queue[tail++] = source;
    }
    while (head < tail) {
        uint64_t u = queue[head++];
        for (uint64_t i = adjacency->first[u]; i < adjacency->first[u + 1]; i++) {
            uint64_t v = adjacency->target[i];
            if (v == source || before[v] != TORC_NO_VERTEX) {
                continue;
            }
            if (!algebra->is_counting) {
                algebra->extend(extended, torc_algebra_at(algebra, value, u),
                    torc_algebra_at(algebra, problem->weight, adjacency->edge[i]));
            }
            if (algebra->is_counting || is_same(algebra, extended, torc_algebra_at(algebra, value, v))) {
                before[v] = u;
                queue[tail++] = v;
            }
        }
    }
    free(queue);
    free(extended);
    return is_done;
}

/* A binary heap of paths, the best one at its root. A vertex is in it once for each time its value changed.
 */
typedef struct candidate {
    double value;
    uint64_t vertex;
} candidate;

static void heap_push(candidate *heap, uint64_t *size, const torc_algebra *algebra, candidate item)
{
    uint64_t at = (*size)++;
    for (; at > 0 && algebra->is_better(&item.value, &heap[(at - 1) / 2].value); at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = item;
}

static candidate heap_pop(candidate *heap, uint64_t *size, const torc_algebra *algebra)
{
    candidate root = heap[0], last = heap[--*size];
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < *size; at = child) {
        if (child + 1 < *size && algebra->is_better(&heap[child + 1].value, &heap[child].value)) {
            child++;
        }
        if (!algebra->is_better(&heap[child].value, &last.value)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = last;
    return root;
}

static bool dijkstra(
    double *value, const torc_paths_problem *problem, const torc_adjacency *adjacency, uint64_t source)
{
    const torc_algebra *algebra = problem->algebra;
    const double *weight = problem->weight;
    uint64_t size = 0, nedges = adjacency->first[adjacency->nvertices];
    candidate *heap = malloc((nedges + 1) * sizeof *heap);
    if (!heap) {
        return false;
    }
    heap_push(heap, &size, algebra, (candidate){value[source], source});
    while (size > 0) {
        candidate best = heap_pop(heap, &size, algebra);
        uint64_t u = best.vertex;
        bool is_outdated = algebra->is_better(&value[u], &best.value);
        for (uint64_t i = adjacency->first[u]; !is_outdated && i < adjacency->first[u + 1]; i++) {
            uint64_t v = adjacency->target[i];
            double extended;
            algebra->extend(&extended, &value[u], &weight[adjacency->edge[i]]);
            if (algebra->is_better(&extended, &value[v])) {
                value[v] = extended;
                heap_push(heap, &size, algebra, (candidate){extended, v});
            }
        }
    }
    free(heap);
    return true;
}

/* Paths with the fewest edges; an edge listed twice is one edge. */
static bool count_paths(double *value, const torc_adjacency *adjacency, uint64_t source)
{
    uint64_t n = adjacency->nvertices, head = 0, tail = 0;
    uint64_t *queue = malloc(n * sizeof *queue), *depth = malloc(n * sizeof *depth);
    uint64_t *last = malloc(n * sizeof *last); /* the vertex whose edge to v was counted last */
    bool is_done = queue && depth && last;
    if (is_done) {
        memset(depth, 0xff, n * sizeof *depth);
        memset(last, 0xff, n * sizeof *last);
        depth[source] = 0;
        queue[tail++] = source;
    }
    while (head < tail) {
        uint64_t u = queue[head++];
        for (uint64_t e = adjacency->first[u]; e < adjacency->first[u + 1]; e++) {
            uint64_t v = adjacency->target[e];
            if (depth[v] == TORC_NO_VERTEX) {
                depth[v] = depth[u] + 1;
                queue[tail++] = v;
            }
            if (depth[v] == depth[u] + 1 && last[v] != u) {
                value[v] += value[u];
                last[v] = u;
            }
        }
    }
    free(queue);
    free(depth);
    free(last);
    return is_done;
}

static bool dijkstra_applies(const torc_paths_problem *problem)
{
    return torc_algebra_is_monotone(problem->algebra, problem->weight, problem->graph->nedges);
}

const char *torc_plain_method(const torc_paths_problem *problem)
{
    return problem->algebra->is_counting ? "a count with a queue"
           : dijkstra_applies(problem)   ? "Dijkstra's algorithm"
                                         : "relaxing edge by edge";
}

static bool relax_until_nothing_changes(void *value, const torc_paths_problem *problem)
{
    void *extended = malloc(torc_algebra_size(problem->algebra));
    while (extended && relax_all(value, NULL, problem, extended)) {
    }
    free(extended);
    return extended != NULL;
}

bool torc_plain_values(
    void *value, const torc_paths_problem *problem, const torc_adjacency *adjacency, uint64_t source)
{
    const torc_algebra *algebra = problem->algebra;
    for (uint64_t v = 0; v < adjacency->nvertices; v++) {
        memcpy(torc_algebra_at(algebra, value, v), algebra->nothing, torc_algebra_size(algebra));
    }
    memcpy(torc_algebra_at(algebra, value, source), algebra->source, torc_algebra_size(algebra));
    return algebra->is_counting        ? count_paths(value, adjacency, source)
           : dijkstra_applies(problem) ? dijkstra(value, problem, adjacency, source)
                                       : relax_until_nothing_changes(value, problem);
}
