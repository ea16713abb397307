/* run_elementwise.c: operations that look at one place at a time. */
#include "operators.h"
#include "run.h"

/* What all of these begin with. */
typedef struct output {
    GrB_Matrix C, M;
    GrB_Vector w, m;
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
    bool is_vector;
} output;

static output output_of(const side *g, const program_state *state, const program_step *s)
{
    output out = {.accum = torc_binary_handle(s->accum),
        .desc = torc_descriptor_handle(s),
        .is_vector = is_vector_slot(s->c)};
    if (out.is_vector) {
        out.w = vector_in(g, state, s->c);
        out.m = vector_in(g, state, s->m);
    } else {
        out.C = matrix_in(g, state, s->c);
        out.M = matrix_in(g, state, s->m);
    }
    return out;
}

/* 7.4.0 applies an operator to entries that are not sorted yet, and may sort their places without the
 * results. */
static output output_of_apply(const side *g, const program_state *state, const program_step *s)
{
    torc_object_wait(&state->objects[s->a], g->index);
    return output_of(g, state, s);
}

/* Variant 1 names a monoid, where there is one. */
GrB_Info torc_run_ewise_add(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of(g, state, s);
    GrB_Monoid monoid = s->variant == 1 ? torc_monoid_handle(s->op.name, s->op.type) : NULL;
    GrB_BinaryOp op = torc_binary_handle(s->op);
    if (o.is_vector) {
        GrB_Vector u = vector_in(g, state, s->a), v = vector_in(g, state, s->b);
        return monoid ? g->GrB_Vector_eWiseAdd_Monoid(o.w, o.m, o.accum, monoid, u, v, o.desc)
                      : g->GrB_Vector_eWiseAdd_BinaryOp(o.w, o.m, o.accum, op, u, v, o.desc);
    }
    GrB_Matrix A = matrix_in(g, state, s->a), B = matrix_in(g, state, s->b);
    return monoid ? g->GrB_Matrix_eWiseAdd_Monoid(o.C, o.M, o.accum, monoid, A, B, o.desc)
                  : g->GrB_Matrix_eWiseAdd_BinaryOp(o.C, o.M, o.accum, op, A, B, o.desc);
}

GrB_Info torc_run_ewise_mult(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of(g, state, s);
    GrB_Monoid monoid = s->variant == 1 ? torc_monoid_handle(s->op.name, s->op.type) : NULL;
    GrB_BinaryOp op = torc_binary_handle(s->op);
    if (o.is_vector) {
        GrB_Vector u = vector_in(g, state, s->a), v = vector_in(g, state, s->b);
        return monoid ? g->GrB_Vector_eWiseMult_Monoid(o.w, o.m, o.accum, monoid, u, v, o.desc)
                      : g->GrB_Vector_eWiseMult_BinaryOp(o.w, o.m, o.accum, op, u, v, o.desc);
    }
    GrB_Matrix A = matrix_in(g, state, s->a), B = matrix_in(g, state, s->b);
    return monoid ? g->GrB_Matrix_eWiseMult_Monoid(o.C, o.M, o.accum, monoid, A, B, o.desc)
                  : g->GrB_Matrix_eWiseMult_BinaryOp(o.C, o.M, o.accum, op, A, B, o.desc);
}

GrB_Info torc_run_ewise_union(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of(g, state, s);
    GrB_BinaryOp op = torc_binary_handle(s->op);
    GrB_Scalar alpha = torc_new_scalar(g, s, 0);
    GrB_Scalar beta = torc_new_scalar(g, s, 1);
    GrB_Info info = o.is_vector ? g->GxB_Vector_eWiseUnion(o.w, o.m, o.accum, op, vector_in(g, state, s->a),
                                      alpha, vector_in(g, state, s->b), beta, o.desc)
                                : g->GxB_Matrix_eWiseUnion(o.C, o.M, o.accum, op, matrix_in(g, state, s->a),
                                      alpha, matrix_in(g, state, s->b), beta, o.desc);
    g->GrB_Scalar_free(&alpha);
    g->GrB_Scalar_free(&beta);
    return info;
}

GrB_Info torc_run_apply(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of_apply(g, state, s);
    GrB_UnaryOp op = torc_unary_handle(s->op);
    return o.is_vector ? g->GrB_Vector_apply(o.w, o.m, o.accum, op, vector_in(g, state, s->a), o.desc)
                       : g->GrB_Matrix_apply(o.C, o.M, o.accum, op, matrix_in(g, state, s->a), o.desc);
}

/* Four operations with a scalar beside A, each for vectors and matrices, the scalar a value or, in variant 1,
 * an object. */
#define WITH_VALUE(operation)                                                                                \
    value_path path = step_path(s);                                                                          \
    switch (s->scalar_type) {                                                                                \
        VALUE_TYPE_MAP(operation##_CASE)                                                                     \
        operation##_VALUE(UDT, &path);                                                                       \
    default:                                                                                                 \
        return GrB_PANIC;                                                                                    \
    }

#define FIRST_VALUE(name, value)                                                                             \
    case VALUE_##name:                                                                                       \
        return o.is_vector ? g->GrB_Vector_apply_BinaryOp1st_##name(                                         \
                                 o.w, o.m, o.accum, op, value, vector_in(g, state, s->a), o.desc)            \
                           : g->GrB_Matrix_apply_BinaryOp1st_##name(                                         \
                                 o.C, o.M, o.accum, op, value, matrix_in(g, state, s->a), o.desc)

#define SECOND_VALUE(form, name, value)                                                                      \
    case VALUE_##name:                                                                                       \
        return o.is_vector ? g->GrB_Vector_##form##_##name(                                                  \
                                 o.w, o.m, o.accum, op, vector_in(g, state, s->a), value, o.desc)            \
                           : g->GrB_Matrix_##form##_##name(                                                  \
                                 o.C, o.M, o.accum, op, matrix_in(g, state, s->a), value, o.desc)
#define BIND_VALUE(name, value) SECOND_VALUE(apply_BinaryOp2nd, name, value)
#define INDEX_VALUE(name, value) SECOND_VALUE(apply_IndexOp, name, value)
#define SELECT_VALUE(name, value) SECOND_VALUE(select, name, value)
#define FIRST_CASE(name, handle, ctype) FIRST_VALUE(name, (ctype)step_scalar(s));
#define BIND_CASE(name, handle, ctype) BIND_VALUE(name, (ctype)step_scalar(s));
#define INDEX_CASE(name, handle, ctype) INDEX_VALUE(name, (ctype)step_scalar(s));
#define SELECT_CASE(name, handle, ctype) SELECT_VALUE(name, (ctype)step_scalar(s));

GrB_Info torc_run_apply_first(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of_apply(g, state, s);
    GrB_BinaryOp op = torc_binary_handle(s->op);
    if (s->variant == 1) {
        GrB_Scalar x = torc_new_scalar(g, s, 0);
        GrB_Info info = o.is_vector ? g->GrB_Vector_apply_BinaryOp1st_Scalar(
                                          o.w, o.m, o.accum, op, x, vector_in(g, state, s->a), o.desc)
                                    : g->GrB_Matrix_apply_BinaryOp1st_Scalar(
                                          o.C, o.M, o.accum, op, x, matrix_in(g, state, s->a), o.desc);
        g->GrB_Scalar_free(&x);
        return info;
    }
    WITH_VALUE(FIRST)
}

GrB_Info torc_run_apply_second(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of_apply(g, state, s);
    GrB_BinaryOp op = torc_binary_handle(s->op);
    if (s->variant == 1) {
        GrB_Scalar y = torc_new_scalar(g, s, 0);
        GrB_Info info = o.is_vector ? g->GrB_Vector_apply_BinaryOp2nd_Scalar(
                                          o.w, o.m, o.accum, op, vector_in(g, state, s->a), y, o.desc)
                                    : g->GrB_Matrix_apply_BinaryOp2nd_Scalar(
                                          o.C, o.M, o.accum, op, matrix_in(g, state, s->a), y, o.desc);
        g->GrB_Scalar_free(&y);
        return info;
    }
    WITH_VALUE(BIND)
}

GrB_Info torc_run_apply_index(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of_apply(g, state, s);
    GrB_IndexUnaryOp op = torc_index_handle(s->op);
    if (s->variant == 1) {
        GrB_Scalar y = torc_new_scalar(g, s, 0);
        GrB_Info info = o.is_vector ? g->GrB_Vector_apply_IndexOp_Scalar(
                                          o.w, o.m, o.accum, op, vector_in(g, state, s->a), y, o.desc)
                                    : g->GrB_Matrix_apply_IndexOp_Scalar(
                                          o.C, o.M, o.accum, op, matrix_in(g, state, s->a), y, o.desc);
        g->GrB_Scalar_free(&y);
        return info;
    }
    WITH_VALUE(INDEX)
}

GrB_Info torc_run_select(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of(g, state, s);
    GrB_IndexUnaryOp op = torc_index_handle(s->op);
    if (s->variant == 1) {
        GrB_Scalar y = torc_new_scalar(g, s, 0);
        GrB_Info info =
            o.is_vector
                ? g->GrB_Vector_select_Scalar(o.w, o.m, o.accum, op, vector_in(g, state, s->a), y, o.desc)
                : g->GrB_Matrix_select_Scalar(o.C, o.M, o.accum, op, matrix_in(g, state, s->a), y, o.desc);
        g->GrB_Scalar_free(&y);
        return info;
    }
    WITH_VALUE(SELECT)
}

GrB_Info torc_run_transpose(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    output o = output_of(g, state, s);
    return g->GrB_transpose(o.C, o.M, o.accum, matrix_in(g, state, s->a), o.desc);
}
