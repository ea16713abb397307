/* tiles.c: the tiles of a sparse operand, planned once and kept with it. */
#include "sparse_parts.h"

void torc_sparse_untile(torc_sparse *A, torc_tile_plan *plan)
{
    const torc_tiles *tiles = &plan->tiles;
    void *arrays[] = {tiles->tile_begin, tiles->columns, tiles->ncolumns, tiles->owners, tiles->steps,
        tiles->batch_begin, tiles->batches, tiles->split_rows};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        torc_memory_release(A->context, arrays[i]);
    }
    torc_sparse_destroy(plan->rest);
    *plan = (torc_tile_plan){.was_tried = true};
}

/* Make an operand of the entries that tiles leave out. It owns the arrays from now on. */
static torc_status keep_rest(torc_sparse **rest, const torc_sparse *A, const torc_device_csr *csr)
{
    torc_sparse *kept = *rest = torc_sparse_new(A->context, csr, A->type, A->access);
    if (!kept) {
        torc_csr_release(A->context, csr);
        return TORC_OUT_OF_MEMORY;
    }
    kept->c_rows = A->c_rows;
    torc_status status = TORC_SUCCESS;
    if (A->access == TORC_ACCESS_ISO) {
        status = torc_sparse_allocate_array(&kept->csr.values, A->context, 1, torc_type_size(A->type));
        if (status == TORC_SUCCESS) {
            status = torc_sparse_copy_iso(kept, A);
        }
    }
    return status == TORC_SUCCESS ? torc_sparse_partition(kept) : status;
}

torc_status torc_sparse_tile(torc_sparse *A, torc_tile_plan *plan, int parts)
{
    torc_context *context = A->context;
    torc_device_csr rest;
    if (plan->was_tried) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->plan_tiles(context->device, &plan->tiles, &rest, &A->csr, parts);
    plan->was_tried = true;
    if (status == TORC_SUCCESS && rest.nnz > 0) {
        status = keep_rest(&plan->rest, A, &rest);
    } else {
        torc_csr_release(context, &rest);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_untile(A, plan);
    }
    return status == TORC_UNSUPPORTED || status == TORC_OUT_OF_MEMORY ? TORC_SUCCESS : status;
}
