#include "graph.h"
#include "offsets.h"
#include <stdlib.h>

void torc_graph_free(torc_graph *graph)
{
    free(graph->begin);
    free(graph->own);
    *graph = (torc_graph){0};
}

/* Rows beside columns: each entry twice. begin[v + 1] counts v's neighbours, then says where the next goes.
 */
static torc_status join_rows_and_columns(torc_graph *graph, const torc_row_lists *A, int64_t nnz)
{
    int64_t *begin = graph->begin;
    int64_t n = graph->nvertices;
    graph->own = malloc((2 * (size_t)nnz + 1) * sizeof *graph->own);
    if (!graph->own) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t v = A->nrows; v <= n; v++) {
        begin[v] = 0;
    }
    for (int64_t p = 0; p < nnz; p++) {
        begin[A->nrows + A->col_idx[p]]++;
    }
    int64_t next = nnz;
    for (int64_t v = A->nrows; v <= n; v++) {
        int64_t count = begin[v];
        begin[v] = next;
        next += count;
    }
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = begin[i]; p < (i + 1 < A->nrows ? begin[i + 1] : nnz); p++) {
            int64_t column = A->nrows + A->col_idx[p];
            graph->own[p] = (uint32_t)column;
            graph->own[begin[column]++] = (uint32_t)i;
        }
    }
    for (int64_t v = n; v > A->nrows; v--) { /* each has moved to where the next began */
        begin[v] = begin[v - 1];
    }
    begin[A->nrows] = nnz;
    graph->neighbours = graph->own;
    return TORC_SUCCESS;
}

torc_status torc_graph_make(torc_graph *graph, const torc_row_lists *A)
{
    bool is_square = A->nrows == A->ncols;
    int64_t n = is_square ? A->nrows : A->nrows + A->ncols;
    *graph = (torc_graph){.neighbours = A->col_idx};
    if (n > UINT32_MAX) {
        return TORC_UNSUPPORTED;
    }
    graph->nvertices = (uint32_t)n;
    graph->begin = malloc(((size_t)n + 1) * sizeof *graph->begin);
    if (!graph->begin) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i <= A->nrows; i++) {
        graph->begin[i] = torc_offset(A->row_ptr, A->row_ptr_bits, i);
    }
    torc_status status = is_square ? TORC_SUCCESS : join_rows_and_columns(graph, A, graph->begin[A->nrows]);
    if (status != TORC_SUCCESS) {
        torc_graph_free(graph);
    }
    return status;
}
