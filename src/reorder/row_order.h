/* row_order.h: an order of a sparse matrix's rows in which neighbours name the same columns.
 *
 * After Zhao et al., Acc-SpMM: Accelerating General-purpose Sparse Matrix-Matrix Multiplication with GPU
 * Tensor Cores (PPoPP 2025), section 3.2. The result follows from the structure alone, however many threads
 * there are.
 */
#ifndef TORC_ROW_ORDER_H
#define TORC_ROW_ORDER_H

#include "row_lists.h"

typedef struct torc_row_order_bricks {
    int64_t before, after;
} torc_row_order_bricks;

/* order[i]: the row that comes i-th. bricks: of windows of TORC_BRICK_ROWS, as spmm_args.h draws them, in the
 * order that there was, and in this one, which has as many only where it is the same. TORC_UNSUPPORTED  not
 * square, and rows and columns together are 2^32 or more. */
torc_status torc_row_order(uint32_t *order, torc_row_order_bricks *bricks, const torc_row_lists *A);

#endif
