#include "dense_lists.h"
#include <stdlib.h>

static bool make(torc_dense_list *list, const torc_index_list *indices, int64_t length)
{
    if (!indices->is_part) {
        return true;
    }
    list->count = indices->count;
    list->places = torc_index_list_places(&list->made, indices, length);
    return list->places;
}

bool torc_dense_lists_make(torc_dense_lists *lists, const torc_dense_call *call)
{
    const torc_input *input = &call->inputs[0];
    const torc_view *view = &input->view;
    *lists = (torc_dense_lists){0};
    return make(&lists->rows, &call->rows, input->transpose ? view->ncols : view->nrows) &&
           make(&lists->columns, &call->columns, input->transpose ? view->nrows : view->ncols);
}

void torc_dense_lists_free(torc_dense_lists *lists)
{
    free(lists->rows.made);
    free(lists->columns.made);
}
