#include "sparse_parts.h"
#include "footprint.h"
#include <stdlib.h>

size_t torc_offset_bytes(const torc_device_csr *csr)
{
    return ((size_t)csr->nrows + 1) * (csr->wide_offsets ? sizeof(uint64_t) : sizeof(uint32_t));
}

size_t torc_csr_bytes(const torc_device_csr *csr)
{
    return torc_offset_bytes(csr) + (size_t)csr->nnz * (sizeof(uint32_t) + csr->value_size);
}

torc_status torc_sparse_allocate_array(void **array, torc_context *context, int64_t count, size_t size)
{
    *array = NULL;
    return count > 0 ? context->executor->allocate(array, context->device, (size_t)count * size)
                     : TORC_SUCCESS;
}

torc_status torc_sparse_allocate(torc_sparse *A)
{
    torc_device_csr *csr = &A->csr;
    int64_t nvalues = A->access == TORC_ACCESS_ARRAY ? csr->nnz : A->access == TORC_ACCESS_ISO ? 1 : 0;
    void *col_idx = NULL;
    torc_status status = torc_sparse_allocate_array(&csr->row_ptr, A->context, 1, torc_offset_bytes(csr));
    if (status == TORC_SUCCESS) {
        status = torc_sparse_allocate_array(&col_idx, A->context, csr->nnz, sizeof(uint32_t));
        csr->col_idx = col_idx;
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_allocate_array(&csr->values, A->context, nvalues, torc_type_size(A->type));
    }
    return status;
}

torc_sparse *torc_sparse_new(
    torc_context *context, const torc_device_csr *shape, torc_type type, torc_access access)
{
    torc_sparse *A = calloc(1, sizeof *A);
    if (A) {
        *A = (torc_sparse){.context = context, .csr = *shape, .type = type, .access = access};
    }
    return A;
}

torc_status torc_sparse_copy_iso(torc_sparse *to, const torc_sparse *from)
{
    size_t size = torc_type_size(from->type);
    void *value = malloc(size);
    if (!value) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_memory_download(from->context, value, from->csr.values, size);
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(to->context, to->csr.values, value, size);
    }
    free(value);
    return status;
}

void torc_csr_release(torc_context *context, const torc_device_csr *csr)
{
    torc_memory_release(context, csr->row_ptr);
    torc_memory_release(context, csr->col_idx);
    torc_memory_release(context, csr->values);
}

torc_status torc_sparse_partition(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_partition *rows = &A->partition;
    torc_window windows[TORC_WINDOWS];
    torc_status status = context->executor->measure(context->device, rows, windows, &A->csr);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_footprint_set(&rows->statistics, windows);
    if (rows->nlong_rows == 0) {
        return status;
    }
    void *segments = NULL, *long_rows = NULL;
    status = torc_sparse_allocate_array(&segments, context, rows->nsegments, sizeof *rows->segments);
    rows->segments = segments;
    if (status == TORC_SUCCESS) {
        status = torc_sparse_allocate_array(&long_rows, context, rows->nlong_rows, sizeof *rows->long_rows);
        rows->long_rows = long_rows;
    }
    return status == TORC_SUCCESS ? context->executor->cut_rows(context->device, rows, &A->csr) : status;
}
