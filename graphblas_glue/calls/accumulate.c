#include "accumulate.h"
#include "match.h"
#include "put_off.h"

static bool takes_types(const torc_binding *graphblas, GrB_BinaryOp accum, GrB_Type c_type, GrB_Type t_type)
{
    GrB_Type x, y, z;
    return graphblas->operator_xtype(&x, accum) == GrB_SUCCESS && x == c_type &&
           graphblas->operator_ytype(&y, accum) == GrB_SUCCESS && y == t_type &&
           graphblas->operator_ztype(&z, accum) == GrB_SUCCESS && z == c_type;
}

/* SuiteSparse refuses positional operators as accumulators. */
bool torc_accumulate_is_possible(const torc_output *output, const torc_view *C, GrB_Type type)
{
    torc_operation operation = {.kind = TORC_EWISE_ADD};
    torc_user_semiring user = {.source = NULL};
    bool is = output->accum && !torc_view_is_listed(C) &&
              takes_types(torc_binding_get(), output->accum, C->type, type) &&
              torc_match_binary(&operation, &user, output->accum) &&
              !torc_operation_get_traits(&operation).is_positional;
    torc_user_semiring_release(&user);
    return is;
}

static bool try_on_device(const torc_output *output, GrB_Matrix T)
{
    torc_dense_call call = {
        .name = "accumulator", .output = *output, .operation.kind = TORC_EWISE_ADD, .ninputs = 2};
    call.output.accum = NULL;
    call.inputs[0].matrix = output->C;
    call.inputs[1].matrix = T;
    return torc_match_binary(&call.operation, &call.user, output->accum) && torc_dense_call_try(&call);
}

/* SuiteSparse 7.4 crashes where there are a mask and an accumulator, and T is full. */
static GrB_Info ask_suitesparse(const torc_output *output, const torc_binding *graphblas, GrB_Matrix T)
{
    GrB_Info info = GrB_SUCCESS;
    torc_put_off_settle(output->C);
    if (output->mask) {
        torc_put_off_settle(output->mask);
        info = torc_binding_set_option(graphblas, T, graphblas->numbers->sparsity_control, TORC_BITMAP);
    }
    return info == GrB_SUCCESS ? torc_finish_matrix(output, graphblas, T) : info;
}

GrB_Info torc_accumulate(const torc_output *output, const torc_binding *graphblas, const torc_view *C,
    GrB_Type type, torc_arrays *arrays)
{
    GrB_Matrix T;
    GrB_Info info = graphblas->matrix_new(&T, type, (GrB_Index)C->nrows, (GrB_Index)C->ncols);
    if (info == GrB_SUCCESS) {
        info = torc_put_off_pack(T, graphblas, arrays);
        if (info == GrB_SUCCESS && !try_on_device(output, T)) {
            info = ask_suitesparse(output, graphblas, T);
        }
        graphblas->matrix_free(&T);
    }
    torc_arrays_release(graphblas, arrays);
    return info;
}

static GrB_Type type_of(const torc_dense_call *call, const torc_binding *graphblas)
{
    GrB_Type type = NULL;
    bool selects = !call->is_reduction && call->operation.kind == TORC_SELECT;
    torc_type z =
        call->is_reduction ? call->reduction.type : torc_operation_get_traits(&call->operation).z_type;
    if (selects) {
        return graphblas->matrix_type(&type, call->inputs[0].matrix) == GrB_SUCCESS ? type : NULL;
    }
    return z > TORC_OPAQUE ? call->user.z_type : torc_type_handle(z);
}

bool torc_accumulate_dense(torc_dense_call *call)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_Type type = type_of(call, graphblas);
    torc_view C;
    GrB_Matrix T = NULL;
    bool is_possible = !call->is_assignment && type &&
                       torc_view_open(&C, graphblas, call->output.C) == GrB_SUCCESS &&
                       torc_accumulate_is_possible(&call->output, &C, type) &&
                       graphblas->matrix_new(&T, type, (GrB_Index)C.nrows, (GrB_Index)C.ncols) == GrB_SUCCESS;
    if (!is_possible) {
        torc_user_semiring_release(&call->user);
        return false;
    }
    torc_output output = call->output;
    call->output = (torc_output){.C = T};
    bool is_done = torc_dense_call_try(call) && try_on_device(&output, T);
    graphblas->matrix_free(&T);
    return is_done;
}
