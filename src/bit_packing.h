/* bit_packing.h: products over bool computed 64 columns a word. */
#ifndef TORC_BIT_PACKING_H
#define TORC_BIT_PACKING_H

#include "sparse.h"

/* Is a plain product C = A ⊕.⊗ B likely to take less time over words, packing and unpacking counted in? Of A
 * the same is read as by torc_problem_of. */
bool torc_packing_pays(
    const torc_dense *C, torc_semiring semiring, const torc_sparse *A, const torc_dense *B);

/* An array of words, in workspace, for the booleans of X: row-major, 64 columns a word, of type uint64. */
torc_status torc_packed_view(
    torc_dense *words, torc_context *context, const torc_dense *X, torc_workspace workspace);

#endif
