/* multiply.h: one multiplication, or a part of one, of row-major operands: with the kernel of choice, or the
 * next best that can be had. */
#ifndef TORC_MULTIPLY_H
#define TORC_MULTIPLY_H

#include "spmm.h"

/* For want of memory it fails before it writes to C. is_packed: B and C are words of 64 columns. */
torc_status torc_multiply_by_row(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part, bool is_packed);

/* There is no such kernel, and another one may do. */
static inline bool torc_lacks_kernel(torc_status status)
{
    return status == TORC_NO_COMPILER || status == TORC_COMPILE_ERROR;
}

/* The same over words, of operands in any order: of booleans, where C is overwritten; and of presences, a
 * step of a traversal (over_words.c). */
torc_status torc_multiply_packed(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update);
torc_status torc_multiply_presence(
    const torc_dense *C, torc_sparse *A, const torc_dense *B, const torc_update *update);

#endif
