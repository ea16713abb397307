/* constant_kernel.h: a product whose sparse matrix is compiled into the kernel. The matrix's structure
 * becomes the order of instructions, its values their constants. C = A (+).(x) B; all of C is overwritten; B
 * and C are row-major without gaps. */
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
    const uint32_t *order; /* of rows: each block computes tile_rows of them, the last one the rest */
    int tile_rows;
    int threads;   /* of a block, one per column of C */
    int registers; /* of a thread, as torc_counted_registers has them */
} torc_constant_kernel;

enum { TORC_CONSTANT_ROWS = 64 }; /* of a tile, at most */

/* A loaded kernel. */
typedef struct torc_constant_program torc_constant_program;

#endif
