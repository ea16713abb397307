/* loop_steps.c: see loop_steps.h. */
#include "loop_steps.h"

int torc_vector_slot(int number)
{
    return MATRICES + number;
}

program_operator torc_op_of(const char *name, value_type type)
{
    return (program_operator){name, type};
}

program_semiring torc_semiring_of(const char *add, const char *multiply, value_type type)
{
    return (program_semiring){add, {multiply, type}, true};
}

/* Flags as in GrB_DESC_*: R, S, C, and 0 and 1 for transposed operands. */
static void set_descriptor(program_step *s, const char *flags)
{
    for (; *flags; flags++) {
        s->replace |= *flags == 'R';
        s->structure |= *flags == 'S';
        s->complement |= *flags == 'C';
        s->transpose_a |= *flags == '0';
        s->transpose_b |= *flags == '1';
    }
}

/* c<m> accum= kind (a, b); the caller names what remains. */
program_step torc_step_of(step_kind kind, int c, int m, int a, int b, const char *flags)
{
    program_step s = torc_blank_step(kind);
    s.c = c;
    s.m = m;
    s.a = a;
    s.b = b;
    set_descriptor(&s, flags);
    return s;
}

void torc_add_product(drawing *d, step_kind kind, int c, int m, const char *accum, program_semiring semiring,
    int a, int b, const char *flags)
{
    program_step s = torc_step_of(kind, c, m, a, b, flags);
    s.semiring = semiring;
    s.accum = torc_op_of(accum, semiring.multiply.type);
    s.has_gustavson = m != NO_SLOT;
    torc_drawing_add(d, &s);
}

void torc_add_ewise(drawing *d, step_kind kind, int c, int m, program_operator accum, program_operator op,
    int a, int b, const char *flags)
{
    program_step s = torc_step_of(kind, c, m, a, b, flags);
    s.op = op;
    s.accum = accum;
    torc_drawing_add(d, &s);
}

static index_choice all_of(GrB_Index count)
{
    return (index_choice){.kind = LIST_ALL, .count = count, .bound = count, .stride = 1};
}

void torc_add_assign_scalar(
    drawing *d, int c, int m, program_operator accum, value_type type, double value, const char *flags)
{
    program_step s = torc_step_of(STEP_ASSIGN_SCALAR, c, m, NO_SLOT, NO_SLOT, flags);
    s.accum = accum;
    s.scalar_type = type;
    s.scalar = value;
    s.rows = all_of(d->slots[c].nrows);
    s.cols = all_of(d->slots[c].ncols);
    torc_drawing_add(d, &s);
}

void torc_add_assign(drawing *d, int c, int m, program_operator accum, int a, const char *flags)
{
    program_step s = torc_step_of(STEP_ASSIGN, c, m, a, NO_SLOT, flags);
    s.accum = accum;
    s.rows = all_of(d->slots[c].nrows);
    s.cols = all_of(d->slots[c].ncols);
    torc_drawing_add(d, &s);
}

void torc_add_reduce(drawing *d, int a, const char *monoid, value_type type)
{
    program_step s = torc_step_of(STEP_REDUCE_ALL, NO_SLOT, NO_SLOT, a, NO_SLOT, "");
    s.op = torc_op_of(monoid, type);
    s.scalar_type = type;
    torc_drawing_add(d, &s);
}

void torc_add_look(drawing *d, step_kind kind, int a)
{
    program_step s = torc_step_of(kind, NO_SLOT, NO_SLOT, a, NO_SLOT, "");
    torc_drawing_add(d, &s);
}

void torc_add_swap(drawing *d, int a, int b)
{
    program_step s = torc_step_of(STEP_SWAP, NO_SLOT, NO_SLOT, a, b, "");
    torc_drawing_add(d, &s);
}

void torc_add_element(drawing *d, int c, value_type type, double value, GrB_Index i, GrB_Index j)
{
    program_step s = torc_step_of(STEP_SET_ELEMENT, c, NO_SLOT, NO_SLOT, NO_SLOT, "");
    s.scalar_type = type;
    s.scalar = value;
    s.i = i;
    s.j = j;
    torc_drawing_add(d, &s);
}

void torc_add_control(drawing *d, int c, int control)
{
    program_step s = torc_step_of(STEP_SET_OPTION, c, NO_SLOT, NO_SLOT, NO_SLOT, "");
    s.i = (GrB_Index)control;
    torc_drawing_add(d, &s);
}
