/* pick.c: see pick.h. */
#include "pick.h"
#include <math.h>

static const double MOST_CELLS = 2e6; /* of an object that may become dense */

bool torc_chance(drawing *d, double probability)
{
    return random_chance(&d->stream, probability);
}

GrB_Index torc_below(drawing *d, GrB_Index bound)
{
    return (GrB_Index)random_below(&d->stream, (int64_t)bound);
}

bool torc_is_large(const slot_shape *slot)
{
    return (double)slot->nrows * (double)slot->ncols > MOST_CELLS;
}

/* One of those that exist, or NO_SLOT. */
int torc_pick_any(drawing *d, bool is_vector)
{
    int first = is_vector ? MATRICES : 0, count = is_vector ? VECTORS : MATRICES;
    int start = (int)torc_below(d, (GrB_Index)count);
    for (int i = 0; i < count; i++) {
        int slot = first + (start + i) % count;
        if (d->slots[slot].exists) {
            return slot;
        }
    }
    return NO_SLOT;
}

int torc_pick_last(drawing *d)
{
    bool is_last = torc_has_step(STEP_SET_INTEGER) && torc_chance(d, 0.7);
    return is_last ? d->last : torc_pick_any(d, torc_chance(d, 0.5));
}

/* One of that shape, or NO_SLOT; a wrong one now and then, whose error both sides are to report. */
int torc_pick(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols)
{
    int first = is_vector ? MATRICES : 0, count = is_vector ? VECTORS : MATRICES;
    int start = (int)torc_below(d, (GrB_Index)count);
    if (torc_chance(d, 0.004)) {
        return torc_pick_any(d, is_vector);
    }
    for (int i = 0; i < count; i++) {
        int slot = first + (start + i) % count;
        const slot_shape *shape = &d->slots[slot];
        if (shape->exists && shape->nrows == nrows && shape->ncols == ncols) {
            return slot;
        }
    }
    return NO_SLOT;
}

int torc_pick_input(drawing *d, bool is_vector, GrB_Index nrows, GrB_Index ncols, bool is_transposed)
{
    return is_transposed ? torc_pick(d, is_vector, ncols, nrows) : torc_pick(d, is_vector, nrows, ncols);
}

/* One in many is positional, which both sides are to refuse. */
static program_operator draw_accum(drawing *d)
{
    static const char *const positional[] = {"FIRSTI", "FIRSTJ1", "SECONDI", "SECONDJ"};
    return torc_chance(d, 0.03) ? (program_operator){positional[torc_below(d, 4)],
                                      torc_chance(d, 0.5) ? VALUE_INT64 : VALUE_INT32}
                                : WORD(d, accums);
}

/* Mask, accumulator and descriptor of an operation whose mask has that shape. */
void torc_draw_modifiers(drawing *d, program_step *s, bool is_vector, GrB_Index nrows, GrB_Index ncols)
{
    if (torc_chance(d, 0.4)) {
        s->m = torc_pick(d, is_vector, nrows, ncols);
    }
    if (torc_chance(d, 0.3)) {
        s->accum = draw_accum(d);
    }
    s->replace = torc_chance(d, 0.3);
    s->structure = torc_chance(d, 0.5);
    s->complement = torc_chance(d, s->m == NO_SLOT ? 0.02 : 0.35);
}

/* What types cannot hold is cast: both sides are given the same. */
static double draw_unusual(drawing *d)
{
    static const double values[] = {-1, -2, 0.75, 7, 8, 31, 64, 127, -128, 255, 256, 65535, 0x1p31, -0x1p31,
        0x1p32, 0x1p53, 0x1p63, -0x1p63, 0x1p64, 1e30, NAN, INFINITY, -INFINITY};
    return values[torc_below(d, sizeof values / sizeof *values)];
}

/* Half of them are fractions of a power of two. */
void torc_draw_scalar(drawing *d, program_step *s)
{
    s->scalar_type = WORD(d, types);
    s->scalar = (double)torc_below(d, 5);
    if (d->is_grained && torc_value_is_real(s->scalar_type)) {
        s->scalar = torc_chance(d, 0.5) ? 0.5 : s->scalar;
    }
    if (torc_value_is_complex(s->scalar_type)) {
        s->imaginary = (double)torc_below(d, 3);
    }
    if (torc_chance(d, d->style == STYLE_EXACT ? 0.04 : 0.3)) {
        s->scalar = draw_unusual(d);
    }
    s->lacks_value = torc_chance(d, 0.05);
}

bool torc_draw_output(drawing *d, program_step *s, bool may_be_large)
{
    s->c = torc_pick_any(d, torc_chance(d, 0.5));
    if (s->c == NO_SLOT || (!may_be_large && torc_is_large(&d->slots[s->c]))) {
        return false;
    }
    torc_draw_modifiers(d, s, is_vector_slot(s->c), d->slots[s->c].nrows, d->slots[s->c].ncols);
    return true;
}

int torc_pick_like_c(drawing *d, program_step *s, bool is_transposed)
{
    const slot_shape *c = &d->slots[s->c];
    return torc_pick_input(d, is_vector_slot(s->c), c->nrows, c->ncols, is_transposed);
}
