#include "dense_call.h"
#include "match.h"
#include "match_unary.h"
#include "operations.h"

static bool try_one(torc_dense_call *call, const torc_target *target, GrB_Matrix A)
{
    call->ninputs = 1;
    call->inputs[0].matrix = A;
    return torc_dense_call_read_descriptor(call, target->desc) && torc_dense_call_try(call);
}

bool torc_try_apply(const torc_target *target, GrB_UnaryOp op, GrB_Matrix A)
{
    if (!torc_dense_call_is_thinkable(target->C)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    return torc_match_unary(&call.operation, op) && try_one(&call, target, A);
}

/* With the value for the other input, at every place. INP1 transposes A where it is the second argument. */
bool torc_try_bind(
    const torc_target *target, GrB_BinaryOp op, const torc_scalar *value, bool is_first, GrB_Matrix A)
{
    if (!torc_dense_call_is_thinkable(target->C)) {
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

bool torc_try_index(const torc_target *target, torc_operation_kind kind, GrB_IndexUnaryOp op, GrB_Matrix A,
    const torc_scalar *thunk)
{
    if (!torc_dense_call_is_thinkable(target->C)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    if (!torc_match_index_unary(&call.operation, op)) {
        return false;
    }
    call.operation.kind = kind;
    call.operation.thunk.type = call.operation.index < TORC_VALUEEQ ? TORC_INT64 : call.operation.type;
    torc_cast(call.operation.thunk.value, call.operation.thunk.type, thunk->value, thunk->type);
    if (thunk->type >= TORC_FP32 && call.operation.thunk.type != thunk->type) {
        return false; /* a NaN, and what does not fit, is cast by GraphBLAS in ways of its own */
    }
    return try_one(&call, target, A);
}

bool torc_try_transpose(const torc_target *target, GrB_Matrix A)
{
    torc_type type;
    GrB_Type handle;
    if (!torc_dense_call_is_thinkable(target->C) || !A ||
        torc_binding_get()->matrix_type(&handle, A) != GrB_SUCCESS || !torc_match_type(&type, handle)) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.ninputs = 1;
    call.inputs[0].matrix = A;
    if (!torc_dense_call_read_descriptor(&call, target->desc)) {
        return false;
    }
    call.inputs[0].transpose = !call.inputs[0].transpose;
    return torc_dense_call_try(&call);
}
