/* mask_bytes.h: a mask as the engine takes it: one byte an element of C, laid out as C, nonzero where the
 * mask is true: where it has an entry, and, unless it is structural, one that is not zero. */
#ifndef TORC_MASK_BYTES_H
#define TORC_MASK_BYTES_H

#include "view.h"

/* Is its value of no account? It is structural, or of one value that is true. false too where the type of a
 * valued mask is one that torc lacks; *is_readable says so. */
bool torc_mask_is_pattern(bool *is_readable, const torc_view *mask, bool is_structural);

/* by_col: of C. Bytes of the mask's own that are right as they lie, or NULL. */
const uint8_t *torc_mask_own_bytes(const torc_view *mask, bool is_pattern, bool by_col);

/* Those where there are some, and *made is NULL; otherwise made,
 * for free(). NULL: no memory. */
const uint8_t *torc_mask_bytes(uint8_t **made, const torc_view *mask, bool is_pattern, bool by_col);

#endif
