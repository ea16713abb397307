/* mask_bytes.h: a mask as the engine takes it: one byte an element of C, laid out as C, nonzero where the
 * mask is true: where it has an entry, and, unless it is structural, one that is not zero. */
#ifndef TORC_MASK_BYTES_H
#define TORC_MASK_BYTES_H

#include "view.h"

/* Has it floating-point values that are not all one? */
bool torc_mask_may_have_negative_zeros(const torc_view *mask);

/* Is a -0.0, or a complex value of such zeros, among these? SuiteSparse, in every version from 7.4.0
 * to 10.5.1, takes one for true where it reads the bits of a mask, and for false where it transposes the mask
 * first, casting it to bool. Which of the two happens depends on the orientation of all operands and on the
 * method, so only SuiteSparse can tell. Where all values are one it reads bits. */
bool torc_mask_has_negative_zeros(const torc_view *mask);

/* Is its value of no account? It is structural, or of one value that is true. false too where the type of a
 * valued mask is one that torc lacks; *is_readable says so. */
bool torc_mask_is_pattern(bool *is_readable, const torc_view *mask, bool is_structural);

/* by_col: of C. Bytes of the mask's own that are right as they lie, or NULL. */
const uint8_t *torc_mask_own_bytes(const torc_view *mask, bool is_pattern, bool by_col);

/* Those where there are some, and *made is NULL; otherwise made,
 * for free(). NULL: no memory. */
const uint8_t *torc_mask_bytes(uint8_t **made, const torc_view *mask, bool is_pattern, bool by_col);

#endif
