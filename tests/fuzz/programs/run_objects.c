/* run_objects.c: steps that make, replace, reshape and set objects. */
#include "globals.h"
#include "make_object.h"
#include "operators.h"
#include "require.h"
#include "run.h"
#include <stdlib.h>

GrB_Info torc_run_new_object(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    torc_object_put(g, state, s->c, torc_object_make(g, is_vector_slot(s->c), &s->recipe), s->recipe.type);
    return GrB_SUCCESS;
}

GrB_Info torc_run_swap(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    program_object *x = &state->objects[s->a], *y = &state->objects[s->b];
    object_handle handle = x->handles[g->index];
    x->handles[g->index] = y->handles[g->index];
    y->handles[g->index] = handle;
    return GrB_SUCCESS;
}

GrB_Info torc_run_dup(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    object_handle copy;
    GrB_Info info = is_vector_slot(s->c) ? g->GrB_Vector_dup(&copy.vector, vector_in(g, state, s->a))
                                         : g->GrB_Matrix_dup(&copy.matrix, matrix_in(g, state, s->a));
    TORC_REQUIRE(info == GrB_SUCCESS);
    torc_object_put(g, state, s->c, copy, state->objects[s->a].type);
    return info;
}

GrB_Info torc_run_clear(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    return is_vector_slot(s->c) ? g->GrB_Vector_clear(vector_in(g, state, s->c))
                                : g->GrB_Matrix_clear(matrix_in(g, state, s->c));
}

/* To (i, j); with variant 1 back again. */
GrB_Info torc_run_resize(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    program_object *object = &state->objects[s->c];
    GrB_Index nrows = torc_object_nrows(object), ncols = torc_object_ncols(object);
    if (is_vector_slot(s->c)) {
        GrB_Vector v = vector_in(g, state, s->c);
        GrB_Info info = g->GrB_Vector_resize(v, s->i);
        return info == GrB_SUCCESS && s->variant == 1 ? g->GrB_Vector_resize(v, nrows) : info;
    }
    GrB_Matrix A = matrix_in(g, state, s->c);
    GrB_Info info = g->GrB_Matrix_resize(A, s->i, s->j);
    return info == GrB_SUCCESS && s->variant == 1 ? g->GrB_Matrix_resize(A, nrows, ncols) : info;
}

/* To (i, j), by columns in variant 1. */
GrB_Info torc_run_reshape(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    return g->GxB_Matrix_reshape(matrix_in(g, state, s->c), s->variant == 1, s->i, s->j, NULL);
}

/* Variants: sparsity control i, orientation i, bitmap switch, hyper switch. */
GrB_Info torc_run_set_option(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    static const GxB_Option_Field fields[] = {
        GxB_SPARSITY_CONTROL, GxB_FORMAT, GxB_BITMAP_SWITCH, GxB_HYPER_SWITCH};
    GxB_Option_Field field = fields[s->variant];
    GrB_Matrix A = matrix_in(g, state, s->c);
    GrB_Vector v = vector_in(g, state, s->c);
    if (field == GxB_SPARSITY_CONTROL || field == GxB_FORMAT) {
        return is_vector_slot(s->c) ? g->GxB_Vector_Option_set(v, field, (int)s->i)
                                    : g->GxB_Matrix_Option_set(A, field, (int)s->i);
    }
    return is_vector_slot(s->c) ? g->GxB_Vector_Option_set(v, field, s->scalar)
                                : g->GxB_Matrix_Option_set(A, field, s->scalar);
}

/* Through a blob, into the slot c. */
GrB_Info torc_run_serialize(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    void *blob = NULL;
    GrB_Index size = 0;
    object_handle copy;
    bool is_vector = is_vector_slot(s->a);
    GrB_Info info = is_vector ? g->GxB_Vector_serialize(&blob, &size, vector_in(g, state, s->a), NULL)
                              : g->GxB_Matrix_serialize(&blob, &size, matrix_in(g, state, s->a), NULL);
    TORC_REQUIRE(info == GrB_SUCCESS);
    GrB_Type type = torc_value_handle(state->objects[s->a].type);
    info = is_vector ? g->GxB_Vector_deserialize(&copy.vector, type, blob, size, NULL)
                     : g->GxB_Matrix_deserialize(&copy.matrix, type, blob, size, NULL);
    free(blob);
    if (info == GrB_SUCCESS) {
        torc_object_put(g, state, s->c, copy, state->objects[s->a].type);
    }
    return info;
}

/* Diagonal number `scalar`: of a matrix into a vector, or of a vector into a new matrix; in variant 1 into
 * one that is there. */
GrB_Info torc_run_diagonal(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    object_handle made;
    int64_t number = (int64_t)s->scalar;
    if (is_vector_slot(s->c)) {
        return g->GxB_Vector_diag(vector_in(g, state, s->c), matrix_in(g, state, s->a), number, NULL);
    }
    if (s->variant == 1) {
        return g->GxB_Matrix_diag(matrix_in(g, state, s->c), vector_in(g, state, s->a), number, NULL);
    }
    GrB_Info info = g->GrB_Matrix_diag(&made.matrix, vector_in(g, state, s->a), number);
    TORC_REQUIRE(info == GrB_SUCCESS);
    torc_object_put(g, state, s->c, made, state->objects[s->a].type);
    return info;
}

/* Into a new matrix of i x j. */
static GrB_Info put_made(const side *g, program_state *state, const program_step *s, GrB_Info info,
    object_handle made, value_type type)
{
    if (info == GrB_SUCCESS) {
        torc_object_put(g, state, s->c, made, type);
    } else {
        TORC_REQUIRE(g->GrB_Matrix_free(&made.matrix) == GrB_SUCCESS);
    }
    return info;
}

static object_handle make_empty(const side *g, value_type type, GrB_Index nrows, GrB_Index ncols)
{
    object_handle made;
    TORC_REQUIRE(g->GrB_Matrix_new(&made.matrix, torc_value_handle(type), nrows, ncols) == GrB_SUCCESS);
    return made;
}

GrB_Info torc_run_kronecker(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    object_handle made = make_empty(g, s->scalar_type, s->i, s->j);
    GrB_Info info = g->GrB_Matrix_kronecker_BinaryOp(made.matrix, NULL, NULL, torc_binary_handle(s->op),
        matrix_in(g, state, s->a), matrix_in(g, state, s->b), torc_descriptor_handle(s));
    return put_made(g, state, s, info, made, s->scalar_type);
}

/* Below each other, or in variant 1 side by side. */
GrB_Info torc_run_concat(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    value_type type = state->objects[s->a].type;
    object_handle made = make_empty(g, type, s->i, s->j);
    const GrB_Matrix tiles[] = {matrix_in(g, state, s->a), matrix_in(g, state, s->b)};
    GrB_Info info =
        g->GxB_Matrix_concat(made.matrix, tiles, s->variant == 1 ? 1 : 2, s->variant == 1 ? 2 : 1, NULL);
    return put_made(g, state, s, info, made, type);
}

/* The first rows, or in variant 1 the last columns. */
GrB_Info torc_run_split(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    const program_object *A = &state->objects[s->a];
    GrB_Index nrows = torc_object_nrows(A), ncols = torc_object_ncols(A);
    if (s->i > nrows || s->j > ncols) { /* other steps may have been left out */
        return GrB_DIMENSION_MISMATCH;
    }
    const GrB_Index heights[] = {s->i, nrows - s->i}, widths[] = {ncols - s->j, s->j};
    int last = s->variant == 1;
    object_handle tiles[2];
    GrB_Info info = g->GxB_Matrix_split(&tiles[0].matrix, last ? 1 : 2, last ? 2 : 1, last ? &nrows : heights,
        last ? widths : &ncols, matrix_in(g, state, s->a), NULL);
    TORC_REQUIRE(info == GrB_SUCCESS);
    TORC_REQUIRE(g->GrB_Matrix_free(&tiles[!last].matrix) == GrB_SUCCESS);
    torc_object_put(g, state, s->c, tiles[last], A->type);
    return info;
}

/* What new objects are like. Both sides have one set of global options. */
GrB_Info torc_run_set_global(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)g;
    (void)state;
    (void)answer;
    switch (s->variant) {
    case 0:
        return GxB_Global_Option_set(GxB_FORMAT, s->i == 0 ? GxB_BY_ROW : GxB_BY_COL);
    case 1:
        return GxB_Global_Option_set(GxB_HYPER_SWITCH, s->scalar);
    default:
        return torc_globals_set_bitmap_switch(s->scalar);
    }
}
