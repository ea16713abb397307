/* mask_bytes.h: a mask as the engine takes it: one byte per element of C, laid out as C. A byte is nonzero
 * where the mask is true: where it has an entry, which must not be zero unless the mask is structural. */
#ifndef TORC_MASK_BYTES_H
#define TORC_MASK_BYTES_H

#include "view.h"

/* Has it floating-point values that may differ from each other? */
bool torc_mask_may_have_negative_zeros(const torc_view *mask);

/* Is a -0.0, or a complex value of such zeros, among its values? Every version of SuiteSparse from 7.4.0 to
 * 10.5.1 takes -0.0 for true where it reads the bits of a mask, and for false where it transposes the mask
 * first, casting it to bool. Which of the two it does depends on the orientation of all operands and on its
 * method, so only SuiteSparse can tell. It reads bits where the mask has one value for all entries. */
bool torc_mask_has_negative_zeros(const torc_view *mask);

/* Does only its pattern count, because it is structural, or has one value for all entries, which is true?
 * false too where torc lacks the type of a valued mask; then *is_readable is false. */
bool torc_mask_is_pattern(bool *is_readable, const torc_view *mask, bool is_structural);

/* Bytes of the mask's own arrays that are right as they lie; NULL: there are none. by_col: C's orientation.
 */
const uint8_t *torc_mask_own_bytes(const torc_view *mask, bool is_pattern, bool by_col);

/* The mask's own bytes, with *made NULL; or new ones, which are *made, for free(). NULL: no memory. */
const uint8_t *torc_mask_bytes(uint8_t **made, const torc_view *mask, bool is_pattern, bool by_col);

#endif
