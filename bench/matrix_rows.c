#include "matrix_rows.h"
#include "bench_require.h"
#include <stdlib.h>

enum { WORD_BITS = 64, WORDS_AN_ENTRY = 32 };

void bench_rows_begin(bench_rows *rows, int64_t nrows, int64_t ncols, int64_t expected)
{
    *rows = (bench_rows){.matrix = {.nrows = nrows, .ncols = ncols}, .capacity = expected + 1};
    rows->matrix.row_ptr = bench_allocate((size_t)nrows + 1, sizeof(int32_t));
    rows->matrix.col_idx = bench_allocate((size_t)rows->capacity, sizeof(int32_t));
    rows->seen = bench_allocate((size_t)ncols / WORD_BITS + 1, sizeof(uint64_t));
}

bool bench_rows_add(bench_rows *rows, int64_t column)
{
    bench_matrix *matrix = &rows->matrix;
    uint64_t *word = &rows->seen[column / WORD_BITS], bit = UINT64_C(1) << column % WORD_BITS;
    if (*word & bit) {
        return false;
    }
    *word |= bit;
    if (matrix->nnz == rows->capacity) {
        rows->capacity += rows->capacity / 2 + 1;
        matrix->col_idx = realloc(matrix->col_idx, (size_t)rows->capacity * sizeof(int32_t));
        bench_require(matrix->col_idx, "realloc", "out of memory");
    }
    matrix->col_idx[matrix->nnz++] = (int32_t)column;
    return true;
}

int64_t bench_rows_length(const bench_rows *rows)
{
    return rows->matrix.nnz - rows->matrix.row_ptr[rows->row];
}

static int compare_columns(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Sort a short row by comparison. */
static void close_short(bench_rows *rows, int32_t *columns, int64_t length)
{
    qsort(columns, (size_t)length, sizeof *columns, compare_columns);
    for (int64_t p = 0; p < length; p++) {
        rows->seen[columns[p] / WORD_BITS] = 0;
    }
}

/* The bits seen are the columns of a long row in order. */
static void close_long(bench_rows *rows, int32_t *columns)
{
    for (int64_t w = 0; w <= rows->matrix.ncols / WORD_BITS; w++) {
        for (uint64_t word = rows->seen[w]; word; word &= word - 1) {
            *columns++ = (int32_t)(w * WORD_BITS + __builtin_ctzll(word));
        }
        rows->seen[w] = 0;
    }
}

void bench_rows_close(bench_rows *rows)
{
    bench_matrix *matrix = &rows->matrix;
    int64_t length = bench_rows_length(rows);
    int32_t *columns = matrix->col_idx + matrix->row_ptr[rows->row];
    if (length * WORDS_AN_ENTRY < matrix->ncols / WORD_BITS) {
        close_short(rows, columns, length);
    } else {
        close_long(rows, columns);
    }
    matrix->row_ptr[rows->row + 1] = (int32_t)matrix->nnz;
    if (length > bench_row_length(matrix, matrix->longest_row)) {
        matrix->longest_row = rows->row;
    }
    rows->row++;
}

bench_matrix bench_rows_end(bench_rows *rows)
{
    bench_require(rows->row == rows->matrix.nrows, "bench_rows_end", "rows are missing");
    bench_require(rows->matrix.nnz <= INT32_MAX, "bench_rows_end", "more than 2^31 - 1 entries");
    free(rows->seen);
    return rows->matrix;
}

bench_matrix bench_rows_from_edges(int64_t nrows, int64_t ncols, const bench_edge *edges, int64_t nedges)
{
    int64_t *end = bench_allocate((size_t)nrows + 1, sizeof *end); /* of each row, in sorted */
    int32_t *sorted = bench_allocate((size_t)nedges, sizeof *sorted);
    for (int64_t e = 0; e < nedges; e++) {
        end[edges[e].row + 1]++;
    }
    for (int64_t i = 0; i < nrows; i++) {
        end[i + 1] += end[i];
    }
    for (int64_t e = 0; e < nedges; e++) {
        sorted[end[edges[e].row]++] = edges[e].column;
    }
    bench_rows rows;
    bench_rows_begin(&rows, nrows, ncols, nedges);
    for (int64_t i = 0, p = 0; i < nrows; i++) {
        for (; p < end[i]; p++) {
            bench_rows_add(&rows, sorted[p]);
        }
        bench_rows_close(&rows);
    }
    free(end);
    free(sorted);
    return bench_rows_end(&rows);
}
