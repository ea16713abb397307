/* dense_lists.h: the index lists of a dense call as the engine takes them, on the host. */
#ifndef TORC_DENSE_LISTS_H
#define TORC_DENSE_LISTS_H

#include "dense_call.h"

typedef struct torc_dense_list {
    const uint64_t *places; /* the caller's own, or made; NULL: all, in their order */
    uint64_t *made;
    int64_t count;
} torc_dense_list;

typedef struct torc_dense_lists {
    torc_dense_list rows, columns; /* by which the first input is read */
} torc_dense_lists;

/* false: an index is out of bounds, or there is no memory. To be freed all the same. */
bool torc_dense_lists_make(torc_dense_lists *lists, const torc_dense_call *call);
void torc_dense_lists_free(torc_dense_lists *lists);

#endif
