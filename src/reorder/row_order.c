/* row_order.c: chooses between three orders of rows: community by community, arranged by windows; as they
 * are, arranged by windows; and as they are. The one with the fewest bricks is taken. The second is there
 * because the first tears rows apart that are in a good order already, as those of finite elements or of the
 * pages of a site.
 */
#include "row_order.h"
#include "communities.h"
#include "row_windows.h"
#include <stdlib.h>
#include <string.h>

/* Rows without entries come last. */
typedef struct sequence {
    uint32_t *rows;
    int64_t count; /* of those with entries */
} sequence;

static void add_row(sequence *s, const torc_row_lists *A, int64_t row)
{
    if (torc_row_length(A, row) > 0) {
        s->rows[s->count++] = (uint32_t)row;
    }
}

static void add_empty_rows(sequence *s, const torc_row_lists *A)
{
    int64_t last = s->count;
    for (int64_t i = 0; i < A->nrows; i++) {
        if (torc_row_length(A, i) == 0) {
            s->rows[last++] = (uint32_t)i;
        }
    }
}

/* ---- Community by community --------------------------------------------------------------------------- */

/* v, and all that was merged into it, each before what was merged into itself: depth first. */
static void add_tree(
    sequence *s, uint32_t *stack, const torc_forest *forest, const torc_row_lists *A, uint32_t v)
{
    int64_t depth = 0;
    stack[depth++] = v;
    while (depth > 0) {
        uint32_t own = stack[--depth];
        if (own < A->nrows) { /* else it is a column */
            add_row(s, A, own);
        }
        if (forest->next[own] != TORC_NO_VERTEX) {
            stack[depth++] = forest->next[own];
        }
        if (forest->first_below[own] != TORC_NO_VERTEX) {
            stack[depth++] = forest->first_below[own];
        }
    }
}

/* Communities come in the order of their first rows. */
static bool add_communities(
    sequence *s, const torc_forest *forest, uint32_t nvertices, const torc_row_lists *A)
{
    uint8_t *is_listed = calloc((size_t)nvertices + 1, 1);
    uint32_t *stack = malloc(((size_t)nvertices + 1) * sizeof *stack);
    bool has_memory = is_listed && stack;
    for (uint32_t i = 0; has_memory && i < A->nrows; i++) {
        uint32_t v = i;
        while (forest->above[v] != v) {
            v = forest->above[v];
        }
        if (!is_listed[v]) {
            is_listed[v] = 1;
            add_tree(s, stack, forest, A, v);
        }
    }
    free(is_listed);
    free(stack);
    return has_memory;
}

static torc_status list_by_community(uint32_t *rows, const torc_row_lists *A)
{
    sequence s = {.rows = rows};
    torc_graph graph;
    torc_forest forest;
    torc_status status = torc_graph_make(&graph, A);
    if (status != TORC_SUCCESS) {
        return status;
    }
    status = torc_forest_grow(&forest, &graph);
    if (status == TORC_SUCCESS) {
        status = add_communities(&s, &forest, graph.nvertices, A) ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
        torc_forest_free(&forest);
    }
    torc_graph_free(&graph);
    add_empty_rows(&s, A);
    return status == TORC_SUCCESS && !torc_windows_arrange(rows, s.count, A) ? TORC_OUT_OF_MEMORY : status;
}

/* ---- As they are -------------------------------------------------------------------------------------- */

static torc_status list_near_by(uint32_t *rows, const torc_row_lists *A)
{
    sequence s = {.rows = rows};
    for (int64_t i = 0; i < A->nrows; i++) {
        add_row(&s, A, i);
    }
    add_empty_rows(&s, A);
    return torc_windows_arrange(rows, s.count, A) ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static torc_status list_all(uint32_t *rows, const torc_row_lists *A)
{
    for (int64_t i = 0; i < A->nrows; i++) {
        rows[i] = (uint32_t)i;
    }
    return TORC_SUCCESS;
}

/* ---- The best ----------------------------------------------------------------------------------------- */

torc_status torc_row_order(uint32_t *order, torc_row_order_bricks *bricks, const torc_row_lists *A)
{
    static torc_status (*const ways[])(uint32_t * rows, const torc_row_lists *A) = {
        list_all, list_near_by, list_by_community};
    size_t size = (size_t)A->nrows * sizeof *order;
    uint32_t *rows = malloc(size + 1);
    torc_status status = rows ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0] && status == TORC_SUCCESS; way++) {
        status = ways[way](rows, A);
        int64_t count = status == TORC_SUCCESS ? torc_windows_count(rows, A, 1) : 0;
        if (count < 0) {
            status = TORC_OUT_OF_MEMORY;
        }
        if (way == 0) {
            bricks->before = count;
        }
        if (way == 0 || count < bricks->after) {
            bricks->after = count;
            memcpy(order, rows, size);
        }
    }
    free(rows);
    return status;
}
