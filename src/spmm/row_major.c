#include "row_major.h"

/* An array laid out as the column-major X, in workspace and row-major; without content if from is NULL. */
static torc_status bring(void **to, torc_context *context, torc_workspace workspace, const torc_dense *X,
    const void *from, size_t size)
{
    torc_status status =
        torc_context_workspace(to, context, workspace, (size_t)X->nrows * (size_t)X->ncols * size);
    if (status != TORC_SUCCESS || !from) {
        return status;
    }
    /* A column-major matrix is the row-major storage of its transpose. */
    return context->executor->transpose_dense(
        context->device, *to, X->ncols, from, X->ld, X->ncols, X->nrows, size);
}

/* X as if it were row-major, which it is if true; otherwise its arrays are still to be brought. */
static bool view_by_row(torc_dense *view, const torc_dense *X)
{
    *view = *X;
    view->order = TORC_ROW_MAJOR;
    view->ld = X->order == TORC_ROW_MAJOR ? X->ld : X->ncols;
    return X->order == TORC_ROW_MAJOR || X->ncols == 1;
}

torc_status torc_bring_b(torc_dense *view, torc_context *context, const torc_dense *B, bool reads_b)
{
    torc_status status = TORC_SUCCESS;
    if (view_by_row(view, B)) {
        return status;
    }
    if (reads_b && !B->iso) {
        status = bring(&view->data, context, TORC_WORKSPACE_B, B, B->data, torc_type_size(B->type));
    }
    if (status == TORC_SUCCESS && B->bitmap) {
        void *bitmap;
        status = bring(&bitmap, context, TORC_WORKSPACE_B_BITMAP, B, B->bitmap, 1);
        view->bitmap = bitmap;
    }
    return status;
}

torc_status torc_bring_c(torc_dense *view, torc_update *update, torc_context *context, const torc_dense *C)
{
    if (view_by_row(view, C)) {
        return TORC_SUCCESS;
    }
    bool is_read = torc_reads_old(update);
    torc_status status = bring(&view->data, context, TORC_WORKSPACE_C, C,
        is_read && !update->iso ? C->data : NULL, torc_type_size(C->type));
    void *bytes = NULL;
    if (status == TORC_SUCCESS && C->bitmap) {
        status = bring(&bytes, context, TORC_WORKSPACE_C_BITMAP, C, is_read ? C->bitmap : NULL, 1);
        view->bitmap = bytes;
    }
    if (status == TORC_SUCCESS && update->mask) {
        status = bring(&bytes, context, TORC_WORKSPACE_MASK, C, update->mask, 1);
        update->mask = bytes;
    }
    return status;
}

torc_status torc_take_back(torc_context *context, const torc_dense *C, const torc_dense *view)
{
    const torc_executor *executor = context->executor;
    torc_status status = TORC_SUCCESS;
    if (view->data != C->data) {
        status = executor->transpose_dense(context->device, C->data, C->ld, view->data, view->ld, C->nrows,
            C->ncols, torc_type_size(C->type));
    }
    if (status == TORC_SUCCESS && view->bitmap != C->bitmap) {
        status = executor->transpose_dense(
            context->device, C->bitmap, C->ld, view->bitmap, view->ld, C->nrows, C->ncols, 1);
        bool is_written =
            view->data != C->data; /* nobody may try again, with an old C that is there no more */
        status = status == TORC_OUT_OF_MEMORY && is_written ? TORC_DEVICE_ERROR : status;
    }
    return status;
}
