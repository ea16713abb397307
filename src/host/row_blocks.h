/* row_blocks.h: a product in host memory whose sparse operand lies there too, by blocks of its rows. */
#ifndef TORC_ROW_BLOCKS_H
#define TORC_ROW_BLOCKS_H

#include "spmm.h"

/* As torc_spmm_by_rows has them; update and old are not NULL. */
typedef struct torc_rows_product {
    torc_semiring semiring;
    const torc_csr *A;
    const torc_dense *C, *B, *old;
    const torc_update *update;
} torc_rows_product;

/* Is the whole as it has to be? A block tells neither that C is too narrow for the columns it has, nor, where
 * A has no rows, anything. */
torc_status torc_rows_product_check(torc_context *context, const torc_rows_product *product);

/* What a block may take: half of the memory that the device has left. The other half is for panels. */
torc_status torc_block_budget(size_t *bytes, torc_context *context);

/* Where a block of that size ends which begins with row `begin`: it has that row at least. */
int64_t torc_block_end(const torc_rows_product *product, int64_t begin, size_t bytes);

/* Rows begin .. end-1 of the product, by blocks of at most so many bytes, a row at least. If that turns out
 * to be too much for a block, or for what goes with it, `bytes` shrinks. */
torc_status torc_multiply_blocks(
    torc_context *context, const torc_rows_product *product, int64_t begin, int64_t end, size_t *bytes);

#endif
