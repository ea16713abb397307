/* small_full.h: a full matrix is also a sparse one, which has all entries. A small one is taken for that
 * beside a large dense one on the device: a layer of a neural network, points and centres. */
#ifndef TORC_SMALL_FULL_H
#define TORC_SMALL_FULL_H

#include "view.h"

/* Has it so few entries that listing them takes no time beside the product? */
bool torc_full_is_small(const torc_view *view);

/* Turn the view of a full matrix into that of a sparse one, with the values where they are. *lists: its
 * indices, for free(). false: no memory. */
bool torc_full_as_sparse(torc_view *view, int64_t **lists);

#endif
