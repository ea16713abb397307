/* run_products.c: products, and reductions. */
#include "operators.h"
#include "run.h"
#include "user_operators.h"

/* 7.4.0 takes the first product where positions are compared, and so another one where an operand is
 * unsorted inside. */
static void sort_operands(const side *g, const program_state *state, const program_step *s)
{
    if (torc_is_positional(s->semiring.multiply)) {
        torc_object_wait(&state->objects[s->a], g->index);
        torc_object_wait(&state->objects[s->b], g->index);
    }
}

GrB_Info torc_run_mxm(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    sort_operands(g, state, s);
    return g->GrB_mxm(matrix_in(g, state, s->c), matrix_in(g, state, s->m), torc_binary_handle(s->accum),
        torc_semiring_handle(&s->semiring), matrix_in(g, state, s->a), matrix_in(g, state, s->b),
        torc_descriptor_handle(s));
}

GrB_Info torc_run_mxv(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    sort_operands(g, state, s);
    return g->GrB_mxv(vector_in(g, state, s->c), vector_in(g, state, s->m), torc_binary_handle(s->accum),
        torc_semiring_handle(&s->semiring), matrix_in(g, state, s->a), vector_in(g, state, s->b),
        torc_descriptor_handle(s));
}

GrB_Info torc_run_vxm(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    sort_operands(g, state, s);
    return g->GrB_vxm(vector_in(g, state, s->c), vector_in(g, state, s->m), torc_binary_handle(s->accum),
        torc_semiring_handle(&s->semiring), vector_in(g, state, s->a), matrix_in(g, state, s->b),
        torc_descriptor_handle(s));
}

/* Variant 1 names the monoid's operator instead of the monoid. */
GrB_Info torc_run_reduce_lines(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    GrB_Vector w = vector_in(g, state, s->c), mask = vector_in(g, state, s->m);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Matrix A = matrix_in(g, state, s->a);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    program_operator op = {torc_user_operator_of_monoid(s->op.name), s->op.type};
    return s->variant == 1 ? g->GrB_Matrix_reduce_BinaryOp(w, mask, accum, torc_binary_handle(op), A, desc)
                           : g->GrB_Matrix_reduce_Monoid(
                                 w, mask, accum, torc_monoid_handle(s->op.name, s->op.type), A, desc);
}

static GrB_Info reduce_to_value(
    const side *g, program_state *state, const program_step *s, GrB_Monoid monoid, step_answer *answer)
{
    bool is_vector = is_vector_slot(s->a);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    answer->has_value = true;
    answer->type = s->scalar_type;
    switch (s->scalar_type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        *(ctype *)(void *)answer->value = (ctype)step_scalar(s);                                             \
        return is_vector ? g->GrB_Vector_reduce_##name((ctype *)(void *)answer->value, accum, monoid,        \
                               vector_in(g, state, s->a), NULL)                                              \
                         : g->GrB_Matrix_reduce_##name((ctype *)(void *)answer->value, accum, monoid,        \
                               matrix_in(g, state, s->a), NULL);
        VALUE_TYPE_MAP(X)
#undef X
    default:
        return GrB_PANIC;
    }
}

static GrB_Info reduce_to_scalar(
    const side *g, program_state *state, const program_step *s, GrB_Monoid monoid, step_answer *answer)
{
    GrB_Scalar scalar = torc_new_scalar(g, s, 0);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Info info =
        is_vector_slot(s->a)
            ? g->GrB_Vector_reduce_Monoid_Scalar(scalar, accum, monoid, vector_in(g, state, s->a), NULL)
            : g->GrB_Matrix_reduce_Monoid_Scalar(scalar, accum, monoid, matrix_in(g, state, s->a), NULL);
    torc_take_scalar(g, scalar, s->scalar_type, answer);
    g->GrB_Scalar_free(&scalar);
    return info;
}

/* Variant 1: into a GrB_Scalar. */
GrB_Info torc_run_reduce_all(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    GrB_Monoid monoid = torc_monoid_handle(s->op.name, s->op.type);
    return s->variant == 1 ? reduce_to_scalar(g, state, s, monoid, answer)
                           : reduce_to_value(g, state, s, monoid, answer);
}
