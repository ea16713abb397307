/* assign.c: to all of C, where assign and subassign are one. */
#include "dense_call.h"
#include "match.h"
#include "operations.h"

static bool is_all(torc_indices indices)
{
    return indices.is_only_column ||
           (indices.list && indices.list == torc_binding_handle(torc_binding_get(), "GrB_ALL"));
}

bool torc_try_assign_scalar(
    const torc_target *target, const torc_scalar *value, torc_indices rows, torc_indices columns)
{
    if (!torc_dense_call_is_thinkable(target->C) || !is_all(rows) || !is_all(columns)) {
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
    if (!torc_dense_call_is_thinkable(target->C) || !is_all(rows) || !is_all(columns) || !A ||
        torc_binding_get()->matrix_type(&handle, A) != GrB_SUCCESS || !torc_match_type(&type, handle)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.ninputs = 1;
    call.inputs[0].matrix = A;
    return torc_dense_call_read_descriptor(&call, target->desc) && torc_dense_call_try(&call);
}
