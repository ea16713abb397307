/* row_lists.h: the columns that each row of a matrix names, in host memory. */
#ifndef TORC_ROW_LISTS_H
#define TORC_ROW_LISTS_H

#include "offsets.h"
#include <torc/torc.h>

/* Of a CSR matrix. */
typedef struct torc_row_lists {
    int64_t nrows, ncols;
    const void *row_ptr; /* nrows + 1 */
    int row_ptr_bits;
    const uint32_t *col_idx;
} torc_row_lists;

/* Where a row's columns begin; of nrows: their number. */
static inline int64_t torc_row_begin(const torc_row_lists *A, int64_t row)
{
    return torc_offset(A->row_ptr, A->row_ptr_bits, row);
}

static inline int64_t torc_row_length(const torc_row_lists *A, int64_t row)
{
    return torc_row_begin(A, row + 1) - torc_row_begin(A, row);
}

#endif
