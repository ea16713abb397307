/* multiply.h: one multiplication of row-major operands, or a part of one: a kernel is chosen and launched, or
 * else the next best that can be had. */
#ifndef TORC_MULTIPLY_H
#define TORC_MULTIPLY_H

#include "problem.h"
#include "spmm.h"

/* If memory is lacking, it fails before it writes to C. is_packed: B and C are words of 64 columns. */
torc_status torc_multiply_by_row(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, bool is_packed);

/* Does the status say that this kernel cannot be had, so that another one may do? */
static inline bool torc_lacks_kernel(torc_status status)
{
    return status == TORC_NO_COMPILER || status == TORC_COMPILE_ERROR;
}

/* The same over words, with operands in any order (over_words.c). packed: a product of booleans that
 * overwrites C. presence: a step of a traversal, a product of presences. */
torc_status torc_multiply_packed(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update);
torc_status torc_multiply_presence(
    const torc_dense *C, torc_sparse *A, const torc_dense *B, const torc_update *update);

/* What a launch multiplies: C and B are columns of a wider product's, from first_column on. */
typedef struct torc_operands {
    const torc_dense *C;
    torc_sparse *A;
    const torc_dense *B;
    const torc_update *update;
    int64_t first_column;
} torc_operands;

/* A plain product by a kernel with tiles, which takes several launches (launch_tiles.c). If memory is
 * lacking, it fails before it writes to C. */
torc_status torc_launch_tiles(
    const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A, const torc_dense *B);

/* A product of few columns whose rows are shared out among the devices of the context (launch_shares.c).
 * is_shared: false where they are not; then nothing was done. */
torc_status torc_launch_shares(
    bool *is_shared, const torc_spmm_kernel *kernel, const torc_operands *operands);

/* For these: fill in the arguments of one launch, workspace included. A has the plan that the kernel needs.
 */
torc_status torc_launch_prepare(
    torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_operands *operands);

#endif
