/* index_list.c: see index_list.h. */
#include "index_list.h"
#include "require.h"
#include <stdlib.h>

void torc_index_list_make(index_list *list, const index_choice *choice)
{
    GrB_Index low = choice->first, high = low + (choice->count - 1) * choice->stride;
    GrB_Index *any;
    list->indices = list->own;
    list->own[GxB_INC] = choice->stride;
    switch (choice->kind) {
    case LIST_ALL:
        list->indices = GrB_ALL;
        list->count = choice->count;
        break;
    case LIST_RANGE:
        list->own[GxB_BEGIN] = low;
        list->own[GxB_END] = low + choice->count - 1;
        list->count = GxB_RANGE;
        break;
    case LIST_STRIDE:
        list->own[GxB_BEGIN] = low;
        list->own[GxB_END] = high;
        list->count = GxB_STRIDE;
        break;
    case LIST_BACKWARDS:
        list->own[GxB_BEGIN] = high;
        list->own[GxB_END] = low;
        list->count = GxB_BACKWARDS;
        break;
    case LIST_ANY:
        any = calloc(choice->count + 1, sizeof *any);
        TORC_REQUIRE(any);
        for (GrB_Index p = 0; p < choice->count; p++) {
            any[p] = (choice->first + p * choice->stride) % choice->bound;
        }
        list->indices = any;
        list->count = choice->count;
        break;
    }
}

void torc_index_list_free(index_list *list)
{
    if (list->indices != GrB_ALL && list->indices != list->own) {
        free((void *)list->indices);
    }
}
