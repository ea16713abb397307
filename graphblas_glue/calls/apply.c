#include "dense_call.h"
#include "match.h"
#include "operations.h"
#include <string.h>

/* A call of one input; what is to be done is yet to be told. false: nothing can run. */
static bool begin(torc_dense_call *call, const torc_target *target, GrB_Matrix A)
{
    if (!torc_dense_call_is_thinkable(target->C)) {
        return false;
    }
    *call = torc_dense_call_begin(target);
    call->ninputs = 1;
    call->inputs[0].matrix = A;
    return torc_dense_call_read_descriptor(call, target->desc);
}

bool torc_try_apply(const torc_target *target, GrB_UnaryOp op, GrB_Matrix A)
{
    torc_dense_call call;
    return begin(&call, target, A) && torc_match_apply(&call.operation, &call.user, op) &&
           torc_dense_call_try(&call);
}

/* The value is the other input, at every place. If A is the second argument, INP1 transposes it. Of any
 * argument GraphBLAS takes the value, at once. */
bool torc_try_bind(
    const torc_target *target, GrB_BinaryOp op, const torc_scalar *value, bool is_first, GrB_Matrix A)
{
    if (!torc_dense_call_is_thinkable(target->C) || torc_is_any(op)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation.kind = TORC_EWISE_MULT;
    call.ninputs = 2;
    call.inputs[is_first ? 0 : 1] = (torc_input){.is_value = true, .value = *value};
    call.inputs[is_first ? 1 : 0].matrix = A;
    return torc_dense_call_read_descriptor(&call, target->desc) &&
           torc_match_binary(&call.operation, &call.user, op) && torc_dense_call_try(&call);
}

/* SuiteSparse cuts sums of places and larger thunks off in several ways. */
static bool is_far(const torc_operation *operation)
{
    bool is_place =
        torc_operation_get_traits(operation).is_positional && operation->index != TORC_INDEX_UNARY_USER;
    int64_t distance = 0;
    if (is_place) {
        memcpy(&distance, operation->thunk.value, sizeof distance);
    }
    return distance < INT32_MIN || distance > INT32_MAX;
}

/* false: a NaN, and what does not fit, is cast by GraphBLAS in ways of its own. */
static bool set_thunk(torc_operation *operation, const torc_scalar *thunk)
{
    operation->thunk.type = torc_operation_get_traits(operation).thunk_type;
    torc_cast(operation->thunk.value, operation->thunk.type, thunk->value, thunk->type);
    return (thunk->type < TORC_FP32 || operation->thunk.type == thunk->type) && !is_far(operation);
}

/* SuiteSparse refuses to select complex values by order, though it applies the same operators to them. */
static bool is_refused(torc_operation_kind kind, torc_index_unary op, GrB_Matrix A)
{
    GrB_Type handle;
    torc_type type;
    return kind == TORC_SELECT && op >= TORC_VALUELT && op <= TORC_VALUEGE && A &&
           torc_binding_get()->matrix_type(&handle, A) == GrB_SUCCESS && torc_match_type(&type, handle) &&
           (type == TORC_FC32 || type == TORC_FC64);
}

bool torc_try_index(const torc_target *target, torc_operation_kind kind, GrB_IndexUnaryOp op, GrB_Matrix A,
    const torc_scalar *thunk)
{
    torc_dense_call call;
    if (!begin(&call, target, A) || !torc_match_place(&call.operation, &call.user, op)) {
        return false;
    }
    call.operation.kind = kind;
    if (is_refused(kind, call.operation.index, A) || !set_thunk(&call.operation, thunk)) {
        torc_user_semiring_release(&call.user);
        return false;
    }
    return torc_dense_call_try(&call);
}

bool torc_try_transpose(const torc_target *target, GrB_Matrix A)
{
    torc_type type;
    GrB_Type handle;
    if (!torc_dense_call_is_thinkable(target->C) || !A ||
        torc_binding_get()->matrix_type(&handle, A) != GrB_SUCCESS || !torc_match_type(&type, handle)) {
        return false;
    }
    torc_dense_call call;
    if (!begin(&call, target, A)) {
        return false;
    }
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.inputs[0].transpose = !call.inputs[0].transpose;
    return torc_dense_call_try(&call);
}
