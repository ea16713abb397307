/* host_matrix.h: a small sparse operand, brought back to host memory: to be compiled in, or to be told from
 * others by its content. */
#ifndef TORC_HOST_MATRIX_H
#define TORC_HOST_MATRIX_H

#include "schedule.h"
#include "sparse.h"

typedef struct torc_host_matrix {
    torc_host_csr csr;
    uint32_t *row_ptr, *col_idx;
    void *values; /* as many as the operand has: nnz, one, or none */
} torc_host_matrix;

enum { TORC_HOST_ENTRIES = 1 << 22 }; /* at most; more would take longer to fetch than to tune for */

/* The caller frees what was made, also on error. */
torc_status torc_host_matrix_fetch(torc_host_matrix *m, const torc_sparse *A);
void torc_host_matrix_free(torc_host_matrix *m);

/* Two hashes of all of it: shape, structure, type and values. */
void torc_host_matrix_hash(uint64_t hash[2], const torc_host_matrix *m, const torc_sparse *A);

#endif
