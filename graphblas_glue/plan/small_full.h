/* small_full.h: a small full matrix as the sparse one with all entries that it is too, beside a large dense
 * one on the device: a layer of a neural network, points and centres. */
#ifndef TORC_SMALL_FULL_H
#define TORC_SMALL_FULL_H

#include "view.h"

/* Few enough for the lists to take no time beside the product. */
bool torc_full_is_small(const torc_view *view);

/* The view of a full matrix becomes one of a sparse matrix, with the values where they are. *lists: its
 * indices, for free(). false: no memory. */
bool torc_full_as_sparse(torc_view *view, int64_t **lists);

#endif
