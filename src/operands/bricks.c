/* bricks.c: the bricks of a sparse operand, planned once and kept with it. */
#include "brick_height.h"
#include "sparse.h"
#include <math.h>

void torc_sparse_unbrick(torc_sparse *A)
{
    const torc_bricks *bricks = &A->bricks;
    void *arrays[] = {bricks->pairs, bricks->values, bricks->pieces, bricks->split_rows};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        torc_memory_release(A->context, arrays[i]);
    }
    A->bricks = (torc_bricks){0};
    A->is_bricked = true;
}

/* Into most, of an A that is one value. */
static torc_status measure_iso(torc_sparse *A)
{
    double value;
    _Alignas(16) char stored[16];
    torc_status status = torc_memory_download(A->context, stored, A->csr.values, torc_type_size(A->type));
    if (status == TORC_SUCCESS) {
        torc_cast(&value, TORC_FP64, stored, A->type);
        A->bricks.most = isnan(value) ? INFINITY : fabs(value);
    }
    return status;
}

torc_status torc_sparse_brick(torc_sparse *A)
{
    torc_context *context = A->context;
    bool is_real = A->type == TORC_FP32 || A->type == TORC_FP64;
    if (A->is_bricked) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->plan_bricks(
        context->device, &A->bricks, &A->csr, A->type, torc_brick_height(&A->partition.statistics, A->type));
    A->is_bricked = true;
    if (status == TORC_SUCCESS && A->access == TORC_ACCESS_ISO && is_real) {
        status = measure_iso(A);
    }
    if (status != TORC_SUCCESS || !isfinite(A->bricks.most)) {
        torc_sparse_unbrick(A);
    }
    return status == TORC_UNSUPPORTED || status == TORC_OUT_OF_MEMORY ? TORC_SUCCESS : status;
}
