/* ugly_csr.h: a battery of sparse patterns, chosen to be awkward. Values belong to the test. */
#ifndef TORC_UGLY_CSR_H
#define TORC_UGLY_CSR_H

#include <stdint.h>

enum { TORC_UGLY_COUNT = 8 };

typedef struct torc_ugly_csr {
    const char *name;
    int64_t nrows, ncols, nnz;
    uint64_t *wide_row_ptr;
    uint32_t *row_ptr, *col_idx; /* columns ascend in every other row, in the others they are in no order */
} torc_ugly_csr;

torc_ugly_csr torc_ugly_csr_build(int which);
void torc_ugly_csr_free(torc_ugly_csr *csr);

/* The next of a fixed sequence of numbers below `bound`. */
uint64_t torc_random(uint64_t *state, uint64_t bound);

#endif
