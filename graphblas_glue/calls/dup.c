/* dup.c: content that is away is duplicated on the device, and the duplicate is away too. */
#include "away.h"
#include "dense_call.h"
#include "match.h"
#include "matrix_settings.h"
#include "operations.h"
#include "put_off.h"
#include <stdlib.h>

static GrB_Info make_empty(
    GrB_Matrix *C, const torc_binding *graphblas, const torc_view *like, bool is_vector)
{
    GrB_Vector vector = NULL;
    if (!is_vector) {
        return graphblas->matrix_new(C, like->type, (GrB_Index)like->nrows, (GrB_Index)like->ncols);
    }
    GrB_Info info = graphblas->vector_new(&vector, like->type, (GrB_Index)like->nrows);
    *C = (GrB_Matrix)vector;
    return info;
}

static bool copy_content(const torc_target *target, GrB_Matrix A, torc_type type)
{
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.ninputs = 1;
    call.inputs[0].matrix = A;
    call.is_oriented_by_input = true;
    return torc_dense_call_is_thinkable(target->C) && torc_dense_call_try(&call);
}

/* GraphBLAS keeps A's sparsity control, hyper switch and name; all other settings are those of a new
 * matrix. */
static bool copy_settings(GrB_Matrix C, const torc_binding *graphblas, GrB_Matrix A)
{
    torc_matrix_settings settings, of_a;
    char *name = NULL;
    bool is_done = torc_matrix_settings_read(&settings, graphblas, C) == GrB_SUCCESS &&
                   torc_matrix_settings_read(&of_a, graphblas, A) == GrB_SUCCESS &&
                   torc_matrix_name_read(&name, graphblas, A) == GrB_SUCCESS &&
                   (!name || graphblas->set_string(C, name, graphblas->numbers->name) == GrB_SUCCESS);
    free(name);
    if (is_done) {
        settings.sparsity_control = of_a.sparsity_control;
        settings.hyper_switch = of_a.hyper_switch;
        torc_matrix_settings_restore(C, graphblas, &settings);
        torc_put_off_like(C, A);
    }
    return is_done;
}

bool torc_try_dup(GrB_Matrix *C, GrB_Matrix A, bool is_vector)
{
    const torc_binding *graphblas = A && torc_away_is_any() ? torc_binding_get() : NULL;
    torc_view view;
    torc_type type;
    if (!graphblas || !graphblas->is_known || torc_view_open(&view, graphblas, A) != GrB_SUCCESS ||
        torc_away_journey(view.values) == 0 || !torc_match_type(&type, view.type)) {
        return false;
    }
    torc_target target = {.name = is_vector ? "GrB_Vector_dup" : "GrB_Matrix_dup"};
    if (make_empty(&target.C, graphblas, &view, is_vector) != GrB_SUCCESS) {
        return false;
    }
    if (!copy_content(&target, A, type) || !copy_settings(target.C, graphblas, A)) {
        graphblas->matrix_free(&target.C);
        return false;
    }
    *C = target.C;
    return true;
}
