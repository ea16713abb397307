#include "dense_call.h"
#include "match.h"
#include "operations.h"

static bool has_one_value(GrB_Matrix A)
{
    torc_view view;
    return A && torc_view_open(&view, torc_binding_get(), A) == GrB_SUCCESS && view.iso;
}

/* Of any of two values GraphBLAS takes the second, but where a matrix has one value for all entries. */
static bool is_any_of_iso(GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B)
{
    return torc_is_any(op) && (has_one_value(A) || has_one_value(B));
}

static bool try_two(
    const torc_target *target, const torc_operation *operation, GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B)
{
    torc_dense_call call = torc_dense_call_begin(target);
    call.operation = *operation;
    call.ninputs = 2;
    call.inputs[0].matrix = A;
    call.inputs[1].matrix = B;
    return !is_any_of_iso(op, A, B) && torc_dense_call_read_descriptor(&call, target->desc) &&
           torc_match_binary(&call.operation, &call.user, op) && torc_dense_call_try(&call);
}

bool torc_try_ewise(
    const torc_target *target, torc_operation_kind kind, GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B)
{
    torc_operation operation = {.kind = kind};
    return torc_dense_call_is_thinkable(target->C) && try_two(target, &operation, op, A, B);
}

bool torc_try_union(
    const torc_target *target, GrB_BinaryOp op, GrB_Matrix A, GrB_Scalar alpha, GrB_Matrix B, GrB_Scalar beta)
{
    torc_operation operation = {.kind = TORC_EWISE_UNION};
    return torc_read_scalar(&operation.alpha, target, alpha) &&
           torc_read_scalar(&operation.beta, target, beta) && try_two(target, &operation, op, A, B);
}

GrB_BinaryOp torc_operator_of_monoid(GrB_Monoid monoid)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_BinaryOp op = NULL;
    bool is_known = monoid && graphblas && graphblas->is_known;
    return is_known && graphblas->monoid_operator(&op, monoid) == GrB_SUCCESS ? op : NULL;
}

GrB_BinaryOp torc_add_of_semiring(GrB_Semiring semiring)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_Monoid add = NULL;
    bool is_known = semiring && graphblas && graphblas->is_known;
    return is_known && graphblas->semiring_add(&add, semiring) == GrB_SUCCESS ? torc_operator_of_monoid(add)
                                                                              : NULL;
}

GrB_BinaryOp torc_multiply_of_semiring(GrB_Semiring semiring)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_BinaryOp op = NULL;
    bool is_known = semiring && graphblas && graphblas->is_known;
    return is_known && graphblas->semiring_multiply(&op, semiring) == GrB_SUCCESS ? op : NULL;
}
