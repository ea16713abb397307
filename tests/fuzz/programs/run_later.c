/* run_later.c: calls that 7.4 lacks. */
#include "operators.h"
#include "require.h"
#include "run.h"
#include <string.h>

enum { TEXT = 512 };

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

/* An object may have got another type. */
static void note_type(const side *g, program_object *object, GrB_Vector v)
{
    GrB_Type type;
    require(g->GxB_Vector_type(&type, v));
    for (int t = 0; t <= VALUE_UDT && g->index == MODEL; t++) {
        if (torc_value_handle((value_type)t) == type) {
            object->type = (value_type)t;
        }
    }
}

static GrB_Info set_integer(const side *g, object_handle handle, bool is_vector, int field, int32_t value)
{
    return is_vector ? g->GrB_Vector_set_INT32(handle.vector, value, field)
                     : g->GrB_Matrix_set_INT32(handle.matrix, value, field);
}

static GrB_Info get_integer(const side *g, object_handle handle, bool is_vector, int field, int32_t *value)
{
    return is_vector ? g->GrB_Vector_get_INT32(handle.vector, value, field)
                     : g->GrB_Matrix_get_INT32(handle.matrix, value, field);
}

/* Option j is set to i; variant 1: and read. */
GrB_Info torc_run_set_integer(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    object_handle handle = state->objects[s->c].handles[g->index];
    GrB_Info info = set_integer(g, handle, is_vector_slot(s->c), (int)s->j, (int32_t)s->i);
    if (info == GrB_SUCCESS && s->variant == 1) {
        int32_t value = -1;
        info = get_integer(g, handle, is_vector_slot(s->c), (int)s->j, &value);
        answer->count = (GrB_Index)value;
    }
    return info;
}

/* Where nothing is pending: a call that fails where A has another shape than C; then C's control is set to i,
 * by its old function in variants 2 and 3, and read in variants 1 and 3. The answer is what is left of the
 * text of the error, which a conversion takes away; formats are not promised. */
GrB_Info torc_run_explain(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    static char expected[TEXT];
    static int expected_format;
    bool is_vector = is_vector_slot(s->c);
    object_handle c = state->objects[s->c].handles[g->index], a = state->objects[s->a].handles[g->index];
    GrB_UnaryOp op = torc_unary_handle((program_operator){"IDENTITY", state->objects[s->c].type});
    const char *text = NULL;
    int32_t control;
    torc_object_wait(&state->objects[s->c], g->index);
    int format = torc_object_option(&state->objects[s->c], g->index, GxB_SPARSITY_STATUS);
    if (is_vector) {
        (void)g->GrB_Vector_apply(c.vector, NULL, NULL, op, a.vector, NULL);
    } else {
        (void)g->GrB_Matrix_apply(c.matrix, NULL, NULL, op, a.matrix, NULL);
    }
    GrB_Info info = s->variant < 2 ? set_integer(g, c, is_vector, GxB_SPARSITY_CONTROL, (int32_t)s->i)
                    : is_vector    ? g->GxB_Vector_Option_set(c.vector, GxB_SPARSITY_CONTROL, (int)s->i)
                                   : g->GxB_Matrix_Option_set(c.matrix, GxB_SPARSITY_CONTROL, (int)s->i);
    if (s->variant & 1) {
        require(get_integer(g, c, is_vector, GxB_SPARSITY_CONTROL, &control));
    }
    require(is_vector ? g->GrB_Vector_error(&text, c.vector) : g->GrB_Matrix_error(&text, c.matrix));
    text = text ? text : "";
    if (g->index == MODEL) {
        snprintf(expected, sizeof expected, "%s", text);
        expected_format = format;
    } else if (format == expected_format && strncmp(expected, text, sizeof expected - 1) != 0) {
        answer->difference = "the text of an error is another";
    }
    torc_object_wait(&state->objects[s->c], g->index);
    return info;
}

/* Values of A go to C, places to B: rows, or in variant 1 columns. Both then have their old sizes. The answer
 * is their controls, which have grown. */
GrB_Info torc_run_tuple_vectors(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    program_object *c = &state->objects[s->c], *b = &state->objects[s->b];
    GrB_Index values_size = torc_object_nrows(c), places_size = torc_object_nrows(b);
    GrB_Vector values = vector_in(g, state, s->c), places = vector_in(g, state, s->b);
    GrB_Info info = is_vector_slot(s->a)
                        ? g->GxB_Vector_extractTuples_Vector(places, values, vector_in(g, state, s->a), NULL)
                        : g->GxB_Matrix_extractTuples_Vector(s->variant == 1 ? NULL : places,
                              s->variant == 1 ? places : NULL, values, matrix_in(g, state, s->a), NULL);
    note_type(g, c, values);
    note_type(g, b, places);
    require(g->GrB_Vector_resize(values, values_size));
    require(g->GrB_Vector_resize(places, places_size));
    answer->count = 100 * (GrB_Index)torc_object_option(c, g->index, GxB_SPARSITY_CONTROL) +
                    (GrB_Index)torc_object_option(b, g->index, GxB_SPARSITY_CONTROL);
    return info;
}

/* C gets the content of a copy of A through a container; in variant 1 changed meanwhile. */
GrB_Info torc_run_contain(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    value_type type = state->objects[s->a].type;
    bool is_vector = is_vector_slot(s->c);
    object_handle copy, c = state->objects[s->c].handles[g->index];
    later_container *container;
    require(g->GxB_Container_new(&container));
    require(is_vector ? g->GrB_Vector_dup(&copy.vector, vector_in(g, state, s->a))
                      : g->GrB_Matrix_dup(&copy.matrix, matrix_in(g, state, s->a)));
    require(is_vector ? g->GxB_unload_Vector_into_Container(copy.vector, container, NULL)
                      : g->GxB_unload_Matrix_into_Container(copy.matrix, container, NULL));
    require(is_vector ? g->GrB_Vector_free(&copy.vector) : g->GrB_Matrix_free(&copy.matrix));
    GrB_UnaryOp op = torc_unary_handle((program_operator){"AINV", type});
    if (op && s->variant == 1) {
        require(g->GrB_Vector_apply(container->x, NULL, NULL, op, container->x, NULL));
    }
    GrB_Info info = is_vector ? g->GxB_load_Vector_from_Container(c.vector, container, NULL)
                              : g->GxB_load_Matrix_from_Container(c.matrix, container, NULL);
    require(g->GxB_Container_free(&container));
    state->objects[s->c].type = type;
    return info;
}

/* The array of C's values, if that is full, to the program and back. */
GrB_Info torc_run_reload(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    GrB_Vector v = vector_in(g, state, s->c);
    void *array = NULL;
    GrB_Type type;
    uint64_t count, size;
    int handling;
    GrB_Info info = g->GxB_Vector_unload(v, &array, &type, &count, &size, &handling, NULL);
    if (info == GrB_SUCCESS) {
        if (count > 0) {
            memset(array, 0, torc_value_size(state->objects[s->c].type));
        }
        answer->count = count;
        info = g->GxB_Vector_load(v, &array, type, count, size, handling, NULL);
    }
    return info;
}
