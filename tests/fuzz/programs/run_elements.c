/* run_elements.c: single elements, and questions. */
#include "contents.h"
#include "require.h"
#include "run.h"
#include <stdlib.h>

/* Variant 1: of a GrB_Scalar. */
GrB_Info torc_run_set_element(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    bool is_vector = is_vector_slot(s->c);
    GrB_Matrix A = matrix_in(g, state, s->c);
    GrB_Vector v = vector_in(g, state, s->c);
    value_path path = step_path(s);
    if (s->variant == 1) {
        GrB_Scalar x = torc_new_scalar(g, s, 0);
        GrB_Info info = is_vector ? g->GrB_Vector_setElement_Scalar(v, x, s->i)
                                  : g->GrB_Matrix_setElement_Scalar(A, x, s->i, s->j);
        g->GrB_Scalar_free(&x);
        return info;
    }
    switch (s->scalar_type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        return is_vector ? g->GrB_Vector_setElement_##name(v, (ctype)step_scalar(s), s->i)                   \
                         : g->GrB_Matrix_setElement_##name(A, (ctype)step_scalar(s), s->i, s->j);
        VALUE_TYPE_MAP(X)
#undef X
    default:
        return is_vector ? g->GrB_Vector_setElement_UDT(v, &path, s->i)
                         : g->GrB_Matrix_setElement_UDT(A, &path, s->i, s->j);
    }
}

static GrB_Info get_value(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    switch (s->scalar_type) {
#define X(name, handle, ctype)                                                                               \
    case VALUE_##name:                                                                                       \
        return is_vector_slot(s->a) ? g->GrB_Vector_extractElement_##name(                                   \
                                          (ctype *)(void *)answer->value, vector_in(g, state, s->a), s->i)   \
                                    : g->GrB_Matrix_extractElement_##name((ctype *)(void *)answer->value,    \
                                          matrix_in(g, state, s->a), s->i, s->j);
        ANY_TYPE_MAP(X)
#undef X
    default:
        return GrB_PANIC;
    }
}

GrB_Info torc_run_remove_element(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    return g->GrB_Vector_removeElement(vector_in(g, state, s->c), s->i);
}

/* Variant 1: into a GrB_Scalar; 2: is there one? */
GrB_Info torc_run_get_element(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    bool is_vector = is_vector_slot(s->a);
    if (s->variant == 2) {
        return is_vector ? g->GxB_Vector_isStoredElement(vector_in(g, state, s->a), s->i)
                         : g->GxB_Matrix_isStoredElement(matrix_in(g, state, s->a), s->i, s->j);
    }
    if (s->variant == 1) {
        GrB_Scalar x = torc_new_scalar(g, s, 0);
        GrB_Info info = is_vector
                            ? g->GrB_Vector_extractElement_Scalar(x, vector_in(g, state, s->a), s->i)
                            : g->GrB_Matrix_extractElement_Scalar(x, matrix_in(g, state, s->a), s->i, s->j);
        torc_take_scalar(g, x, s->scalar_type, answer);
        g->GrB_Scalar_free(&x);
        return info;
    }
    GrB_Info info = get_value(g, state, s, answer);
    answer->has_value = info == GrB_SUCCESS;
    answer->type = s->scalar_type;
    return info;
}

GrB_Info torc_run_nvals(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    return is_vector_slot(s->a) ? g->GrB_Vector_nvals(&answer->count, vector_in(g, state, s->a))
                                : g->GrB_Matrix_nvals(&answer->count, matrix_in(g, state, s->a));
}

GrB_Info torc_run_wait(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    GrB_WaitMode mode = s->variant == 1 ? GrB_COMPLETE : GrB_MATERIALIZE;
    return is_vector_slot(s->a) ? g->GrB_Vector_wait(vector_in(g, state, s->a), mode)
                                : g->GrB_Matrix_wait(matrix_in(g, state, s->a), mode);
}

/* The text is of the format too, and so not compared. */
GrB_Info torc_run_print_object(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    static const GxB_Print_Level levels[] = {GxB_SILENT, GxB_SUMMARY, GxB_SHORT};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    TORC_REQUIRE(stream);
    GrB_Info info = is_vector_slot(s->a)
                        ? g->GxB_Vector_fprint(vector_in(g, state, s->a), "v", levels[s->variant], stream)
                        : g->GxB_Matrix_fprint(matrix_in(g, state, s->a), "A", levels[s->variant], stream);
    TORC_REQUIRE(fclose(stream) == 0);
    free(text);
    return info;
}
