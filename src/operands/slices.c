/* slices.c: a sparse operand cut into slices, for a nonzero split. */
#include "sparse_parts.h"

/* Allocate the arrays that a nonzero split needs. A multiplication may be under way, so its workspace is not
 * released for them. */
static torc_status allocate_slices(torc_partition *slices, torc_context *context)
{
    struct {
        void *memory;
        int64_t count;
        size_t size;
    } arrays[] = {
        {NULL, slices->nslices * (TORC_SLICE_NNZ / 32), sizeof *slices->row_ends},
        {NULL, slices->nslices, sizeof *slices->slice_rows},
        {NULL, slices->nspanning_rows, sizeof *slices->spanning_rows},
        {NULL, slices->statistics.empty_rows > 0 ? slices->statistics.nrows : 0, sizeof *slices->rows},
    };
    torc_status status = TORC_SUCCESS;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && status == TORC_SUCCESS; i++) {
        size_t size = (size_t)arrays[i].count * arrays[i].size;
        if (size > 0) {
            status = context->executor->allocate(&arrays[i].memory, context->device, size);
        }
    }
    slices->row_ends = arrays[0].memory;
    slices->slice_rows = arrays[1].memory;
    slices->spanning_rows = arrays[2].memory;
    slices->rows = arrays[3].memory;
    return status;
}

void torc_slices_release(torc_partition *rows, torc_context *context)
{
    torc_memory_release(context, rows->row_ends);
    torc_memory_release(context, rows->slice_rows);
    torc_memory_release(context, rows->spanning_rows);
    torc_memory_release(context, rows->rows);
}

torc_status torc_sparse_slice(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_partition slices = A->partition;
    if (A->is_sliced) {
        return TORC_SUCCESS;
    }
    slices.segments = slices.pieces = NULL; /* they are there already, or not asked for */
    slices.long_rows = slices.pieced_rows = NULL;
    torc_status status = allocate_slices(&slices, context);
    if (status == TORC_SUCCESS) {
        status = context->executor->cut_rows(context->device, &slices, &A->csr);
    }
    if (status != TORC_SUCCESS) {
        torc_slices_release(&slices, context);
        return status;
    }
    slices.segments = A->partition.segments;
    slices.long_rows = A->partition.long_rows;
    slices.pieces = A->partition.pieces;
    slices.pieced_rows = A->partition.pieced_rows;
    A->partition = slices;
    A->is_sliced = true;
    return status;
}
