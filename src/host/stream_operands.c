/* stream_operands.c: which arrays and rows of a product travel. */
#include "dense.h"
#include "problem.h"
#include "spmm.h"
#include "streamed.h"

static torc_track new_track(
    const torc_dense *X, size_t size, torc_workspace workspace, bool is_whole, void *device)
{
    return (torc_track){
        .is_used = true,
        .workspace = workspace,
        .order = X->order,
        .nrows = X->nrows,
        .ncols = X->ncols,
        .ld = X->ld,
        .size = size,
        .is_whole = is_whole,
        .device = device,
    };
}

static void plan_b(torc_stream *s, const torc_device_copy *copy)
{
    const torc_dense *B = &s->B;
    bool is_whole = copy->data || copy->bitmap;
    if (B->data && !B->iso) {
        torc_track *t = &s->tracks[TORC_TRACK_B];
        *t = new_track(B, torc_type_size(B->type), TORC_WORKSPACE_PANEL_B, is_whole, copy->data);
        t->sent = copy->data && copy->is_filled ? NULL : B->data;
    }
    if (B->bitmap) {
        torc_track *t = &s->tracks[TORC_TRACK_B_BITMAP];
        *t = new_track(B, 1, TORC_WORKSPACE_PANEL_B_BITMAP, is_whole, copy->bitmap);
        t->sent = copy->bitmap && copy->is_filled ? NULL : (const char *)B->bitmap;
    }
}

static void plan_c(torc_stream *s, const torc_device_copy *copy, const torc_dense *old)
{
    const torc_dense *C = &s->C;
    bool is_read = torc_reads_old(&s->update) && !copy->is_filled;
    torc_track *t = &s->tracks[TORC_TRACK_C];
    *t = new_track(C, torc_type_size(C->type), TORC_WORKSPACE_PANEL_C, copy->data, copy->data);
    t->fetched = C->data;
    t->sent = is_read && !s->update.iso ? old->data : NULL;
    if (C->bitmap) {
        t = &s->tracks[TORC_TRACK_C_BITMAP];
        *t = new_track(C, 1, TORC_WORKSPACE_PANEL_C_BITMAP, copy->data, copy->bitmap);
        t->fetched = (char *)C->bitmap;
        t->sent = is_read ? (const char *)old->bitmap : NULL;
        t->is_set = is_read && !old->bitmap;
    }
    if (s->update.mask) {
        t = &s->tracks[TORC_TRACK_MASK];
        *t = new_track(C, 1, TORC_WORKSPACE_PANEL_MASK, copy->data, NULL);
        t->sent = (const char *)s->update.mask;
    }
}

torc_status torc_stream_choose_rows(torc_stream *s, bool leaves_empty_rows)
{
    size_t bytes = 0;
    for (int i = 0; i < TORC_TRACK_COUNT; i++) {
        bytes += s->tracks[i].is_used ? torc_track_bytes(&s->tracks[i]) : 0;
    }
    if (bytes < TORC_PANEL_BYTES) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_sparse_list(s->oriented);
    for (int i = TORC_TRACK_B; i <= TORC_TRACK_B_BITMAP; i++) {
        torc_track *t = &s->tracks[i];
        t->rows = t->order == TORC_ROW_MAJOR && !t->is_whole ? s->oriented->columns : t->rows;
    }
    torc_track *C = &s->tracks[TORC_TRACK_C];
    if (leaves_empty_rows && C->order == TORC_ROW_MAJOR && !C->sent) {
        C->rows = s->oriented->rows;
    }
    return status;
}

static bool lacks_old(const torc_dense *C, const torc_update *update, const torc_host_options *options)
{
    const torc_dense *old = options->old ? options->old : C;
    return torc_reads_old(update) && !update->iso && !options->c_copy.is_filled && !old->data;
}

/* None, or all the arrays that the operand has. */
static bool is_copy_of(const torc_device_copy *copy, const torc_dense *X, bool has_values)
{
    bool is_none = !copy->data && !copy->bitmap;
    return is_none ? !copy->is_filled : (copy->data || !has_values) && !copy->bitmap == !X->bitmap;
}

torc_status torc_stream_plan(torc_stream *s, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    torc_status status = torc_spmm_check_arguments(C, semiring, A, transpose, B, update);
    if (status != TORC_SUCCESS || C->nrows == 0 || C->ncols == 0) {
        return status;
    }
    if (lacks_old(C, update, options)) {
        return torc_context_refuse(A->context, TORC_NULL_POINTER,
            "the update reads what C held before, and %s is NULL", options->old ? "old.data" : "C.data");
    }
    bool reads_b = torc_semiring_traits(semiring).reads_b;
    bool is_copy_of_b = is_copy_of(&options->b_copy, B, reads_b && !B->iso);
    if (!is_copy_of_b || !is_copy_of(&options->c_copy, C, true)) {
        return torc_context_refuse(A->context, TORC_INVALID_VALUE, "%s has other arrays than its operand",
            is_copy_of_b ? "c_copy" : "b_copy");
    }
    *s = (torc_stream){
        .context = A->context,
        .A = A,
        .semiring = semiring,
        .transpose = transpose,
        .C = *C,
        .B = *B,
        .update = *update,
        .meanwhile = options->meanwhile,
        .argument = options->argument,
    };
    s->B.data = reads_b ? s->B.data : NULL;
    s->update.iso = torc_reads_old(update) ? s->update.iso : NULL;
    plan_b(s, &options->b_copy);
    plan_c(s, &options->c_copy, options->old ? options->old : C);
    return TORC_SUCCESS;
}
