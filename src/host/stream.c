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

/* Device memory for panels; *on_device says where. */
static torc_status prepare(
    torc_stream *on_device, const torc_stream *s, const torc_panel_cut *p, bool is_serial)
{
    torc_context *context = s->context;
    int64_t width = torc_widest_panel(p), count = torc_panel_steps(p) * p->abreast, abreast = p->abreast;
    torc_status status = TORC_SUCCESS;
    *on_device = *s;
    for (int i = 0; i < TORC_TRACK_COUNT && status == TORC_SUCCESS; i++) {
        torc_track *t = &on_device->tracks[i];
        int64_t buffers = abreast * (is_serial ? 1 : t->fetched && (t->sent || t->is_set) ? 3 : 2);
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

/* These panels; is_serial: through one buffer of each device. */
static torc_status attempt(torc_stream *s, const torc_panel_cut *p, bool is_serial, torc_progress *progress)
{
    torc_stream on_device;
    *progress = (torc_progress){0, 0};
    torc_status status = prepare(&on_device, s, p, is_serial);
    s->is_short = status == TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = upload_iso(&on_device, s);
    }
    if (status == TORC_SUCCESS) {
        status = torc_stream_run(&on_device, p, is_serial ? TORC_STAGES : 1, progress);
        s->meanwhile = on_device.meanwhile;
    }
    if (status == TORC_SUCCESS) {
        s->is_short = progress->step < torc_panel_steps(p);
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

/* How a product goes on where memory is short. */
typedef struct thrift {
    int64_t width; /* of panels */
    bool is_trimmed, is_serial;
    bool has_begun; /* some of C was written to */
} thrift;

/* Gives up workspace and lists first, then width, then the overlap of the stages: false if nothing is left.
 */
static bool give_up_something(thrift *t, torc_stream *s)
{
    torc_context_trim(s->context);
    forget_rows(s);
    if (!t->is_trimmed) {
        t->is_trimmed = true;
    } else if (t->width > 1) {
        t->width = (t->width + 1) / 2;
    } else if (!t->is_serial) {
        t->is_serial = true;
    } else {
        return false;
    }
    return true;
}

/* Columns first .. end-1 of C, `abreast` panels at a time. */
static torc_status try_columns(torc_stream *s, thrift *t, int64_t first, int64_t end, int64_t abreast,
    torc_panel_cut *p, torc_progress *progress)
{
    *p = torc_cut_panels(first, end, t->width);
    p->abreast = abreast < p->count ? abreast : p->count;
    s->context->is_streaming = true;
    torc_status status = attempt(s, p, t->is_serial, progress);
    s->context->is_streaming = false;
    t->has_begun = t->has_begun || progress->step > 0 || progress->number > 0;
    if (!s->is_short) {
        return status == TORC_OUT_OF_MEMORY ? TORC_DEVICE_ERROR : status;
    }
    return give_up_something(t, s) ? TORC_SUCCESS : t->has_begun ? TORC_DEVICE_ERROR : TORC_OUT_OF_MEMORY;
}

/* One panel at a time. */
static torc_status run_in_turn(torc_stream *s, thrift *t, int64_t first, int64_t end)
{
    torc_status status = TORC_SUCCESS;
    while (first < end && status == TORC_SUCCESS) {
        torc_panel_cut p;
        torc_progress progress;
        status = try_columns(s, t, first, end, 1, &p, &progress);
        first = torc_panel_begin(&p, progress.step);
    }
    return status;
}

/* As many panels at a time as the executor has devices, narrower ones where memory is short. Where that ends
 * midway, or at single columns, what each of them has left is done in turn. */
static torc_status run(torc_stream *s)
{
    const torc_executor *executor = s->context->executor;
    thrift t = {.width = torc_stream_width(s)};
    int64_t abreast = executor->devices ? executor->devices(s->context->device) : 1;
    torc_panel_cut p;
    torc_progress progress;
    torc_status status;
    do {
        status = try_columns(s, &t, 0, s->C.ncols, abreast, &p, &progress);
    } while (status == TORC_SUCCESS && s->is_short && !t.has_begun && p.abreast > 1 && t.width > 1);
    int64_t steps = torc_panel_steps(&p);
    for (int64_t n = 0; n < p.abreast && status == TORC_SUCCESS && progress.step < steps; n++) {
        int64_t panel = n * steps + progress.step + (n < progress.number), last = (n + 1) * steps;
        int64_t begin = torc_panel_begin(&p, panel < p.count ? panel : p.count);
        status = run_in_turn(s, &t, begin, torc_panel_begin(&p, last < p.count ? last : p.count));
    }
    return status;
}

static const torc_update overwrite;
static const torc_host_options none;

torc_status torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    options = options ? options : &none;
    torc_stream s = {.context = NULL};
    torc_status status =
        torc_stream_plan(&s, C, semiring, A, transpose, B, update ? update : &overwrite, options);
    if (status != TORC_SUCCESS || !s.context) {
        return status;
    }
    /* Now, while its memory may be made by giving back buffers of an earlier call. */
    status = torc_sparse_orient(&s.oriented, A, transpose);
    if (status == TORC_SUCCESS) {
        status = torc_stream_choose_rows(&s, options->leaves_empty_rows);
    }
    return status == TORC_SUCCESS ? run(&s) : status;
}
