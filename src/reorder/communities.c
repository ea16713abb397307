/* communities.c: vertices in ascending order of degree are each merged into the neighbour by which modularity
 * grows most (Acc-SpMM, algorithm 1, lines 1 to 8; Arai et al., Rabbit Order, IPDPS 2016):
 *
 *     gain (u, v) ~ weight (u, v) - degree (u) · degree (v) / all degrees
 *
 * A vertex that others were merged into has their edges too. They are added up when its turn comes, once:
 * what was merged into a vertex waits in a list of its own.
 *
 * A batch of vertices looks for neighbours at once, in threads, by what was merged before the batch; then
 * they are merged one after another. So the result is the same for any number of threads.
 */
#include "communities.h"
#include "column_counts.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARES = 32,   /* a batch is dealt to so many; each has a table */
    BATCHES = 256, /* reasoned: a batch is blind to its own merges, and waking threads takes time */
    FEWEST_A_BATCH = 256,
    ALWAYS_SHARED = 1 << 20 /* bytes a step that make torc_threads_loop share */
};

/* Edges of vertices that were added up. */
typedef struct edge_list {
    torc_count *edges;
    uint32_t count;
} edge_list;

typedef struct candidate {
    uint32_t vertex, weight;
} candidate;

typedef struct merging {
    const torc_graph *graph;
    _Atomic uint32_t *above; /* the forest's, shortened on the way */
    torc_forest *forest;
    uint32_t *last_below;
    uint32_t *waits, *last_waiting; /* of a vertex, those whose edges are not among its own yet */
    edge_list *added_up;            /* NULL edges: they are the graph's */
    uint64_t *degree;
    double all_degrees;
    const uint32_t *batch; /* vertices */
    candidate *best;       /* of each */
    int64_t batch_size;
    torc_counts tables[SHARES];
    atomic_bool lacks_memory;
} merging;

/* Any thread: shortened or not, the way leads to the same end. */
static uint32_t community_of(const merging *m, uint32_t v)
{
    for (;;) {
        uint32_t up = atomic_load_explicit(&m->above[v], memory_order_relaxed);
        uint32_t further = atomic_load_explicit(&m->above[up], memory_order_relaxed);
        if (up == further) {
            return up;
        }
        atomic_store_explicit(&m->above[v], further, memory_order_relaxed);
        v = further;
    }
}

static int64_t edges_of(const merging *m, uint32_t v)
{
    return m->added_up[v].edges ? m->added_up[v].count : m->graph->begin[v + (int64_t)1] - m->graph->begin[v];
}

/* The edges of v by the communities that they lead to, out of its own. */
static bool add_up(const merging *m, torc_counts *table, uint32_t v, uint32_t own)
{
    const edge_list *list = &m->added_up[v];
    int64_t begin = list->edges ? 0 : m->graph->begin[v], end = begin + edges_of(m, v);
    if (!torc_counts_reserve(table, end - begin)) {
        return false;
    }
    for (int64_t e = begin; e < end; e++) {
        uint32_t other = community_of(m, list->edges ? list->edges[e].number : m->graph->neighbours[e]);
        if (other != own) {
            torc_counts_add(table, other, list->edges ? list->edges[e].weight : 1);
        }
    }
    return true;
}

/* The table becomes v's list of edges, and the lists that waited for it are freed. */
static bool keep_edges(merging *m, const torc_counts *table, uint32_t v)
{
    edge_list kept = {malloc(((size_t)table->nused + 1) * sizeof *kept.edges), table->nused};
    if (!kept.edges) {
        return false;
    }
    for (uint32_t i = 0; i < table->nused; i++) {
        kept.edges[i] = table->places[table->used[i]];
    }
    for (uint32_t w = v; w != TORC_NO_VERTEX; w = m->waits[w]) {
        free(m->added_up[w].edges);
        m->added_up[w].edges = NULL;
    }
    m->added_up[v] = kept;
    m->waits[v] = TORC_NO_VERTEX;
    m->last_waiting[v] = v;
    return true;
}

/* Into *best; of several as good the first. */
static bool choose(merging *m, torc_counts *table, candidate *best, uint32_t v)
{
    torc_counts_clear(table);
    for (uint32_t w = v; w != TORC_NO_VERTEX; w = m->waits[w]) {
        if (!add_up(m, table, w, v)) {
            return false;
        }
    }
    *best = (candidate){TORC_NO_VERTEX, 0};
    double most = 0;
    for (uint32_t i = 0; i < table->nused; i++) {
        const torc_count *edge = &table->places[table->used[i]];
        double gain = edge->weight - (double)m->degree[v] * (double)m->degree[edge->number] / m->all_degrees;
        if (gain > most || (gain == most && gain > 0 && edge->number < best->vertex)) {
            most = gain;
            *best = (candidate){edge->number, edge->weight};
        }
    }
    return m->waits[v] == TORC_NO_VERTEX || keep_edges(m, table, v);
}

static void choose_share(void *argument, int64_t begin, int64_t end)
{
    merging *m = argument;
    for (int64_t share = begin; share < end; share++) {
        for (int64_t i = share; i < m->batch_size && !m->lacks_memory; i += SHARES) {
            if (!choose(m, &m->tables[share], &m->best[i], m->batch[i])) {
                m->lacks_memory = true;
            }
        }
    }
}

/* Merge v into the community of its choice; not if both have come together since, or have grown too large. */
static void merge(merging *m, uint32_t v, const candidate *best)
{
    torc_forest *forest = m->forest;
    if (best->vertex == TORC_NO_VERTEX) {
        return;
    }
    uint32_t u = community_of(m, best->vertex);
    if (u == v || (double)best->weight * m->all_degrees <= (double)m->degree[u] * (double)m->degree[v]) {
        return;
    }
    if (forest->first_below[u] == TORC_NO_VERTEX) {
        forest->first_below[u] = v;
    } else {
        forest->next[m->last_below[u]] = v;
    }
    m->last_below[u] = v;
    m->waits[m->last_waiting[u]] = v;
    m->last_waiting[u] = m->last_waiting[v];
    m->degree[u] += m->degree[v];
    m->above[v] = u;
}

/* ---- All vertices ------------------------------------------------------------------------------------- */

static int by_degree(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Ascending by degree, then by number: keys of 64 bits with both, since no degree has more than 32. */
static void sort_vertices(uint32_t *order, uint64_t *keys, const torc_graph *graph)
{
    for (int64_t v = 0; v < graph->nvertices; v++) {
        uint64_t degree = (uint64_t)(graph->begin[v + 1] - graph->begin[v]);
        keys[v] = degree << 32 | (uint64_t)v;
    }
    qsort(keys, graph->nvertices, sizeof *keys, by_degree);
    for (int64_t i = 0; i < graph->nvertices; i++) {
        order[i] = (uint32_t)keys[i];
    }
}

static void run_batches(merging *m, const uint32_t *order)
{
    int64_t n = m->graph->nvertices, size = n / BATCHES > FEWEST_A_BATCH ? n / BATCHES : FEWEST_A_BATCH;
    for (int64_t first = 0; first < n && !m->lacks_memory; first += size) {
        m->batch = order + first;
        m->batch_size = n - first < size ? n - first : size;
        torc_threads_loop(SHARES, ALWAYS_SHARED, choose_share, m);
        for (int64_t i = 0; i < m->batch_size && !m->lacks_memory; i++) {
            merge(m, m->batch[i], &m->best[i]);
        }
    }
}

static uint32_t *fill(size_t n, bool counts)
{
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i < n; i++) {
        numbers[i] = counts ? (uint32_t)i : TORC_NO_VERTEX;
    }
    return numbers;
}

static void begin(merging *m, torc_forest *forest, const torc_graph *graph)
{
    size_t n = graph->nvertices;
    *forest = (torc_forest){fill(n, true), fill(n, false), fill(n, false)};
    *m = (merging){
        .graph = graph,
        .forest = forest,
        .above = (_Atomic uint32_t *)forest->above,
        .last_below = fill(n, false),
        .waits = fill(n, false),
        .last_waiting = fill(n, true),
        .added_up = calloc(n + 1, sizeof *m->added_up),
        .degree = malloc((n + 1) * sizeof *m->degree),
        .best = malloc((n + 1) * sizeof *m->best),
        .all_degrees = (double)graph->begin[n],
    };
    m->lacks_memory = !forest->above || !forest->first_below || !forest->next || !m->last_below ||
                      !m->waits || !m->last_waiting || !m->added_up || !m->degree || !m->best;
}

static void end(merging *m)
{
    for (int64_t v = 0; m->added_up && v < m->graph->nvertices; v++) {
        free(m->added_up[v].edges);
    }
    for (int share = 0; share < SHARES; share++) {
        torc_counts_free(&m->tables[share]);
    }
    free(m->last_below);
    free(m->waits);
    free(m->last_waiting);
    free(m->added_up);
    free(m->degree);
    free(m->best);
}

void torc_forest_free(torc_forest *forest)
{
    free(forest->above);
    free(forest->first_below);
    free(forest->next);
    *forest = (torc_forest){0};
}

torc_status torc_forest_grow(torc_forest *forest, const torc_graph *graph)
{
    merging m;
    uint32_t *order = fill(graph->nvertices, true);
    begin(&m, forest, graph);
    if (!order) {
        m.lacks_memory = true;
    }
    if (!m.lacks_memory) {
        sort_vertices(order, m.degree, graph); /* where degrees are going to be */
        for (int64_t v = 0; v < graph->nvertices; v++) {
            m.degree[v] = (uint64_t)(graph->begin[v + 1] - graph->begin[v]);
        }
        run_batches(&m, order);
    }
    bool lacks_memory = m.lacks_memory;
    end(&m);
    free(order);
    if (lacks_memory) {
        torc_forest_free(forest);
    }
    return lacks_memory ? TORC_OUT_OF_MEMORY : TORC_SUCCESS;
}
