/* matrix_rows.h: a matrix under construction: columns are added to the open row in any order, then the row is
 * closed. A column that the row has already is not added again, so a generator can draw until it has enough.
 */
#ifndef BENCH_MATRIX_ROWS_H
#define BENCH_MATRIX_ROWS_H

#include "bench_matrix.h"
#include <stdbool.h>

typedef struct bench_rows {
    bench_matrix matrix; /* nnz counts the open row too */
    int64_t row;         /* the open one */
    int64_t capacity;    /* of col_idx */
    uint64_t *seen;      /* a bit a column: those of the open row */
} bench_rows;

/* expected: entries that are likely to come; more may. */
void bench_rows_begin(bench_rows *rows, int64_t nrows, int64_t ncols, int64_t expected);

/* false if the open row has the column. */
bool bench_rows_add(bench_rows *rows, int64_t column);

/* Entries of the open row. */
int64_t bench_rows_length(const bench_rows *rows);

void bench_rows_close(bench_rows *rows);

/* The finished matrix; every row must have been closed. */
bench_matrix bench_rows_end(bench_rows *rows);

typedef struct bench_edge {
    int32_t row, column;
} bench_edge;

/* From entries in any order; one met twice counts once. */
bench_matrix bench_rows_from_edges(int64_t nrows, int64_t ncols, const bench_edge *edges, int64_t nedges);

#endif
