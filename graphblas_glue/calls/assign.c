#include "dense_call.h"
#include "match.h"
#include "operations.h"

/* A call that assigns what is yet to be told to these rows and columns of C. */
static bool begin(torc_dense_call *call, const torc_target *target, torc_indices rows, torc_indices columns)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_Index nrows, ncols;
    if (!torc_dense_call_is_thinkable(target->C)) {
        return false;
    }
    *call = torc_dense_call_begin(target);
    call->operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY};
    call->ninputs = 1;
    call->is_assignment = true;
    call->mask_is_of_part = target->mask_is_of_part;
    return graphblas->matrix_nrows(&nrows, target->C) == GrB_SUCCESS &&
           graphblas->matrix_ncols(&ncols, target->C) == GrB_SUCCESS &&
           torc_index_list_read(&call->rows, graphblas, rows, (int64_t)nrows) &&
           torc_index_list_read(&call->columns, graphblas, columns, (int64_t)ncols);
}

static bool give(torc_dense_call *call, GrB_Matrix A)
{
    GrB_Type handle;
    call->inputs[0].matrix = A;
    return A && torc_binding_get()->matrix_type(&handle, A) == GrB_SUCCESS &&
           torc_match_type(&call->operation.type, handle);
}

bool torc_try_assign_scalar(
    const torc_target *target, const torc_scalar *value, torc_indices rows, torc_indices columns)
{
    torc_dense_call call;
    if (!begin(&call, target, rows, columns)) {
        return false;
    }
    call.operation.type = value->type;
    call.inputs[0] = (torc_input){.is_value = true, .value = *value};
    return torc_dense_call_read_descriptor(&call, target->desc) && torc_dense_call_try(&call);
}

bool torc_try_assign(const torc_target *target, GrB_Matrix A, torc_indices rows, torc_indices columns)
{
    torc_dense_call call;
    return begin(&call, target, rows, columns) && give(&call, A) &&
           torc_dense_call_read_descriptor(&call, target->desc) && torc_dense_call_try(&call);
}

/* A mask of the whole line, as GrB_Row_assign and GrB_Col_assign take it, is one of the part where the part
 * is the line. */
bool torc_try_assign_line(
    const torc_target *target, GrB_Matrix u, GrB_Index i, torc_indices list, bool is_row)
{
    const torc_indices line = {&i, 1, false};
    torc_dense_call call;
    if (!begin(&call, target, is_row ? line : list, is_row ? list : line) || !give(&call, u) ||
        !torc_dense_call_read_descriptor(&call, target->desc)) {
        return false;
    }
    bool is_whole = !(is_row ? call.columns.is_part : call.rows.is_part);
    call.inputs[0].transpose = is_row;
    call.mask_is_of_part = true;
    call.transposes_mask = is_row;
    return (!target->mask || target->mask_is_of_part || is_whole) && torc_dense_call_try(&call);
}
