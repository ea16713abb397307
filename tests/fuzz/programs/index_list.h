/* index_list.h: the indices of a step as GraphBLAS takes them. */
#ifndef TORC_FUZZ_INDEX_LIST_H
#define TORC_FUZZ_INDEX_LIST_H

#include "program.h"

typedef struct index_list {
    const GrB_Index *indices; /* GrB_ALL, own, or an array to be freed */
    GrB_Index count;          /* or what marks a range */
    GrB_Index own[3];
} index_list;

void torc_index_list_make(index_list *list, const index_choice *choice);
void torc_index_list_free(index_list *list);

#endif
