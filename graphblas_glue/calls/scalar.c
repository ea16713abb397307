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
