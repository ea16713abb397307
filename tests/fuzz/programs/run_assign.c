/* run_assign.c: parts of objects, written and read. Variant 1 of an assignment is a subassignment. */
#include "index_list.h"
#include "operators.h"
#include "require.h"
#include "run.h"
#include <stdlib.h>

static void require(GrB_Info info)
{
    TORC_REQUIRE(info == GrB_SUCCESS);
}

/* Those of a list, as a result; to be freed. */
static GrB_Vector new_index_vector(const side *g, const index_choice *choice)
{
    GrB_Index count = choice->count, high = choice->first + (count - 1) * choice->stride;
    GrB_Index *places = calloc(count + 1, sizeof *places);
    uint64_t *values = calloc(count + 1, sizeof *values);
    GrB_Vector v, result;
    TORC_REQUIRE(places && values);
    for (GrB_Index p = 0; p < count; p++) {
        places[p] = p;
        values[p] = choice->kind == LIST_ALL         ? p
                    : choice->kind == LIST_BACKWARDS ? high - p * choice->stride
                    : choice->kind == LIST_ANY       ? (choice->first + p * choice->stride) % choice->bound
                                                     : choice->first + p * choice->stride;
    }
    require(g->GrB_Vector_new(&v, GrB_UINT64, count));
    require(g->GrB_Vector_new(&result, GrB_UINT64, count));
    require(g->GrB_Vector_build_UINT64(v, places, values, count, GrB_SECOND_UINT64));
    require(g->GrB_Vector_apply(result, NULL, NULL, GrB_IDENTITY_UINT64, v, NULL));
    require(g->GrB_Vector_free(&v));
    free(places);
    free(values);
    return result;
}

/* ASSIGN or EXTRACT. */
static GrB_Info run_by_vectors(const side *g, program_state *state, const program_step *s)
{
    GrB_Vector I = new_index_vector(g, &s->rows),
               J = is_vector_slot(s->c) ? NULL : new_index_vector(g, &s->cols);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    bool is_extract = s->kind == STEP_EXTRACT;
    GrB_Info info = is_vector_slot(s->c)
                        ? (is_extract           ? g->GxB_Vector_extract_Vector
                              : s->variant == 1 ? g->GxB_Vector_subassign_Vector
                                                : g->GxB_Vector_assign_Vector)(vector_in(g, state, s->c),
                              vector_in(g, state, s->m), accum, vector_in(g, state, s->a), I, desc)
                        : (is_extract           ? g->GxB_Matrix_extract_Vector
                              : s->variant == 1 ? g->GxB_Matrix_subassign_Vector
                                                : g->GxB_Matrix_assign_Vector)(matrix_in(g, state, s->c),
                              matrix_in(g, state, s->m), accum, matrix_in(g, state, s->a), I, J, desc);
    require(g->GrB_Vector_free(&I));
    require(g->GrB_Vector_free(&J));
    return info;
}

static GrB_Info assign_matrix(
    const side *g, program_state *state, const program_step *s, const index_list *I, const index_list *J)
{
    GrB_Matrix C = matrix_in(g, state, s->c), M = matrix_in(g, state, s->m), A = matrix_in(g, state, s->a);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    return s->variant == 1
               ? g->GxB_Matrix_subassign(C, M, accum, A, I->indices, I->count, J->indices, J->count, desc)
               : g->GrB_Matrix_assign(C, M, accum, A, I->indices, I->count, J->indices, J->count, desc);
}

static GrB_Info assign_vector(const side *g, program_state *state, const program_step *s, const index_list *I)
{
    GrB_Vector w = vector_in(g, state, s->c), m = vector_in(g, state, s->m), u = vector_in(g, state, s->a);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    return s->variant == 1 ? g->GxB_Vector_subassign(w, m, accum, u, I->indices, I->count, desc)
                           : g->GrB_Vector_assign(w, m, accum, u, I->indices, I->count, desc);
}

GrB_Info torc_run_assign(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    if (s->has_index_vectors) {
        return run_by_vectors(g, state, s);
    }
    index_list I, J;
    torc_index_list_make(&I, &s->rows);
    torc_index_list_make(&J, &s->cols);
    GrB_Info info =
        is_vector_slot(s->c) ? assign_vector(g, state, s, &I) : assign_matrix(g, state, s, &I, &J);
    torc_index_list_free(&I);
    torc_index_list_free(&J);
    return info;
}

static GrB_Info assign_object_of_one(
    const side *g, program_state *state, const program_step *s, const index_list *I, const index_list *J)
{
    GrB_Matrix C = matrix_in(g, state, s->c), M = matrix_in(g, state, s->m);
    GrB_Vector w = vector_in(g, state, s->c), m = vector_in(g, state, s->m);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    GrB_Scalar x = torc_new_scalar(g, s, 0);
    GrB_Info info = is_vector_slot(s->c)
                        ? (s->variant & 1 ? g->GxB_Vector_subassign_Scalar : g->GrB_Vector_assign_Scalar)(
                              w, m, accum, x, I->indices, I->count, desc)
                        : (s->variant & 1 ? g->GxB_Matrix_subassign_Scalar : g->GrB_Matrix_assign_Scalar)(
                              C, M, accum, x, I->indices, I->count, J->indices, J->count, desc);
    g->GrB_Scalar_free(&x);
    return info;
}

static GrB_Info assign_value(
    const side *g, program_state *state, const program_step *s, const index_list *I, const index_list *J)
{
    GrB_Matrix C = matrix_in(g, state, s->c), M = matrix_in(g, state, s->m);
    GrB_Vector w = vector_in(g, state, s->c), m = vector_in(g, state, s->m);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    value_path path = step_path(s);
    switch (s->scalar_type) {
#define CASE(name, value)                                                                                    \
    case VALUE_##name:                                                                                       \
        return is_vector_slot(s->c)                                                                          \
                   ? (s->variant & 1 ? g->GxB_Vector_subassign_##name : g->GrB_Vector_assign_##name)(        \
                         w, m, accum, value, I->indices, I->count, desc)                                     \
                   : (s->variant & 1 ? g->GxB_Matrix_subassign_##name : g->GrB_Matrix_assign_##name)(        \
                         C, M, accum, value, I->indices, I->count, J->indices, J->count, desc);
#define X(name, handle, ctype) CASE(name, (ctype)step_scalar(s))
        VALUE_TYPE_MAP(X)
        CASE(UDT, &path)
#undef X
#undef CASE
    default:
        return GrB_PANIC;
    }
}

/* Variants 2 and 3: the value is a GrB_Scalar. 7.4.0 forgets pending tuples and zombies of an object that all
 * becomes that value. */
GrB_Info torc_run_assign_scalar(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    index_list I, J;
    torc_object_wait(&state->objects[s->c], g->index);
    torc_index_list_make(&I, &s->rows);
    torc_index_list_make(&J, &s->cols);
    GrB_Info info =
        s->variant & 2 ? assign_object_of_one(g, state, s, &I, &J) : assign_value(g, state, s, &I, &J);
    torc_index_list_free(&I);
    torc_index_list_free(&J);
    return info;
}

/* Line i of C: a row, or in variants 2 and 3 a column; 1 and 3 are subassignments. The list is the step's
 * rows. */
GrB_Info torc_run_assign_line(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    index_list I;
    GrB_Matrix C = matrix_in(g, state, s->c);
    GrB_Vector m = vector_in(g, state, s->m), u = vector_in(g, state, s->a);
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    torc_index_list_make(&I, &s->rows);
    GrB_Info info = s->variant & 2 ? (s->variant & 1 ? g->GxB_Col_subassign : g->GrB_Col_assign)(
                                         C, m, accum, u, I.indices, I.count, s->i, desc)
                                   : (s->variant & 1 ? g->GxB_Row_subassign : g->GrB_Row_assign)(
                                         C, m, accum, u, s->i, I.indices, I.count, desc);
    torc_index_list_free(&I);
    return info;
}

GrB_Info torc_run_extract(const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    if (s->has_index_vectors) {
        return run_by_vectors(g, state, s);
    }
    index_list I, J;
    GrB_BinaryOp accum = torc_binary_handle(s->accum);
    GrB_Descriptor desc = torc_descriptor_handle(s);
    torc_index_list_make(&I, &s->rows);
    torc_index_list_make(&J, &s->cols);
    GrB_Info info = is_vector_slot(s->c)
                        ? g->GrB_Vector_extract(vector_in(g, state, s->c), vector_in(g, state, s->m), accum,
                              vector_in(g, state, s->a), I.indices, I.count, desc)
                        : g->GrB_Matrix_extract(matrix_in(g, state, s->c), matrix_in(g, state, s->m), accum,
                              matrix_in(g, state, s->a), I.indices, I.count, J.indices, J.count, desc);
    torc_index_list_free(&I);
    torc_index_list_free(&J);
    return info;
}

GrB_Info torc_run_extract_line(
    const side *g, program_state *state, const program_step *s, step_answer *answer)
{
    (void)answer;
    index_list I;
    torc_index_list_make(&I, &s->rows);
    GrB_Info info =
        g->GrB_Col_extract(vector_in(g, state, s->c), vector_in(g, state, s->m), torc_binary_handle(s->accum),
            matrix_in(g, state, s->a), I.indices, I.count, s->i, torc_descriptor_handle(s));
    torc_index_list_free(&I);
    return info;
}
