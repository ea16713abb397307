/* csr_rows.h: some rows of a CSR matrix in host memory, as a matrix. */
#ifndef TORC_CSR_ROWS_H
#define TORC_CSR_ROWS_H

#include <torc/torc.h>

/* Rows begin .. end-1 of A, which borrow from it. row_ptr: room for their end - begin + 1 offsets, of which
 * the first is 0. */
torc_csr torc_csr_rows(const torc_csr *A, int64_t begin, int64_t end, int64_t *row_ptr);

#endif
