#include "graph_mtx.h"

#include "matrix_market.h"

static bool read_edges(torc_graph *graph, torc_mtx *mtx)
{
    torc_mtx_entry entry;
    if (mtx->nrows != mtx->ncols) {
        return torc_mtx_fail(mtx, "a graph needs a square matrix");
    }
    graph->nvertices = mtx->nrows;
    graph->has_weights = mtx->has_values;
    while (torc_mtx_next(&entry, mtx)) {
        if (!torc_graph_add_weighted_edge(graph, entry.row, entry.column, entry.value) ||
            (mtx->is_symmetric &&
                !torc_graph_add_weighted_edge(graph, entry.column, entry.row, mtx->mirrored * entry.value))) {
            return false;
        }
    }
    return mtx->error[0] == '\0';
}

bool torc_graph_read_mtx(torc_graph *graph, const char *path)
{
    torc_mtx mtx;
    *graph = (torc_graph){0};
    bool is_read = torc_mtx_open(&mtx, path) && read_edges(graph, &mtx);
    if (mtx.error[0]) {
        torc_graph_fail(graph, "%s", mtx.error);
    }
    torc_mtx_close(&mtx);
    return is_read;
}
