/* assign.c: to all of C, where assign and subassign are one. */
#include "dense_call.h"
#include "match.h"
#include "operations.h"

static bool is_all_of(torc_indices indices, GrB_Index length)
{
    return indices.is_only_column ||
           (indices.list && indices.list == torc_binding_handle(torc_binding_get(), "GrB_ALL") &&
               indices.count == length);
}

/* GrB_ALL with another count than C's is no error, but SuiteSparse 7.4 assigns to as many places at times. */
static bool is_to_all(const torc_target *target, torc_indices rows, torc_indices columns)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_Index nrows, ncols;
    return graphblas->matrix_nrows(&nrows, target->C) == GrB_SUCCESS &&
           graphblas->matrix_ncols(&ncols, target->C) == GrB_SUCCESS && is_all_of(rows, nrows) &&
           is_all_of(columns, ncols);
}

bool torc_try_assign_scalar(
    const torc_target *target, const torc_scalar *value, torc_indices rows, torc_indices columns)
{
    if (!torc_dense_call_is_thinkable(target->C) || !is_to_all(target, rows, columns)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = value->type};
    call.ninputs = 1;
    call.inputs[0] = (torc_input){.is_value = true, .value = *value};
    return torc_dense_call_read_descriptor(&call, target->desc) && torc_dense_call_try(&call);
}

bool torc_try_assign(const torc_target *target, GrB_Matrix A, torc_indices rows, torc_indices columns)
{
    torc_type type;
    GrB_Type handle;
    if (!torc_dense_call_is_thinkable(target->C) || !is_to_all(target, rows, columns) || !A ||
        torc_binding_get()->matrix_type(&handle, A) != GrB_SUCCESS || !torc_match_type(&type, handle)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.ninputs = 1;
    call.inputs[0].matrix = A;
    return torc_dense_call_read_descriptor(&call, target->desc) && torc_dense_call_try(&call);
}
