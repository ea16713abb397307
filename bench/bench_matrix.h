/* bench_matrix.h: the matrices of the bench by name: the pattern of a CSR matrix in host memory, columns
 * ascending within a row, no column twice. Values are bench_values.h's. Whatever fails (memory, a file) ends
 * the program with a line that says why. */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include <stdint.h>

typedef struct bench_matrix {
    char name[64];
    int64_t nrows, ncols, nnz;
    int32_t *row_ptr, *col_idx;
    int64_t longest_row; /* the first of them */
} bench_matrix;

/* The generated matrices, a NULL last. */
extern const char *const bench_matrix_names[];

/* One of those; pruned-1024-90, weights of 1024 × 1024 of which 90 % are zero, and the like; or the pattern
 * of a Matrix Market file, .mtx or .mtx.gz. */
bench_matrix bench_matrix_make(const char *name);
void bench_matrix_free(bench_matrix *matrix);

static inline int64_t bench_row_length(const bench_matrix *matrix, int64_t i)
{
    return matrix->row_ptr[i + 1] - matrix->row_ptr[i];
}

#endif
