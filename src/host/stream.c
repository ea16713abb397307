/* stream.c: a product whose dense operands lie in host memory.
 *
 * Columns travel in panels. While one panel is multiplied, the next is sent and the one before is fetched:
 *
 *     step       0     1     2     3
 *     send       p0    p1    p2
 *     multiply         p0    p1    p2
 *     fetch                  p0    p1    p2
 *
 * A fence ends each step. Where nothing is overwritten, though, panels are sent as fast as they can be.
 * Fetching never waits for sending. So an array that is sent or fetched needs two buffers; one that is both
 * needs three.
 *
 * An array is a track: on the host; and on the device either whole (the caller's array, or a copy that stays)
 * or as a ring of such buffers. Where memory is short, the columns that are left go on in narrower panels,
 * and single columns in the end go one after another through one buffer each.
 *
 * Rows of B that no entry of A names need not travel. Nor need rows of C without entries, if the caller knows
 * what they hold. In an R-MAT graph these are half of all rows. */
#include "streamed.h"

/* Device memory for panels of at most `width` columns; *on_device says where. */
static torc_status prepare(
    torc_stream *on_device, const torc_stream *s, int64_t width, int64_t count, bool is_serial)
{
    torc_context *context = s->context;
    torc_status status = TORC_SUCCESS;
    *on_device = *s;
    for (int i = 0; i < TORC_TRACK_COUNT && status == TORC_SUCCESS; i++) {
        torc_track *t = &on_device->tracks[i];
        int64_t buffers = is_serial ? 1 : t->fetched && (t->sent || t->is_set) ? 3 : 2;
        if (t->is_used) {
            status = torc_track_place(t, context, width, buffers < count ? buffers : count);
        }
    }
    if (status == TORC_SUCCESS && s->B.iso && s->B.data) {
        status = torc_context_workspace(
            &on_device->B.data, context, TORC_WORKSPACE_ISO_B, torc_type_size(s->B.type));
    }
    if (status == TORC_SUCCESS && s->update.iso) {
        void *iso = NULL;
        status = torc_context_workspace(&iso, context, TORC_WORKSPACE_ISO_C, torc_type_size(s->C.type));
        on_device->update.iso = iso;
    }
    return status;
}

static torc_status upload_iso(const torc_stream *on_device, const torc_stream *s)
{
    torc_context *context = s->context;
    torc_status status = TORC_SUCCESS;
    if (s->B.iso && s->B.data) {
        status = torc_memory_upload(context, on_device->B.data, s->B.data, torc_type_size(s->B.type));
    }
    if (status == TORC_SUCCESS && s->update.iso) {
        status = torc_memory_upload(
            context, (void *)on_device->update.iso, s->update.iso, torc_type_size(s->C.type));
    }
    return status;
}

/* These panels of the columns that are left; is_serial: through one buffer each. */
static torc_status attempt(torc_stream *s, torc_panel_cut p, bool is_serial)
{
    torc_stream on_device;
    int64_t end = 0;
    torc_status status = prepare(&on_device, s, torc_widest_panel(&p), p.count, is_serial);
    s->is_short = status == TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = upload_iso(&on_device, s);
    }
    if (status == TORC_SUCCESS) {
        status = torc_stream_run(&on_device, &p, is_serial ? TORC_STAGES : 1, &end);
        s->meanwhile = on_device.meanwhile;
    }
    if (status == TORC_SUCCESS) {
        s->done = torc_panel_begin(&p, end);
        s->is_short = end < p.count;
    }
    return status;
}

static void forget_rows(torc_stream *s)
{
    for (int i = 0; i < TORC_TRACK_COUNT; i++) {
        s->tracks[i].rows = (torc_filled){0};
    }
    torc_sparse_unlist(s->oriented);
}

/* Gives up workspace and lists first, then width, then the overlap of the stages. */
static torc_status run_share(torc_stream *s, const torc_host_share *share)
{
    int64_t width = s->all_rows ? s->C.ncols : torc_stream_width(s);
    torc_panel_cut p = torc_cut_share(s->C.ncols, width, share);
    bool is_trimmed = false, is_serial = false;
    s->begin = s->done = torc_panel_begin(&p, 0);
    s->end = torc_panel_begin(&p, p.count);
    for (; s->done < s->end; p = torc_cut_panels(s->done, s->end, width)) {
        s->context->is_streaming = true;
        torc_status status = attempt(s, p, is_serial);
        s->context->is_streaming = false;
        if (!s->is_short) {
            return status == TORC_OUT_OF_MEMORY ? TORC_DEVICE_ERROR : status;
        }
        torc_context_trim(s->context);
        forget_rows(s);
        if (!is_trimmed) {
            is_trimmed = true;
        } else if (width > 1) {
            width = (width + 1) / 2;
        } else if (!is_serial) {
            is_serial = true;
        } else {
            return s->done > s->begin ? TORC_DEVICE_ERROR : TORC_OUT_OF_MEMORY;
        }
    }
    return TORC_SUCCESS;
}

static const torc_update overwrite;
static const torc_host_options none;

torc_status torc_host_panels(int64_t *count, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    torc_stream s = {.context = NULL};
    *count = 0;
    torc_status status = torc_stream_plan(
        &s, C, semiring, A, transpose, B, update ? update : &overwrite, options ? options : &none);
    if (status == TORC_SUCCESS && s.context) {
        *count = torc_cut_panels(0, C->ncols, torc_stream_width(&s)).count;
    }
    return status;
}

torc_status torc_spmm_host_share(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options,
    const torc_host_share *share)
{
    options = options ? options : &none;
    torc_stream s = {.context = NULL};
    torc_status status =
        torc_stream_plan(&s, C, semiring, A, transpose, B, update ? update : &overwrite, options);
    if (status != TORC_SUCCESS || !s.context) {
        return status;
    }
    s.all_rows = share->all_rows;
    /* Now, while its memory may be made by giving back buffers of an earlier call. */
    status = torc_sparse_orient(&s.oriented, A, transpose);
    if (status == TORC_SUCCESS) {
        status = torc_stream_choose_rows(&s, options->leaves_empty_rows);
    }
    return status == TORC_SUCCESS ? run_share(&s, share) : status;
}

torc_status torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    static const torc_host_share all = {0, 1, NULL};
    return torc_spmm_host_share(C, semiring, A, transpose, B, update, options, &all);
}
