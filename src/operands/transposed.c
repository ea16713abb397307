/* transposed.c: the transpose of a sparse operand, formed once and kept with it. */
#include "sparse_parts.h"
#include <inttypes.h>

/* Executors sort entries by their positions, in 32 bits. */
static torc_status refuse_many_entries(const torc_sparse *A)
{
    return A->csr.nnz <= UINT32_MAX
               ? TORC_SUCCESS
               : torc_context_refuse(A->context, TORC_UNSUPPORTED,
                     "the transpose of %" PRId64 " entries, more than 2^32 - 1", A->csr.nnz);
}

static torc_status form_transpose(torc_sparse **transpose, torc_sparse *A)
{
    torc_device_csr shape = {
        .nrows = A->csr.ncols,
        .ncols = A->csr.nrows,
        .nnz = A->csr.nnz,
        .wide_offsets = A->csr.wide_offsets,
        .value_size = A->csr.value_size,
    };
    torc_sparse *T = torc_sparse_new(A->context, &shape, A->type, A->access);
    if (!T) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_sparse_allocate(T);
    if (status == TORC_SUCCESS) {
        status = A->context->executor->transpose_csr(A->context->device, &T->csr, &A->csr);
    }
    if (status == TORC_SUCCESS && A->access == TORC_ACCESS_ISO) {
        status = torc_sparse_copy_iso(T, A);
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_partition(T);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(T);
        return status;
    }
    *transpose = T;
    return TORC_SUCCESS;
}

torc_status torc_sparse_orient(torc_sparse **oriented, torc_sparse *A, bool transpose)
{
    torc_status status = transpose ? torc_sparse_refuse_divided(A, "the transpose") : TORC_SUCCESS;
    if (status == TORC_SUCCESS && transpose && !A->transpose) {
        status = refuse_many_entries(A);
    }
    if (status == TORC_SUCCESS && transpose && !A->transpose) {
        status = form_transpose(&A->transpose, A);
        if (status == TORC_OUT_OF_MEMORY && torc_context_trim(A->context)) {
            status = form_transpose(&A->transpose, A);
        }
    }
    *oriented = transpose ? A->transpose : A;
    return status;
}
