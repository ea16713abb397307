/* row_order.h: an order of a sparse matrix's rows in which neighbours name the same columns. Its structure in
 * host memory is all that is looked at.
 *
 * After Zhao et al., Acc-SpMM: Accelerating General-purpose Sparse Matrix-Matrix Multiplication with GPU
 * Tensor Cores (PPoPP 2025), section 3.2. The result follows from the structure alone, however many threads
 * there are. */
#ifndef TORC_ROW_ORDER_H
#define TORC_ROW_ORDER_H

#include <torc/torc.h>

/* The columns that each row names: of a CSR matrix. */
typedef struct torc_row_lists {
    int64_t nrows, ncols;
    const void *row_ptr; /* nrows + 1 */
    int row_ptr_bits;
    const uint32_t *col_idx;
} torc_row_lists;

/* order[i]: the row that comes i-th; those without entries come last, ascending.
 *  TORC_UNSUPPORTED  not square, and rows and columns together are 2^32 or more. */
torc_status torc_row_order(uint32_t *order, const torc_row_lists *A);

/* How many bricks windows of rows have in that order (NULL: as they are), as spmm_args.h draws them; -1
 * without memory. */
int64_t torc_count_bricks(const torc_row_lists *A, const uint32_t *order);

#endif
