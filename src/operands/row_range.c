/* row_range.c: a range of rows of a sparse operand, as an operand that borrows its entries. */
#include "offsets.h"
#include "sparse_parts.h"
#include <stdlib.h>

/* Offsets that begin with 0, on the device. */
static torc_status upload_rebased(torc_sparse *rows, const void *row_ptr, int64_t begin, int64_t first)
{
    torc_device_csr *csr = &rows->csr;
    void *offsets = malloc(torc_offset_bytes(csr));
    if (!offsets) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i <= csr->nrows; i++) {
        int64_t offset = torc_offset(row_ptr, csr->wide_offsets ? 64 : 32, begin + i) - first;
        if (csr->wide_offsets) {
            ((int64_t *)offsets)[i] = offset;
        } else {
            ((uint32_t *)offsets)[i] = (uint32_t)offset;
        }
    }
    /* Without taking workspace for it: a product may be under way. */
    torc_status status = torc_sparse_allocate_array(&csr->row_ptr, rows->context, 1, torc_offset_bytes(csr));
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(rows->context, csr->row_ptr, offsets, torc_offset_bytes(csr));
    }
    free(offsets);
    return status;
}

torc_status torc_sparse_rows(
    torc_sparse **rows, torc_sparse *A, const void *row_ptr, int64_t begin, int64_t end)
{
    int bits = A->csr.wide_offsets ? 64 : 32;
    int64_t first = torc_offset(row_ptr, bits, begin);
    torc_device_csr shape = A->csr;
    shape.nrows = end - begin;
    shape.nnz = torc_offset(row_ptr, bits, end) - first;
    shape.row_ptr = NULL;
    shape.col_idx = shape.col_idx ? shape.col_idx + first : NULL;
    if (A->access == TORC_ACCESS_ARRAY && shape.values) {
        shape.values = (char *)shape.values + (size_t)first * shape.value_size;
    }
    *rows = torc_sparse_new(A->context, &shape, A->type, A->access);
    if (!*rows) {
        return TORC_OUT_OF_MEMORY;
    }
    (*rows)->is_view = true;
    (*rows)->row_names = A->row_names ? A->row_names + begin : NULL;
    torc_status status = upload_rebased(*rows, row_ptr, begin, first);
    if (status == TORC_SUCCESS) {
        status = torc_sparse_partition(*rows);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(*rows);
        *rows = NULL;
    }
    return status;
}
