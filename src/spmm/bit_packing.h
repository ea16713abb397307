/* bit_packing.h: products over bool computed 64 columns a word. */
#ifndef TORC_BIT_PACKING_H
#define TORC_BIT_PACKING_H

#include "sparse.h"

/* Is a plain product C = A ⊕.⊗ B likely to take less time over words, including packing and unpacking? Reads
 * of A what torc_problem_of reads. */
bool torc_packing_pays(const torc_dense *C, torc_semiring semiring, torc_sparse *A, const torc_dense *B);

/* The same for a step of a traversal, C⟨mask,r⟩ = A any.pair B of bitmaps: C's presence is the product
 * lor.second of presences. Only if old C does not matter and C is of booleans. */
bool torc_packing_presence_pays(const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    const torc_dense *B, const torc_update *update);

static const torc_semiring torc_presence_semiring = {TORC_LOR_MONOID, TORC_SECOND, TORC_BOOL};

/* Bytes that are laid out as X (a bitmap or a mask), as a matrix of booleans. */
torc_dense torc_presence_of(const torc_dense *X, const uint8_t *bytes);

/* An array of words, in workspace, for the booleans of X: row-major, 64 columns a word, of type uint64. */
torc_status torc_packed_view(
    torc_dense *words, torc_context *context, const torc_dense *X, torc_workspace workspace);

#endif
