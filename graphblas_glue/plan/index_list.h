/* index_list.h: rows or columns of a part of a matrix, as functions of GraphBLAS take them. */
#ifndef TORC_INDEX_LIST_H
#define TORC_INDEX_LIST_H

#include "binding.h"

/* The arguments of GraphBLAS's function, as the program gave them. */
typedef struct torc_indices {
    const GrB_Index *list;
    GrB_Index count;     /* or GxB_RANGE, GxB_STRIDE, GxB_BACKWARDS: the list has begin, end and increment */
    bool is_only_column; /* of a vector: there is no list */
} torc_indices;

/* What these arguments name. All zeros: all rows or columns, in their order. */
typedef struct torc_index_list {
    bool is_part;
    int64_t count;
    const uint64_t *list; /* NULL: a range */
    int64_t first, step;  /* of a range */
} torc_index_list;

/* length: how many rows or columns there are. Entries of a list are looked at later. false: an empty list,
 * NULL, a range that is out of bounds, or GrB_ALL with a count other than `length`. The last is no error, but
 * SuiteSparse 7.4 sometimes takes just that many. */
bool torc_index_list_read(
    torc_index_list *list, const torc_binding *graphblas, torc_indices indices, int64_t length);

/* Is it a part with consecutive indices? */
bool torc_index_list_is_window(const torc_index_list *list);

/* How many there are. */
int64_t torc_index_list_count(const torc_index_list *list, int64_t length);

/* The indices as an array: the list's own, with *made NULL; or a new one, which is *made, for free(). NULL:
 * an index is `length` or more, or there is no memory. */
const uint64_t *torc_index_list_places(uint64_t **made, const torc_index_list *list, int64_t length);

#endif
