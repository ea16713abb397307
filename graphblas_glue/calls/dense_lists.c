#include "dense_lists.h"
#include <stdlib.h>

static bool allocate(torc_dense_list *list, int64_t count)
{
    list->places = list->made = calloc((size_t)count, sizeof *list->made);
    list->count = count;
    return list->made;
}

static bool make(torc_dense_list *list, const torc_index_list *indices, int64_t length)
{
    if (!indices->is_part) {
        return true;
    }
    list->count = indices->count;
    list->places = torc_index_list_places(&list->made, indices, length);
    return list->places;
}

/* from[p] = k and is_in[p] = 1 for indices[k] = p. */
static bool invert(
    torc_dense_list *from, torc_dense_list *is_in, const torc_index_list *indices, int64_t length)
{
    torc_dense_list forward = {0};
    bool is_done = make(&forward, indices, length) && allocate(is_in, length) &&
                   (!indices->is_part || allocate(from, length));
    for (int64_t p = 0; is_done && !indices->is_part && p < length; p++) {
        is_in->made[p] = 1;
    }
    for (int64_t k = 0; is_done && k < forward.count; k++) {
        uint64_t p = forward.places[k];
        is_done = !is_in->made[p];
        is_in->made[p] = 1;
        from->made[p] = (uint64_t)k;
    }
    free(forward.made);
    return is_done;
}

bool torc_dense_lists_make(torc_dense_lists *lists, const torc_dense_call *call, const torc_dense_plan *plan)
{
    const torc_input *input = &call->inputs[0];
    const torc_view *view = &input->view;
    *lists = (torc_dense_lists){0};
    if (plan->is_part) {
        return invert(&lists->rows, &lists->row_is_in, &call->rows, plan->C.nrows) &&
               invert(&lists->columns, &lists->column_is_in, &call->columns, plan->C.ncols);
    }
    return (torc_index_list_is_window(&call->rows) ||
               make(&lists->rows, &call->rows, input->transpose ? view->ncols : view->nrows)) &&
           (torc_index_list_is_window(&call->columns) ||
               make(&lists->columns, &call->columns, input->transpose ? view->nrows : view->ncols));
}

void torc_dense_lists_free(torc_dense_lists *lists)
{
    free(lists->rows.made);
    free(lists->columns.made);
    free(lists->row_is_in.made);
    free(lists->column_is_in.made);
}
