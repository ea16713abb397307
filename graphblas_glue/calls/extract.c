#include "dense_call.h"
#include "match.h"
#include "operations.h"

bool torc_try_extract(const torc_target *target, GrB_Matrix A, torc_indices rows, torc_indices columns)
{
    const torc_binding *graphblas = torc_binding_get();
    torc_type type;
    GrB_Type handle;
    GrB_Index nrows, ncols;
    if (!torc_dense_call_is_thinkable(target->C) || !A || graphblas->matrix_type(&handle, A) != GrB_SUCCESS ||
        !torc_match_type(&type, handle) || graphblas->matrix_nrows(&nrows, A) != GrB_SUCCESS ||
        graphblas->matrix_ncols(&ncols, A) != GrB_SUCCESS) {
        return false;
    }
    torc_dense_call call = torc_dense_call_begin(target);
    torc_input *input = &call.inputs[0];
    call.operation = (torc_operation){.kind = TORC_APPLY, .unary = TORC_UNARY_IDENTITY, .type = type};
    call.ninputs = 1;
    input->matrix = A;
    if (!torc_dense_call_read_descriptor(&call, target->desc)) {
        return false;
    }
    int64_t length[2] = {
        (int64_t)(input->transpose ? ncols : nrows), (int64_t)(input->transpose ? nrows : ncols)};
    return torc_index_list_read(&call.rows, graphblas, rows, length[0]) &&
           torc_index_list_read(&call.columns, graphblas, columns, length[1]) && torc_dense_call_try(&call);
}
