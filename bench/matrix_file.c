/* matrix_file.c: the patterns of Matrix Market files. */
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_market.h"
#include "matrix_rows.h"
#include <stdlib.h>

bench_matrix bench_read_matrix(const char *path)
{
    torc_mtx mtx;
    torc_mtx_entry entry;
    bench_require(torc_mtx_open(&mtx, path), "no such matrix", mtx.error);
    bench_require(
        mtx.nrows <= INT32_MAX && mtx.ncols <= INT32_MAX, path, "more than 2^31 - 1 rows or columns");
    int64_t count = 0, capacity = 1 << 10; /* grown by what is there, not by what is announced */
    bench_edge *edges = bench_allocate((size_t)capacity, sizeof *edges);
    while (torc_mtx_next(&entry, &mtx)) {
        if (count + 2 > capacity) {
            capacity *= 2;
            edges = realloc(edges, (size_t)capacity * sizeof *edges);
            bench_require(edges != NULL, path, "not enough memory");
        }
        edges[count++] = (bench_edge){(int32_t)entry.row, (int32_t)entry.column};
        if (mtx.is_symmetric) {
            edges[count++] = (bench_edge){(int32_t)entry.column, (int32_t)entry.row};
        }
    }
    bench_require(mtx.error[0] == '\0', "not read to the end", mtx.error);
    torc_mtx_close(&mtx);
    bench_matrix matrix = bench_rows_from_edges((int64_t)mtx.nrows, (int64_t)mtx.ncols, edges, count);
    free(edges);
    return matrix;
}
