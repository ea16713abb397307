/* matrix_file.c: Matrix Market files, by the demos' reader: square ones, and without their diagonal. */
#include "bench_require.h"
#include "graph_mtx.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

bench_matrix bench_read_matrix(const char *path)
{
    torc_graph graph;
    bench_require(torc_graph_read_mtx(&graph, path), "no such matrix", graph.error);
    bench_require(graph.nvertices <= INT32_MAX, path, "more than 2^31 - 1 rows");
    bench_edge *edges = bench_allocate(graph.nedges, sizeof *edges);
    for (uint64_t e = 0; e < graph.nedges; e++) {
        edges[e] = (bench_edge){(int32_t)graph.source[e], (int32_t)graph.target[e]};
    }
    int64_t n = (int64_t)graph.nvertices;
    bench_matrix matrix = bench_rows_from_edges(n, n, edges, (int64_t)graph.nedges);
    free(edges);
    torc_graph_release(&graph);
    return matrix;
}
