#include "away.h"
#include "dense_call.h"
#include "match.h"
#include "operations.h"
#include <string.h>

/* A GrB_Scalar is a matrix of one element. */
bool torc_read_scalar(torc_scalar *value, const torc_target *target, GrB_Scalar scalar)
{
    torc_view view;
    *value = (torc_scalar){0};
    if (!scalar || !torc_dense_call_is_thinkable(target->C) ||
        torc_view_open(&view, torc_binding_get(), (GrB_Matrix)scalar) != GrB_SUCCESS || view.nvals != 1 ||
        !torc_match_type(&value->type, view.type)) {
        return false;
    }
    memcpy(value->value, view.values, view.type_size);
    return true;
}

bool torc_make_one(GrB_Matrix *one, const torc_scalar *value, bool is_empty)
{
    const torc_binding *graphblas = torc_binding_get();
    GrB_Type type = torc_type_handle(value->type);
    *one = NULL;
    if (is_empty) {
        return graphblas->matrix_new(one, type, 1, 1) == GrB_SUCCESS;
    }
    torc_arrays arrays = {
        .format = TORC_FULL,
        .by_col = true,
        .nvec = 1,
        .nvals = 1,
        .values = torc_host_allocate(graphblas, sizeof value->value),
        .nvalues = 1,
        .type_size = torc_type_size(value->type),
    };
    if (arrays.values) {
        memcpy(arrays.values, value->value, arrays.type_size);
    }
    bool is_packed = arrays.values && torc_pack_new(one, graphblas, type, 1, 1, &arrays) == GrB_SUCCESS;
    torc_arrays_release(graphblas, &arrays);
    return is_packed;
}

bool torc_try_extract_one(GrB_Matrix *one, GrB_Matrix A, GrB_Index i, GrB_Index j)
{
    torc_scalar value = {0};
    GrB_Type handle;
    GrB_Info info;
    return A && torc_away_is_any() && torc_binding_get() &&
           torc_binding_get()->matrix_type(&handle, A) == GrB_SUCCESS &&
           torc_match_type(&value.type, handle) &&
           torc_try_extract_element(&info, value.value, value.type, A, i, j) &&
           torc_make_one(one, &value, info == GrB_NO_VALUE);
}
