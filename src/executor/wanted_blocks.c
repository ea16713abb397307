/* wanted_blocks.c: one block is asked for explicitly too: without a number, ptxas spills a few registers to
 * fit one block more. */
#include "wanted_blocks.h"

enum { SIX = 6 }; /* blocks of TORC_BLOCK_THREADS: 40 registers a thread */

static bool is_real(const torc_spmm_kernel *kernel)
{
    return !kernel->is_packed && kernel->semiring.type < TORC_FC32 && !kernel->semiring.definition;
}

/* An accumulator needs a few registers more than there are with six blocks, and so does a mask. */
static bool is_small(const torc_spmm_kernel *kernel)
{
    return is_real(kernel) && !kernel->b_is_bitmap && !kernel->has_accum && !kernel->has_mask;
}

/* Is it a plain product of values of at most 4 bytes? Division takes more registers, and so do positional
 * operators. */
static bool is_light(const torc_spmm_kernel *kernel)
{
    torc_traits traits = torc_semiring_traits(kernel->semiring);
    torc_multiply multiply = kernel->semiring.multiply;
    return is_small(kernel) && !kernel->c_is_bitmap && !traits.is_positional && multiply != TORC_DIV &&
           multiply != TORC_RDIV && torc_type_size(traits.x_type) <= 4 &&
           torc_type_size(traits.y_type) <= 4 && torc_type_size(traits.z_type) <= 4;
}

/* Several lanes of 4 columns fit 6: N = 16, R-MAT of scale 20 takes 12 % less on an H200 than with 5, rows of
 * 3 10 % less, rows of 16 of a uniform matrix 4 % more. */
int torc_wanted_blocks_of_rows(const torc_spmm_kernel *kernel)
{
    return is_light(kernel) && kernel->shape.lanes > 1 && kernel->shape.vector == 4 ? SIX : 1;
}

int torc_wanted_blocks_of_uniform(const torc_spmm_kernel *kernel)
{
    return is_light(kernel) && kernel->ways > 1 && kernel->shape.vector == 4 ? SIX : 1;
}

/* Real numbers fit 6 without spilling, but for offsets of 64 bits: on an H200, fp32, rows of 3 at N = 64 take
 * 10 % less than with 5. */
int torc_wanted_blocks_of_cached_rows(const torc_spmm_kernel *kernel)
{
    return is_small(kernel) && !kernel->wide_offsets ? SIX : 1;
}

/* With a bitmap B, up to two columns per thread, no accumulator and no values of A, 4 blocks fit; else 3. In
 * fp64, a frontier on R-MAT takes 10 to 12 % less on an H200 (bench/results/2026-11-21-h200-masks.txt). */
int torc_wanted_blocks_of_slices(const torc_spmm_kernel *kernel)
{
    bool is_easy = kernel->shape.vector <= 2 && kernel->a_access != TORC_ACCESS_ARRAY && !kernel->has_accum;
    return !kernel->b_is_bitmap || !is_real(kernel) ? 1 : is_easy ? 4 : 3;
}

/* As many blocks as find registers for a brick, the one before it, and their sums; for one brick there are
 * registers with more blocks than is asked for. Each block of rows has sums of its own. */
int torc_wanted_blocks_of_bricks(const torc_spmm_kernel *kernel)
{
    size_t bytes = (size_t)kernel->shape.vector * torc_type_size(kernel->semiring.type);
    if (kernel->height == 2) {
        return bytes == 16 ? 3 : bytes == 8 ? 5 : 6;
    }
    return bytes == 16 ? (kernel->products > 1 ? 4 : 3) : bytes == 8 ? 5 : 8;
}

int torc_wanted_blocks(const torc_spmm_kernel *kernel)
{
    const torc_family_facts *family = &torc_families[kernel->family];
    return family->wanted_blocks ? family->wanted_blocks(kernel) : 1;
}
