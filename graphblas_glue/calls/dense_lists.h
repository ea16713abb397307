/* dense_lists.h: the index lists of a dense call as the engine takes them, on the host. The engine gathers by
 * lists; it cannot scatter. So for an assignment to a part of C, lists say for each row and column of C which
 * row or column of the input it comes from. */
#ifndef TORC_DENSE_LISTS_H
#define TORC_DENSE_LISTS_H

#include "dense_plan.h"

typedef struct torc_dense_list {
    const uint64_t *places; /* the caller's own, or made; NULL: all, in their order */
    uint64_t *made;
    int64_t count;
} torc_dense_list;

/* Consecutive rows or columns of an input need no list: they are a window of it. */
typedef struct torc_dense_lists {
    torc_dense_list rows, columns; /* of the first input, and of a mask of the part: for each row of C */
    torc_dense_list row_is_in, column_is_in; /* an assignment to a part: 1 for each row of C in it, else 0 */
} torc_dense_lists;

/* false: an index is out of bounds, or comes twice in an assignment, or there is no memory. The lists are to
 * be freed in any case. */
bool torc_dense_lists_make(torc_dense_lists *lists, const torc_dense_call *call, const torc_dense_plan *plan);
void torc_dense_lists_free(torc_dense_lists *lists);

#endif
