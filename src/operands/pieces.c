/* pieces.c: the long rows of a sparse operand cut into pieces, for blocks that own one each. */
#include "sparse_parts.h"

torc_status torc_sparse_piece(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_partition *rows = &A->partition;
    void *pieces = NULL, *pieced_rows = NULL;
    if (A->is_pieced || rows->npieces == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_sparse_allocate_array(&pieces, context, rows->npieces, sizeof *rows->pieces);
    if (status == TORC_SUCCESS) {
        status =
            torc_sparse_allocate_array(&pieced_rows, context, rows->npieced_rows, sizeof *rows->pieced_rows);
    }
    torc_partition wanted = {.npieces = rows->npieces,
        .nsplit_pieces = rows->nsplit_pieces,
        .npieced_rows = rows->npieced_rows,
        .pieces = pieces,
        .pieced_rows = pieced_rows};
    if (status == TORC_SUCCESS) {
        status = context->executor->cut_rows(context->device, &wanted, &A->csr);
    }
    if (status != TORC_SUCCESS) {
        torc_memory_release(context, pieces);
        torc_memory_release(context, pieced_rows);
        return status;
    }
    rows->pieces = pieces;
    rows->pieced_rows = pieced_rows;
    A->is_pieced = true;
    return status;
}
