/* selection.h: which kernel computes a product: a pure function of what is known before it runs. */
#ifndef TORC_SELECTION_H
#define TORC_SELECTION_H

#include "backend.h"

/* ncols: of C. alignment: the address of B or C, or-ed with its leading dimension in bytes: a power of two
 * divides it if it divides both. b_size is 0 where B is not an array. */
torc_shape torc_select_shape(
    int64_t ncols, size_t b_size, size_t c_size, uint64_t b_alignment, uint64_t c_alignment);

/* Fill in shape, ways and is_uniform of a kernel whose other fields are set. is_plain: neither a mask, nor an
 * accumulator, nor a bitmap. rows: of op(A); the rest as above. */
void torc_select_kernel(torc_spmm_kernel *kernel, int64_t ncols, size_t b_size, size_t c_size,
    uint64_t b_alignment, uint64_t c_alignment, bool is_plain, const torc_statistics *rows);

#endif
