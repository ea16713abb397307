/* constant_kernel.h: a product whose sparse matrix is compiled into the kernel: its structure is the order of
 * instructions, its values are their constants. C = A (+).(x) B, all of C overwritten, B and C row-major
 * without gaps. */
#ifndef TORC_CONSTANT_KERNEL_H
#define TORC_CONSTANT_KERNEL_H

#include "constant_args.h"
#include <torc/torc.h>

/* Everything that decides which kernel is compiled. The arrays are in host memory, read during the call. */
typedef struct torc_constant_kernel {
    torc_semiring semiring; /* built-in, on fp32 or fp64, not positional; its type is that of A and B */
    int64_t nrows, ncols;   /* of C */
    const uint32_t *row_ptr, *col_idx; /* of A */
    const void *values;                /* an array */
    const uint32_t *order; /* of rows: a block computes tile_rows of them, the last one what is left */
    int tile_rows;
    int threads;   /* of a block, a column of C each */
    int registers; /* counted, of a thread */
} torc_constant_kernel;

enum { TORC_CONSTANT_ROWS = 64 }; /* of a tile, at most */

/* A loaded one. */
typedef struct torc_constant_program torc_constant_program;

#endif
