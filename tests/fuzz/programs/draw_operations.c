/* draw_operations.c: operands of whole-object operations. */
#include "pick.h"
#include "user_operators.h"
#include <string.h>

bool torc_draw_product(drawing *d, program_step *s)
{
    bool is_mxv = s->kind == STEP_MXV, is_vxm = s->kind == STEP_VXM, is_vector = is_mxv || is_vxm;
    s->c = torc_pick_any(d, is_vector);
    if (s->c == NO_SLOT || torc_is_large(&d->slots[s->c])) {
        return false;
    }
    GrB_Index m = is_vxm ? 1 : d->slots[s->c].nrows;
    GrB_Index n = is_mxv ? 1 : is_vxm ? d->slots[s->c].nrows : d->slots[s->c].ncols;
    GrB_Index inner = torc_chance(d, 0.7) ? d->n : d->k;
    s->transpose_a = !is_vxm && torc_chance(d, 0.25);
    s->transpose_b = !is_mxv && torc_chance(d, 0.25);
    s->a = is_vxm ? torc_pick(d, true, inner, 1) : torc_pick_input(d, false, m, inner, s->transpose_a);
    s->b = is_mxv ? torc_pick(d, true, inner, 1) : torc_pick_input(d, false, inner, n, s->transpose_b);
    s->semiring = WORD(d, semirings);
    torc_draw_modifiers(d, s, is_vector, d->slots[s->c].nrows, d->slots[s->c].ncols);
    s->has_gustavson = s->m != NO_SLOT; /* 7.4.0 may hash for ever under a mask */
    return s->a != NO_SLOT && s->b != NO_SLOT;
}

bool torc_draw_ewise(drawing *d, program_step *s)
{
    if (!torc_draw_output(d, s, s->kind != STEP_EWISE_UNION)) {
        return false;
    }
    s->transpose_a = !is_vector_slot(s->c) && torc_chance(d, 0.15);
    s->transpose_b = !is_vector_slot(s->c) && torc_chance(d, 0.15);
    s->a = torc_pick_like_c(d, s, s->transpose_a);
    s->b = torc_pick_like_c(d, s, s->transpose_b);
    s->op = WORD(d, binary);
    s->variant = torc_chance(d, 0.2);
    torc_draw_scalar(d, s);
    return s->a != NO_SLOT && s->b != NO_SLOT;
}

/* Beyond 32 bits operators of places do as each does. */
static void draw_far_thunk(drawing *d, program_step *s)
{
    static const double far[] = {0x1p31, -0x1p31 - 1, 0x1p32 - 5, 0x1p32, -0x1p33, 0x1p62, -0x1p63};
    s->scalar_type = VALUE_INT64;
    s->scalar = far[torc_below(d, sizeof far / sizeof *far)];
}

/* As the operator takes it. */
static value_type type_of_scalar(const program_step *s)
{
    return s->kind == STEP_APPLY         ? s->scalar_type
           : s->kind == STEP_APPLY_FIRST ? s->op.type
                                         : torc_user_second_type(s->op);
}

bool torc_draw_apply(drawing *d, program_step *s)
{
    if (!torc_draw_output(d, s, true)) {
        return false;
    }
    bool is_transposed = !is_vector_slot(s->c) && torc_chance(d, 0.15);
    s->transpose_a = is_transposed;
    s->transpose_b = is_transposed && s->kind == STEP_APPLY_FIRST;
    s->a = torc_pick_like_c(d, s, is_transposed);
    s->variant = torc_chance(d, 0.3);
    torc_draw_scalar(d, s);
    s->op = s->kind == STEP_APPLY         ? WORD(d, unary)
            : s->kind == STEP_APPLY_INDEX ? WORD(d, index)
            : s->kind == STEP_SELECT      ? WORD(d, select)
                                          : WORD(d, binary);
    if (type_of_scalar(s) == VALUE_UDT) {
        s->scalar_type = VALUE_UDT;
    }
    if (s->kind == STEP_SELECT && s->a != NO_SLOT && strncmp(s->op.name, "VALUE", 5) == 0) {
        s->op.type = s->scalar_type = d->slots[s->a].type;
    } else if ((s->kind == STEP_SELECT || s->kind == STEP_APPLY_INDEX) && torc_chance(d, 0.1)) {
        draw_far_thunk(d, s);
    }
    return s->a != NO_SLOT;
}

bool torc_draw_transpose(drawing *d, program_step *s)
{
    s->c = torc_pick_any(d, false);
    if (s->c == NO_SLOT) {
        return false;
    }
    torc_draw_modifiers(d, s, false, d->slots[s->c].nrows, d->slots[s->c].ncols);
    s->transpose_a = torc_chance(d, 0.3);
    s->a = torc_pick_like_c(d, s, !s->transpose_a);
    return s->a != NO_SLOT;
}

bool torc_draw_reduction(drawing *d, program_step *s)
{
    s->op = WORD(d, monoids);
    if (s->kind == STEP_REDUCE_ALL) {
        s->a = torc_pick_any(d, torc_chance(d, 0.5));
        s->accum = torc_chance(d, 0.2) ? WORD(d, accums) : s->accum;
        s->variant = torc_chance(d, 0.3);
        torc_draw_scalar(d, s);
        if (s->op.type == VALUE_UDT) {
            s->scalar_type = VALUE_UDT;
            s->variant = 1;
        }
        return s->a != NO_SLOT;
    }
    s->c = torc_pick_any(d, true);
    s->transpose_a = torc_chance(d, 0.5);
    s->variant = torc_chance(d, 0.2);
    if (s->c == NO_SLOT) {
        return false;
    }
    GrB_Index length = d->slots[s->c].nrows;
    s->a = torc_pick_input(d, false, length, torc_chance(d, 0.5) ? d->n : d->k, s->transpose_a);
    torc_draw_modifiers(d, s, true, length, 1);
    return s->a != NO_SLOT;
}
