/* draw_later.c: operands of steps that 7.4 lacks. */
#include "pick.h"
#include "sides.h"

bool torc_has_step(step_kind kind)
{
    const side *g = &torc_sides()[MODEL];
    switch (kind) {
    case STEP_SET_INTEGER:
    case STEP_EXPLAIN:
        return g->GrB_Matrix_set_INT32;
    case STEP_TUPLE_VECTORS:
    case STEP_CONTAIN:
    case STEP_RELOAD:
        return g->GxB_Container_new;
    default:
        return true;
    }
}

/* What is large stays sparse. */
static GrB_Index draw_control(drawing *d, const slot_shape *c)
{
    static const GrB_Index controls[] = {1, 2, 2, 3, 4, 6, 8, 10, 12, 14, 15};
    return controls[torc_below(d, sizeof controls / sizeof *controls)] | (torc_is_large(c) ? GxB_SPARSE : 0);
}

static void draw_integer(drawing *d, program_step *s)
{
    static const GrB_Index fields[] = {GxB_SPARSITY_CONTROL, GxB_SPARSITY_CONTROL, GxB_SPARSITY_CONTROL,
        GxB_SPARSITY_CONTROL, LATER_ORIENTATION, LATER_HYPER_HASH, LATER_ROWINDEX_HINT, LATER_COLINDEX_HINT,
        LATER_OFFSET_HINT};
    s->j = fields[torc_below(d, sizeof fields / sizeof *fields)];
    s->i = s->j == GxB_SPARSITY_CONTROL                            ? draw_control(d, &d->slots[s->c])
           : s->j == LATER_ORIENTATION || s->j == LATER_HYPER_HASH ? torc_below(d, 2)
                                                                   : 32 * torc_below(d, 3);
    s->variant = torc_chance(d, 0.3);
}

bool torc_draw_later(drawing *d, program_step *s)
{
    s->c = torc_pick_last(d);
    if (s->c == NO_SLOT) {
        return false;
    }
    bool is_vector = is_vector_slot(s->c);
    switch (s->kind) {
    case STEP_SET_INTEGER:
        draw_integer(d, s);
        return true;
    case STEP_EXPLAIN:
        s->a = torc_pick_any(d, is_vector);
        s->i = draw_control(d, &d->slots[s->c]);
        s->variant = (int)torc_below(d, 4);
        return true;
    case STEP_TUPLE_VECTORS:
        s->a = torc_pick_any(d, torc_chance(d, 0.5));
        s->b = torc_pick_any(d, true);
        s->variant = torc_chance(d, 0.5);
        return is_vector && s->a != NO_SLOT && s->b != NO_SLOT && s->a != s->b && s->a != s->c &&
               s->b != s->c;
    case STEP_CONTAIN:
        s->a = torc_pick_any(d, is_vector);
        s->variant = torc_chance(d, 0.5);
        return true;
    default:
        return is_vector;
    }
}

/* C = -A: it is on the device. */
static void add_result(drawing *d, int slot, int operand)
{
    program_step s = torc_blank_step(STEP_APPLY);
    s.c = slot;
    s.a = operand;
    s.op = (program_operator){"AINV", VALUE_FP64};
    torc_drawing_add(d, &s);
}

static void add_control(drawing *d, int slot)
{
    program_step s = torc_blank_step(STEP_SET_INTEGER);
    s.c = slot;
    s.j = GxB_SPARSITY_CONTROL;
    s.i = draw_control(d, &d->slots[slot]);
    torc_drawing_add(d, &s);
}

void torc_draw_waiting_controls(drawing *d)
{
    static const step_kind uses[] = {STEP_DUP, STEP_DUP, STEP_SERIALIZE, STEP_EXPLAIN, STEP_SET_INTEGER,
        STEP_SET_OPTION, STEP_TUPLE_VECTORS, STEP_TUPLE_VECTORS, STEP_TUPLE_VECTORS, STEP_CONTAIN,
        STEP_RELOAD};
    const int matrix = MATRICES - 2, vector = SLOTS - 2; /* operands, and after each of them a result */
    for (int i = 0; i < 2; i++) {
        torc_drawing_new(d, matrix + i, VALUE_FP64, 700, 200, GxB_FULL);
        torc_drawing_new(d, vector + i, VALUE_FP64, 140000, 1, GxB_FULL);
    }
    for (int i = 0; i < 8; i++) {
        int operand = torc_chance(d, 0.5) ? matrix : vector;
        add_result(d, operand + 1, operand);
        if (torc_chance(d, 0.7)) {
            add_control(d, operand + 1);
        }
        step_kind use = uses[torc_below(d, sizeof uses / sizeof *uses)];
        if (torc_has_step(use)) {
            torc_draw_step_of(d, use);
        }
    }
}
