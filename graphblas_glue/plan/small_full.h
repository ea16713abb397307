/* small_full.h: a full matrix is also a sparse one, which has all entries. A small one is taken for that
 * beside a large dense one on the device: a layer of a neural network, points and centres. */
#ifndef TORC_SMALL_FULL_H
#define TORC_SMALL_FULL_H

#include "view.h"

/* Two dense operands of a product. */
typedef struct torc_two_dense {
    torc_view *small,
        *large;   /* NULL: neither is small, or both have one value, as SuiteSparse's result has */
    bool is_long; /* the large one, so that it takes no time to list the other's entries */
} torc_two_dense;

torc_two_dense torc_two_dense_of(torc_view *a, bool transpose_a, torc_view *b, bool transpose_b);

/* Turn the view of a full matrix into that of a sparse one, with the values where they are. *lists: its
 * indices, for free(). false: no memory. */
bool torc_full_as_sparse(torc_view *view, int64_t **lists);

#endif
