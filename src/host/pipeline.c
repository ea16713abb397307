/* pipeline.c: panels sent, multiplied and fetched at once. */
#include "spmm.h"
#include "streamed.h"

static torc_status send_panel(const torc_stream *s, const torc_panel_cut *p, int64_t panel)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TORC_TRACK_COUNT && status == TORC_SUCCESS; i++) {
        const torc_track *t = &s->tracks[i];
        if (t->is_used && (t->sent || t->is_set)) {
            status = torc_track_send(t, s->context, p, panel);
        }
    }
    return status;
}

static torc_status fetch_panel(const torc_stream *s, const torc_panel_cut *p, int64_t panel)
{
    torc_status status = TORC_SUCCESS;
    for (int i = 0; i < TORC_TRACK_COUNT && status == TORC_SUCCESS; i++) {
        const torc_track *t = &s->tracks[i];
        if (t->is_used && t->fetched) {
            status = torc_track_fetch(t, s->context, p, panel);
        }
    }
    return status;
}

/* A panel of X, whose tracks are at `values` and one after it. */
static torc_dense view_panel(
    const torc_dense *X, const torc_track *values, const torc_panel_cut *p, int64_t panel)
{
    const torc_track *bitmap = values + 1;
    torc_dense view = *X;
    view.ncols = torc_panel_width(p, panel);
    if (values->is_used) {
        view.ld = values->device_ld;
        view.data = torc_track_panel(values, p, panel);
    }
    if (bitmap->is_used) {
        view.ld = bitmap->device_ld;
        view.bitmap = (uint8_t *)torc_track_panel(bitmap, p, panel);
    }
    return view;
}

static torc_status multiply_panel(const torc_stream *s, const torc_panel_cut *p, int64_t panel)
{
    torc_dense C = view_panel(&s->C, &s->tracks[TORC_TRACK_C], p, panel);
    torc_dense B = view_panel(&s->B, &s->tracks[TORC_TRACK_B], p, panel);
    torc_update update = s->update;
    const torc_track *mask = &s->tracks[TORC_TRACK_MASK];
    if (mask->is_used) {
        update.mask = (const uint8_t *)torc_track_panel(mask, p, panel);
    }
    torc_part part = {.first_column = torc_panel_begin(p, panel)};
    return torc_spmm_part(&C, s->semiring, s->A, s->transpose, &B, &update, &part);
}

/* The step of panels that a stage handles now, -1 if none: they follow each other every `interval` steps. */
static int64_t step_at(int64_t now, int64_t interval, int64_t steps)
{
    bool has_one = now >= 0 && now % interval == 0 && now / interval < steps;
    return has_one ? now / interval : -1;
}

typedef torc_status stage(const torc_stream *s, const torc_panel_cut *p, int64_t panel);

/* The panels of a step up to the end of progress. Where the stage stops, *number is the panel's. */
static torc_status handle(stage *handle_panel, const torc_stream *s, const torc_panel_cut *p, int64_t step,
    const torc_progress *end, int64_t *number)
{
    int64_t count = step < 0 || step > end->step ? 0 : step == end->step ? end->number : p->abreast;
    torc_status status = TORC_SUCCESS;
    for (*number = 0; *number < count; (*number)++) {
        int64_t panel = torc_panel_of(p, step, *number);
        status = panel >= 0 ? handle_panel(s, p, panel) : TORC_SUCCESS;
        if (status != TORC_SUCCESS) {
            return status;
        }
    }
    return status;
}

/* Does a panel that is sent go where an earlier one was? */
static bool reuses_buffers(const torc_stream *s, const torc_panel_cut *p)
{
    bool reuses = false;
    for (int i = 0; i < TORC_TRACK_COUNT; i++) {
        const torc_track *t = &s->tracks[i];
        reuses |= t->is_used && (t->sent || t->is_set) && !t->is_whole && t->buffers < p->count;
    }
    return reuses;
}

static void call_meanwhile(torc_stream *s)
{
    void (*meanwhile)(void *argument) = s->meanwhile;
    s->meanwhile = NULL;
    if (meanwhile) {
        meanwhile(s->argument);
    }
}

torc_status torc_stream_run(
    torc_stream *s, const torc_panel_cut *p, int64_t interval, torc_progress *progress)
{
    const torc_executor *executor = s->context->executor;
    torc_status status = TORC_SUCCESS;
    bool reuses = reuses_buffers(s, p);
    int64_t steps = torc_panel_steps(p), number = 0;
    *progress = (torc_progress){steps, 0};
    for (int64_t now = 0; now < interval * (steps - 1) + TORC_STAGES && status == TORC_SUCCESS; now++) {
        int64_t step = step_at(now - 1, interval, steps);
        status = executor->fence(s->context->device, reuses || now == 0);
        if (status == TORC_SUCCESS) {
            status = handle(multiply_panel, s, p, step, progress, &number);
        }
        if (status == TORC_OUT_OF_MEMORY) {
            status = TORC_SUCCESS;
            *progress = (torc_progress){step, number};
        }
        if (status == TORC_SUCCESS) {
            status = handle(send_panel, s, p, step_at(now, interval, steps), progress, &number);
        }
        if (status == TORC_SUCCESS) {
            status = handle(fetch_panel, s, p, step_at(now - 2, interval, steps), progress, &number);
        }
    }
    if (status == TORC_SUCCESS) {
        call_meanwhile(s);
    }
    torc_status finished = executor->wait(s->context->device); /* whatever happened: host memory is in use */
    return status == TORC_SUCCESS ? finished : status;
}
