/* draw_parts.c: operands of steps that write or read parts of objects. */
#include "pick.h"

static GrB_Index common_divisor(GrB_Index x, GrB_Index y)
{
    return y == 0 ? x : common_divisor(y, x % y);
}

/* `count` of `bound` indices, all different unless they may repeat. */
static index_choice draw_indices(drawing *d, GrB_Index count, GrB_Index bound, bool may_repeat)
{
    index_choice choice = {.count = count, .bound = bound, .stride = 1};
    double kind = random_unit(&d->stream);
    if (count == bound && kind < 0.6) {
        choice.kind = LIST_ALL;
    } else if (kind < 0.75 && count > 0 && count <= bound) {
        choice.kind = LIST_RANGE;
        choice.first = torc_below(d, bound - count + 1);
    } else if (kind < 0.88 && count > 0 && count <= bound) {
        choice.kind = kind < 0.82 ? LIST_STRIDE : LIST_BACKWARDS;
        choice.stride = count > 1 ? 1 + torc_below(d, (bound - 1) / (count - 1)) : 1;
        choice.first = torc_below(d, bound - (count - 1) * choice.stride);
    } else {
        choice.kind = LIST_ANY;
        choice.first = torc_below(d, bound);
        choice.stride = 1 + torc_below(d, bound);
        while (!may_repeat && common_divisor(choice.stride, bound) != 1) {
            choice.stride = choice.stride % bound + 1;
        }
    }
    return choice;
}

static GrB_Index draw_count(drawing *d, GrB_Index bound)
{
    return torc_chance(d, 0.5) ? bound : torc_below(d, bound + 1);
}

/* A into a part of C; most parts are all of it. */
bool torc_draw_assign(drawing *d, program_step *s)
{
    bool is_vector = torc_chance(d, 0.5);
    s->c = torc_pick_any(d, is_vector);
    if (s->c == NO_SLOT || torc_is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    s->transpose_a = !is_vector && torc_chance(d, 0.1);
    s->a = torc_chance(d, 0.7) ? torc_pick_like_c(d, s, s->transpose_a) : torc_pick_any(d, is_vector);
    if (s->a == NO_SLOT) {
        return false;
    }
    const slot_shape *a = &d->slots[s->a];
    GrB_Index nrows = s->transpose_a ? a->ncols : a->nrows, ncols = s->transpose_a ? a->nrows : a->ncols;
    if (nrows > c->nrows || ncols > c->ncols) {
        return false;
    }
    s->rows = draw_indices(d, nrows, c->nrows, false);
    s->cols = draw_indices(d, ncols, c->ncols, false);
    s->variant = torc_chance(d, 0.5);
    torc_draw_modifiers(d, s, is_vector, s->variant ? nrows : c->nrows, s->variant ? ncols : c->ncols);
    return true;
}

bool torc_draw_assign_scalar(drawing *d, program_step *s)
{
    bool is_vector = torc_chance(d, 0.5);
    s->c = torc_pick_any(d, is_vector);
    if (s->c == NO_SLOT || torc_is_large(&d->slots[s->c])) {
        return false;
    }
    const slot_shape *c = &d->slots[s->c];
    s->rows = draw_indices(d, draw_count(d, c->nrows), c->nrows, false);
    s->cols = draw_indices(d, draw_count(d, c->ncols), c->ncols, false);
    s->variant = (int)torc_below(d, 4);
    torc_draw_scalar(d, s);
    if (c->type == VALUE_UDT) {
        s->scalar_type = VALUE_UDT;
        s->variant |= 2;
    }
    torc_draw_modifiers(d, s, is_vector, s->variant & 1 ? s->rows.count : c->nrows,
        s->variant & 1 ? s->cols.count : c->ncols);
    return true;
}

/* A vector as long as the list. */
bool torc_draw_assign_line(drawing *d, program_step *s)
{
    s->c = torc_pick_any(d, false);
    s->a = torc_pick_any(d, true);
    if (s->c == NO_SLOT || s->a == NO_SLOT) {
        return false;
    }
    s->variant = (int)torc_below(d, 4);
    const slot_shape *c = &d->slots[s->c];
    GrB_Index length = s->variant & 2 ? c->nrows : c->ncols, count = d->slots[s->a].nrows;
    if (count > length) {
        return false;
    }
    s->i = torc_below(d, s->variant & 2 ? c->ncols : c->nrows);
    s->rows = draw_indices(d, count, length, false);
    torc_draw_modifiers(d, s, true, s->variant & 1 ? count : length, 1);
    return true;
}

bool torc_draw_extract(drawing *d, program_step *s)
{
    if (!torc_draw_output(d, s, false)) {
        return false;
    }
    bool is_vector = is_vector_slot(s->c);
    s->a = torc_pick_any(d, is_vector);
    s->transpose_a = !is_vector && torc_chance(d, 0.1);
    const slot_shape *c = &d->slots[s->c], *a = &d->slots[s->a];
    s->rows = draw_indices(d, c->nrows, s->transpose_a ? a->ncols : a->nrows, true);
    s->cols = draw_indices(d, c->ncols, s->transpose_a ? a->nrows : a->ncols, true);
    return true;
}

bool torc_draw_extract_line(drawing *d, program_step *s)
{
    s->c = torc_pick_any(d, true);
    s->a = torc_pick_any(d, false);
    if (s->c == NO_SLOT || s->a == NO_SLOT) {
        return false;
    }
    s->transpose_a = torc_chance(d, 0.5);
    const slot_shape *a = &d->slots[s->a];
    s->rows = draw_indices(d, d->slots[s->c].nrows, s->transpose_a ? a->ncols : a->nrows, true);
    s->i = torc_below(d, s->transpose_a ? a->nrows : a->ncols);
    torc_draw_modifiers(d, s, true, d->slots[s->c].nrows, 1);
    return true;
}
