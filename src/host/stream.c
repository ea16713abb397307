/* stream.c: a product whose dense operands lie in host memory.
 *
 * Columns travel in panels. While one is multiplied, the next is sent and the one before is fetched; a fence
 * ends each step, but where nothing is overwritten the next panels are sent as fast as they can be, and what
 * is fetched never waits for what is sent:
 *
 *     step       0     1     2     3
 *     send       p0    p1    p2
 *     multiply         p0    p1    p2
 *     fetch                  p0    p1    p2
 *
 * so that two buffers serve what is sent or fetched, three what is both. An array is a track: on the host,
 * and on the device either whole, as the caller's or beside one that is, or as a ring of such buffers. Where
 * memory is short the columns that are left go on in narrower panels, and when these are single columns, one
 * after another through one buffer each.
 *
 * Rows of B that no entry of A names need not travel, nor rows of C without entries, where the caller knows
 * what they hold: in an R-MAT graph half of all rows. */
#include "stream.h"
#include "dense.h"
#include "problem.h"
#include "sparse.h"

enum {
    STAGES = 3,
    MAX_VECTOR = 4,        /* columns that a thread may take at once: panels of as many begin at multiples */
    FEW_COLUMNS = 16,      /* of a row: narrower panels come of want of memory, and have no padding */
    PANEL_BYTES = 4 << 20, /* reasoned: a step costs some 10 us beside 80 us of bus */
    MAX_PANELS = 16,       /* reasoned: the first and the last panel travel alone, 1/16 each */
    /* bench/results/2026-11-21-h200-bus.txt: rows of 256 bytes fill the bus both ways, rows of 128 four
     * fifths of it; but two panels are on the bus both ways half of the time only. Where A has many entries
     * for each row of B and C (reasoned: the device takes half as long as the bus) narrow panels cost more
     * than they gain: 200,000 x 50,000 with 99.5M entries took 11.0 ms in four (-mxm-panels.csv beside it),
     * 9.5 in three (-mxm.csv). */
    PANEL_ROW_BYTES = 256,
    SHORTEST_ROW_BYTES = 128,
    SECTOR_BYTES = 32,
    PACKED_COLUMNS = 64,
    FEW_PANELS = 4,
    MANY_ENTRIES = 32,
    BUFFER_ALIGNMENT = 256,
};

/* One array on its way. */
typedef struct track {
    bool is_used;
    torc_workspace workspace;
    torc_order order;
    int64_t nrows, ncols, ld; /* of the whole array */
    size_t size;              /* bytes of an element */
    const char *sent;         /* host memory; NULL: not sent */
    char *fetched;            /* likewise */
    torc_filled rows;         /* that have to be sent or fetched */
    bool is_set;              /* instead of being sent: bytes of 1 */
    bool is_whole;            /* on the device: no ring */
    char *device;             /* the caller's array or that of the workspace */
    int64_t device_ld;
    size_t stride; /* bytes from one buffer of the ring to the next */
    int64_t buffers;
} track;

enum { TRACK_B, TRACK_B_BITMAP, TRACK_C, TRACK_C_BITMAP, TRACK_MASK, TRACK_COUNT };

typedef struct stream {
    torc_context *context;
    torc_sparse *A, *oriented; /* op(A) */
    torc_semiring semiring;
    bool transpose;
    torc_dense C, B; /* in host memory */
    torc_update update;
    track tracks[TRACK_COUNT];
    void (*meanwhile)(void *argument); /* NULL once it has been called */
    void *argument;
    torc_sparse *all_rows; /* what A has some rows of; NULL: A is whole */
    int64_t begin, end;    /* columns of C to be computed */
    int64_t done;          /* those before it are fetched */
    bool is_short;         /* the last attempt ended there for want of device memory; C is untouched beyond */
} stream;

/* ---- Panels ------------------------------------------------------------------------------------------- */

/* `all` panels of the columns from `first` on, as equal as vectors allow; of them `count` from the one on
 * that is number 0. */
typedef struct panels {
    int64_t first, columns, all, skipped, count;
} panels;

static int64_t panel_begin(const panels *p, int64_t panel)
{
    int64_t unit = p->columns / p->all >= MAX_VECTOR ? MAX_VECTOR : 1, at = panel + p->skipped;
    int64_t begin = at == p->all ? p->columns : at * p->columns / p->all / unit * unit;
    return p->first + begin;
}

/* Of all: where a panel lies in its buffer does not depend on who computes the others. */
static int64_t widest_panel(const panels *p)
{
    int64_t widest = 0;
    for (int64_t panel = -p->skipped; panel < p->all - p->skipped; panel++) {
        int64_t width = panel_begin(p, panel + 1) - panel_begin(p, panel);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Columns first .. end-1. */
static panels cut(int64_t first, int64_t end, int64_t width)
{
    int64_t columns = end - first, count = (columns + width - 1) / width;
    return (panels){first, columns, count, 0, count};
}

/* The share's of the panels that all of C has. */
static panels cut_share(const stream *s, int64_t width, const torc_host_share *share)
{
    panels p = cut(0, s->C.ncols, width);
    p.skipped = p.all * share->share / share->shares;
    p.count = p.all * (share->share + 1) / share->shares - p.skipped;
    return p;
}

static size_t host_bytes(const track *t)
{
    int64_t lines = t->order == TORC_ROW_MAJOR ? t->nrows : t->ncols;
    int64_t length = t->order == TORC_ROW_MAJOR ? t->ncols : t->nrows;
    return lines > 0 && length > 0 ? ((size_t)(lines - 1) * (size_t)t->ld + (size_t)length) * t->size : 0;
}

static int64_t panels_of(const stream *s, int64_t columns)
{
    return s->C.ncols / (columns > FEW_COLUMNS ? columns : FEW_COLUMNS);
}

/* By row, the rows of a panel have to be long enough for the bus. */
static int64_t count_by_row(const stream *s, int64_t value_size, bool has_many_entries)
{
    int64_t count = panels_of(s, PANEL_ROW_BYTES / value_size);
    if (count < FEW_PANELS && !has_many_entries) {
        count = panels_of(s, SHORTEST_ROW_BYTES / value_size);
        count = count < FEW_PANELS ? count : FEW_PANELS;
    }
    return count;
}

/* By column, what the kernel gathers has to be: columns of a sector, of booleans a word that packs them. */
static int64_t fewest_by_column(int64_t value_size)
{
    int64_t columns = value_size == 1 ? PACKED_COLUMNS : SECTOR_BYTES / value_size;
    return columns > MAX_VECTOR ? columns : MAX_VECTOR;
}

/* Panels pay if each is large enough for the bus. Shapes, types, orders and the number of entries alone
 * decide, not what travels or how: a kernel for another width may reduce in another order, and the same call
 * is to give the same bits. */
static int64_t preferred_width(const stream *s)
{
    size_t bytes = 0;
    int64_t smallest = PANEL_ROW_BYTES;
    bool is_by_row = false;
    for (int i = 0; i < TRACK_COUNT; i++) {
        const track *t = &s->tracks[i];
        bytes += t->is_used ? host_bytes(t) : 0;
        bool has_values = t->is_used && (i == TRACK_B || i == TRACK_C);
        smallest = has_values && (int64_t)t->size < smallest ? (int64_t)t->size : smallest;
        is_by_row |= has_values && t->order == TORC_ROW_MAJOR;
    }
    bool has_many_entries = s->A->csr.nnz >= MANY_ENTRIES * (s->B.nrows + s->C.nrows);
    int64_t unit = is_by_row || has_many_entries ? 1 : fewest_by_column(smallest);
    int64_t count = unit > 1 ? s->C.ncols / unit : count_by_row(s, smallest, has_many_entries);
    int64_t affordable = (int64_t)(bytes / PANEL_BYTES);
    count = count < affordable ? count : affordable;
    count = count < MAX_PANELS ? count : MAX_PANELS;
    int64_t width = count > 1 ? (s->C.ncols + count - 1) / count : s->C.ncols;
    return (width + unit - 1) / unit * unit;
}

/* ---- Tracks ------------------------------------------------------------------------------------------- */

static size_t rounded_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Room on the device for panels of at most `width` columns. */
static torc_status place(track *t, torc_context *context, int64_t width, int64_t buffers)
{
    size_t size = host_bytes(t);
    t->device_ld = t->ld;
    if (!t->is_whole) {
        bool by_row = t->order == TORC_ROW_MAJOR;
        int64_t padding = width < FEW_COLUMNS ? 0 : (t->ld - width) & (MAX_VECTOR - 1);
        t->device_ld = by_row ? width + padding : t->nrows; /* aligned as the whole array is */
        size = (size_t)t->device_ld * (size_t)(by_row ? t->nrows : width) * t->size;
        t->stride = rounded_up(size, BUFFER_ALIGNMENT);
        t->buffers = buffers;
        size += t->stride * (size_t)(buffers - 1);
    }
    if (t->is_whole && t->device) {
        return TORC_SUCCESS;
    }
    void *memory;
    torc_status status = torc_context_workspace(&memory, context, t->workspace, size);
    t->device = memory;
    return status;
}

static size_t step(const track *t, int64_t columns, int64_t ld)
{
    return (size_t)(t->order == TORC_ROW_MAJOR ? columns : columns * ld) * t->size;
}

static char *device_panel(const track *t, const panels *p, int64_t panel)
{
    return t->is_whole ? t->device + step(t, panel_begin(p, panel), t->ld)
                       : t->device + (size_t)(panel % t->buffers) * t->stride;
}

static torc_lines lines_of(const track *t, const panels *p, int64_t panel)
{
    int64_t width = panel_begin(p, panel + 1) - panel_begin(p, panel);
    bool by_row = t->order == TORC_ROW_MAJOR;
    return (torc_lines){
        .width = (size_t)(by_row ? width : t->nrows) * t->size,
        .height = (size_t)(by_row ? t->nrows : width),
        .chosen = t->rows.numbers,
        .nchosen = (size_t)t->rows.count,
    };
}

static torc_status send(const stream *s, const track *t, const panels *p, int64_t panel)
{
    torc_lines lines = lines_of(t, p, panel);
    lines.to = device_panel(t, p, panel);
    lines.to_pitch = (size_t)t->device_ld * t->size;
    if (t->is_set) {
        lines.chosen = NULL;
        return s->context->executor->set(s->context->device, &lines, 1);
    }
    lines.from = t->sent + step(t, panel_begin(p, panel), t->ld);
    lines.from_pitch = (size_t)t->ld * t->size;
    return s->context->executor->send(s->context->device, &lines);
}

static torc_status fetch(const stream *s, const track *t, const panels *p, int64_t panel)
{
    torc_lines lines = lines_of(t, p, panel);
    lines.from = device_panel(t, p, panel);
    lines.from_pitch = (size_t)t->device_ld * t->size;
    lines.to = t->fetched + step(t, panel_begin(p, panel), t->ld);
    lines.to_pitch = (size_t)t->ld * t->size;
    return s->context->executor->fetch(s->context->device, &lines);
}

/* ---- Stages ------------------------------------------------------------------------------------------- */

static torc_status send_panel(const stream *s, const panels *p, int64_t panel)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TRACK_COUNT && status == TORC_SUCCESS; i++) {
        const track *t = &s->tracks[i];
        if (t->is_used && (t->sent || t->is_set)) {
            status = send(s, t, p, panel);
        }
    }
    return status;
}

static torc_status fetch_panel(const stream *s, const panels *p, int64_t panel)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TRACK_COUNT && status == TORC_SUCCESS; i++) {
        const track *t = &s->tracks[i];
        if (t->is_used && t->fetched) {
            status = fetch(s, t, p, panel);
        }
    }
    return status;
}

/* A panel of X, whose tracks are at `values` and one after it. */
static torc_dense view_panel(const torc_dense *X, const track *values, const panels *p, int64_t panel)
{
    const track *bitmap = values + 1;
    torc_dense view = *X;
    view.ncols = panel_begin(p, panel + 1) - panel_begin(p, panel);
    if (values->is_used) {
        view.ld = values->device_ld;
        view.data = device_panel(values, p, panel);
    }
    if (bitmap->is_used) {
        view.ld = bitmap->device_ld;
        view.bitmap = (uint8_t *)device_panel(bitmap, p, panel);
    }
    return view;
}

static torc_status multiply_panel(const stream *s, const panels *p, int64_t panel)
{
    torc_dense C = view_panel(&s->C, &s->tracks[TRACK_C], p, panel);
    torc_dense B = view_panel(&s->B, &s->tracks[TRACK_B], p, panel);
    torc_update update = s->update;
    const track *mask = &s->tracks[TRACK_MASK];
    if (mask->is_used) {
        update.mask = (const uint8_t *)device_panel(mask, p, panel);
    }
    torc_part part = {.first_column = panel_begin(p, panel), .all_rows = s->all_rows};
    return torc_spmm_part(&C, s->semiring, s->A, s->transpose, &B, &update, &part);
}

/* The panel that a stage handles in this step, -1 if none: panels follow each other every `interval` steps.
 */
static int64_t panel_at(int64_t step_of_stage, int64_t interval, int64_t end)
{
    bool has_one = step_of_stage >= 0 && step_of_stage % interval == 0 && step_of_stage / interval < end;
    return has_one ? step_of_stage / interval : -1;
}

/* Does a panel that is sent go where an earlier one was? */
static bool reuses_buffers(const stream *s, const panels *p)
{
    bool reuses = false;
    for (int i = 0; i < TRACK_COUNT; i++) {
        const track *t = &s->tracks[i];
        reuses |= t->is_used && (t->sent || t->is_set) && !t->is_whole && t->buffers < p->count;
    }
    return reuses;
}

static void call_meanwhile(stream *s)
{
    void (*meanwhile)(void *argument) = s->meanwhile;
    s->meanwhile = NULL;
    if (meanwhile) {
        meanwhile(s->argument);
    }
}

/* The first *end panels: all, unless multiplying lacks memory, which has touched nothing of that panel. */
static torc_status run_panels(stream *s, const panels *p, int64_t interval, int64_t *end)
{
    const torc_executor *executor = s->context->executor;
    torc_status status = TORC_SUCCESS;
    bool reuses = reuses_buffers(s, p);
    *end = p->count;
    for (int64_t now = 0; now < interval * (*end - 1) + STAGES && status == TORC_SUCCESS; now++) {
        status = executor->fence(s->context->device, reuses || now == 0);
        int64_t panel = panel_at(now - 1, interval, *end);
        if (status == TORC_SUCCESS && panel >= 0) {
            status = multiply_panel(s, p, panel);
            if (status == TORC_OUT_OF_MEMORY) {
                status = TORC_SUCCESS;
                *end = panel;
            }
        }
        panel = panel_at(now, interval, *end);
        if (status == TORC_SUCCESS && panel >= 0) {
            status = send_panel(s, p, panel);
        }
        panel = panel_at(now - 2, interval, *end);
        if (status == TORC_SUCCESS && panel >= 0) {
            status = fetch_panel(s, p, panel);
        }
    }
    if (status == TORC_SUCCESS) {
        call_meanwhile(s);
    }
    torc_status finished = executor->wait(s->context->device); /* whatever happened: host memory is in use */
    return status == TORC_SUCCESS ? finished : status;
}

/* Device memory for panels of at most `width` columns; *on_device says where. */
static torc_status prepare(stream *on_device, const stream *s, int64_t width, int64_t count, bool is_serial)
{
    torc_context *context = s->context;
    torc_status status = TORC_SUCCESS;
    *on_device = *s;
    for (int i = 0; i < TRACK_COUNT && status == TORC_SUCCESS; i++) {
        track *t = &on_device->tracks[i];
        int64_t buffers = is_serial ? 1 : t->fetched && (t->sent || t->is_set) ? 3 : 2;
        if (t->is_used) {
            status = place(t, context, width, buffers < count ? buffers : count);
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

static torc_status upload_iso(const stream *on_device, const stream *s)
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
static torc_status attempt(stream *s, panels p, bool is_serial)
{
    stream on_device;
    int64_t end = 0;
    torc_status status = prepare(&on_device, s, widest_panel(&p), p.count, is_serial);
    s->is_short = status == TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = upload_iso(&on_device, s);
    }
    if (status == TORC_SUCCESS) {
        status = run_panels(&on_device, &p, is_serial ? STAGES : 1, &end);
        s->meanwhile = on_device.meanwhile;
    }
    if (status == TORC_SUCCESS) {
        s->done = panel_begin(&p, end);
        s->is_short = end < p.count;
    }
    return status;
}

static void forget_rows(stream *s)
{
    for (int i = 0; i < TRACK_COUNT; i++) {
        s->tracks[i].rows = (torc_filled){0};
    }
    torc_sparse_unlist(s->oriented);
}

/* Gives up workspace and lists first, then width, then the overlap of the stages. */
static torc_status run(stream *s, const torc_host_share *share)
{
    int64_t width = s->all_rows ? s->C.ncols : preferred_width(s);
    panels p = cut_share(s, width, share);
    bool is_trimmed = false, is_serial = false;
    s->begin = s->done = panel_begin(&p, 0);
    s->end = panel_begin(&p, p.count);
    for (; s->done < s->end; p = cut(s->done, s->end, width)) {
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

/* ---- Operands ----------------------------------------------------------------------------------------- */

static track new_track(
    const torc_dense *X, size_t size, torc_workspace workspace, bool is_whole, void *device)
{
    return (track){
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

static void plan_b(stream *s, const torc_device_copy *copy)
{
    const torc_dense *B = &s->B;
    bool is_whole = copy->data || copy->bitmap;
    if (B->data && !B->iso) {
        track *t = &s->tracks[TRACK_B];
        *t = new_track(B, torc_type_size(B->type), TORC_WORKSPACE_PANEL_B, is_whole, copy->data);
        t->sent = copy->data && copy->is_filled ? NULL : B->data;
    }
    if (B->bitmap) {
        track *t = &s->tracks[TRACK_B_BITMAP];
        *t = new_track(B, 1, TORC_WORKSPACE_PANEL_B_BITMAP, is_whole, copy->bitmap);
        t->sent = copy->bitmap && copy->is_filled ? NULL : (const char *)B->bitmap;
    }
}

static void plan_c(stream *s, const torc_device_copy *copy, const torc_dense *old)
{
    const torc_dense *C = &s->C;
    bool is_read = torc_reads_old(&s->update) && !copy->is_filled;
    track *t = &s->tracks[TRACK_C];
    *t = new_track(C, torc_type_size(C->type), TORC_WORKSPACE_PANEL_C, copy->data, copy->data);
    t->fetched = C->data;
    t->sent = is_read && !s->update.iso ? old->data : NULL;
    if (C->bitmap) {
        t = &s->tracks[TRACK_C_BITMAP];
        *t = new_track(C, 1, TORC_WORKSPACE_PANEL_C_BITMAP, copy->data, copy->bitmap);
        t->fetched = (char *)C->bitmap;
        t->sent = is_read ? (const char *)old->bitmap : NULL;
        t->is_set = is_read && !old->bitmap;
    }
    if (s->update.mask) {
        t = &s->tracks[TRACK_MASK];
        *t = new_track(C, 1, TORC_WORKSPACE_PANEL_MASK, copy->data, NULL);
        t->sent = (const char *)s->update.mask;
    }
}

/* What stays as B's copy has all rows. */
static torc_status choose_rows(stream *s, bool leaves_empty_rows)
{
    size_t bytes = 0;
    for (int i = 0; i < TRACK_COUNT; i++) {
        bytes += s->tracks[i].is_used ? host_bytes(&s->tracks[i]) : 0;
    }
    if (bytes < PANEL_BYTES) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_sparse_list(s->oriented);
    for (int i = TRACK_B; i <= TRACK_B_BITMAP; i++) {
        track *t = &s->tracks[i];
        t->rows = t->order == TORC_ROW_MAJOR && !t->is_whole ? s->oriented->columns : t->rows;
    }
    track *C = &s->tracks[TRACK_C];
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

/* What is to be done, checked; where C has no elements nothing is. */
static torc_status plan(stream *s, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
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
    *s = (stream){
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

static const torc_update overwrite;
static const torc_host_options none;

torc_status torc_host_panels(int64_t *count, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    stream s = {.context = NULL};
    *count = 0;
    torc_status status =
        plan(&s, C, semiring, A, transpose, B, update ? update : &overwrite, options ? options : &none);
    if (status == TORC_SUCCESS && s.context) {
        *count = cut(0, C->ncols, preferred_width(&s)).count;
    }
    return status;
}

torc_status torc_spmm_host_share(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options,
    const torc_host_share *share)
{
    options = options ? options : &none;
    stream s = {.context = NULL};
    torc_status status = plan(&s, C, semiring, A, transpose, B, update ? update : &overwrite, options);
    if (status != TORC_SUCCESS || !s.context) {
        return status;
    }
    s.all_rows = share->all_rows;
    /* Now, while its memory may be made by giving back buffers of an earlier call. */
    status = torc_sparse_orient(&s.oriented, A, transpose);
    if (status == TORC_SUCCESS) {
        status = choose_rows(&s, options->leaves_empty_rows);
    }
    return status == TORC_SUCCESS ? run(&s, share) : status;
}

torc_status torc_spmm_host(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options)
{
    static const torc_host_share all = {0, 1, NULL};
    return torc_spmm_host_share(C, semiring, A, transpose, B, update, options, &all);
}
