/* bench_matrix.h: the matrices of the bench, made here: CSR in host memory, 32-bit integers, random values.
 */
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include <stdint.h>

typedef struct bench_matrix {
    const char *name;
    int64_t n, nnz; /* n × n */
    int32_t *row_ptr, *col_idx;
    float *values;
    int64_t max_row;
} bench_matrix;

/* "rmat": Graph500 R-MAT of scale 20, entries met twice once; "uniform": 2^20 rows of 16 random columns.
 * Ends the program where memory is short. */
bench_matrix bench_matrix_make(const char *name);
void bench_matrix_free(bench_matrix *matrix);

/* Uniform in [0, 1). The same sequence everywhere. */
float bench_random(uint64_t *state);

#endif
