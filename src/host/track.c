#include "track.h"

enum { BUFFER_ALIGNMENT = 256 };

size_t torc_track_bytes(const torc_track *t)
{
    int64_t lines = t->order == TORC_ROW_MAJOR ? t->nrows : t->ncols;
    int64_t length = t->order == TORC_ROW_MAJOR ? t->ncols : t->nrows;
    return lines > 0 && length > 0 ? ((size_t)(lines - 1) * (size_t)t->ld + (size_t)length) * t->size : 0;
}

static size_t rounded_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

torc_status torc_track_place(torc_track *t, torc_context *context, int64_t width, int64_t buffers)
{
    size_t size = torc_track_bytes(t);
    t->device_ld = t->ld;
    if (!t->is_whole) {
        bool by_row = t->order == TORC_ROW_MAJOR;
        int64_t padding = width < TORC_FEW_COLUMNS ? 0 : (t->ld - width) & (TORC_MAX_VECTOR - 1);
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

static size_t step(const torc_track *t, int64_t columns, int64_t ld)
{
    return (size_t)(t->order == TORC_ROW_MAJOR ? columns : columns * ld) * t->size;
}

char *torc_track_panel(const torc_track *t, const torc_panel_cut *p, int64_t panel)
{
    return t->is_whole ? t->device + step(t, torc_panel_begin(p, panel), t->ld)
                       : t->device + (size_t)(torc_panel_turn(p, panel) % t->buffers) * t->stride;
}

static torc_lines lines_of(const torc_track *t, const torc_panel_cut *p, int64_t panel)
{
    int64_t width = torc_panel_width(p, panel);
    bool by_row = t->order == TORC_ROW_MAJOR;
    return (torc_lines){
        .width = (size_t)(by_row ? width : t->nrows) * t->size,
        .height = (size_t)(by_row ? t->nrows : width),
        .chosen = t->rows.numbers,
        .nchosen = (size_t)t->rows.count,
        .element = by_row ? t->size : 0,
        .whole = t->ncols,
        .skipped = torc_panel_begin(p, panel),
        .is_in_buffer = !t->is_whole,
    };
}

torc_status torc_track_send(
    const torc_track *t, torc_context *context, const torc_panel_cut *p, int64_t panel)
{
    torc_lines lines = lines_of(t, p, panel);
    lines.to = torc_track_panel(t, p, panel);
    lines.to_pitch = (size_t)t->device_ld * t->size;
    if (t->is_set) {
        lines.chosen = NULL;
        return context->executor->set(context->device, &lines, 1);
    }
    lines.from = t->sent + step(t, torc_panel_begin(p, panel), t->ld);
    lines.from_pitch = (size_t)t->ld * t->size;
    return context->executor->send(context->device, &lines);
}

torc_status torc_track_fetch(
    const torc_track *t, torc_context *context, const torc_panel_cut *p, int64_t panel)
{
    torc_lines lines = lines_of(t, p, panel);
    lines.from = torc_track_panel(t, p, panel);
    lines.from_pitch = (size_t)t->device_ld * t->size;
    lines.to = t->fetched + step(t, torc_panel_begin(p, panel), t->ld);
    lines.to_pitch = (size_t)t->ld * t->size;
    return context->executor->fetch(context->device, &lines);
}
