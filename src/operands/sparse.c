#include "csr_check.h"
#include "offsets.h"
#include "row_shares.h"
#include "sparse_parts.h"
#include <stdlib.h>

static bool fits_32_bits(int64_t x)
{
    return x >= 0 && x <= UINT32_MAX;
}

static torc_status upload_offsets(const torc_sparse *A, const torc_csr *csr)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    bool is_narrowed = csr->row_ptr_bits == 64 && !A->csr.wide_offsets;
    return is_narrowed ? executor->upload_narrow(device, A->csr.row_ptr, csr->row_ptr, csr->nrows + 1)
                       : executor->upload(device, A->csr.row_ptr, csr->row_ptr, torc_offset_bytes(&A->csr));
}

static torc_status upload_columns(const torc_sparse *A, const torc_csr *csr)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    int64_t nnz = A->csr.nnz;
    if (nnz == 0) {
        return TORC_SUCCESS;
    }
    return csr->col_idx_bits == 64
               ? executor->upload_narrow(device, A->csr.col_idx, csr->col_idx, nnz)
               : executor->upload(device, A->csr.col_idx, csr->col_idx, (size_t)nnz * sizeof(uint32_t));
}

static torc_status upload_values(const torc_sparse *A, const torc_csr *csr)
{
    size_t count = A->access == TORC_ACCESS_ISO ? 1 : (size_t)A->csr.nnz;
    return A->access == TORC_ACCESS_NONE
               ? TORC_SUCCESS
               : torc_memory_upload(A->context, A->csr.values, csr->values, count * torc_type_size(A->type));
}

static torc_status upload_row_names(torc_sparse *A, const int64_t *row_names)
{
    size_t size = (size_t)A->csr.nrows * sizeof *row_names;
    void *memory = NULL;
    if (!row_names || size == 0) {
        return TORC_SUCCESS;
    }
    torc_status status = torc_memory_allocate(&memory, A->context, size);
    A->row_names = memory;
    return status == TORC_SUCCESS ? torc_memory_upload(A->context, memory, row_names, size) : status;
}

/* What has no entries lacks no values. */
static torc_access access_of(const torc_csr *csr, int64_t nnz)
{
    if (!csr->values) {
        return nnz == 0 && torc_type_size(csr->type) > 0 ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE;
    }
    return csr->iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY;
}

torc_sparse *torc_sparse_like(torc_context *context, const torc_csr *csr, bool wide_offsets)
{
    int64_t nnz = torc_offset(csr->row_ptr, csr->row_ptr_bits, csr->nrows);
    torc_access access = access_of(csr, nnz);
    torc_device_csr shape = {
        .nrows = csr->nrows,
        .ncols = csr->ncols,
        .nnz = nnz,
        .wide_offsets = wide_offsets || !fits_32_bits(nnz),
        .value_size = access == TORC_ACCESS_ARRAY ? torc_type_size(csr->type) : 0,
    };
    return torc_sparse_new(context, &shape, csr->type, access);
}

torc_status torc_sparse_put(torc_sparse **A, torc_context *context, const torc_csr *csr, bool wide_offsets)
{
    torc_sparse *created = torc_sparse_like(context, csr, wide_offsets);
    if (!created) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_sparse_allocate(created);
    if (status == TORC_SUCCESS) {
        status = upload_offsets(created, csr);
    }
    if (status == TORC_SUCCESS) {
        status = upload_columns(created, csr);
    }
    if (status == TORC_SUCCESS) {
        status = upload_values(created, csr);
    }
    if (status == TORC_SUCCESS) {
        status = upload_row_names(created, csr->row_names);
    }
    if (status == TORC_SUCCESS) {
        status = torc_sparse_partition(created);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(created);
        return status;
    }
    *A = created;
    return TORC_SUCCESS;
}

/* It would take more than half of a device: there would be no room for its transpose, nor for wide operands.
 */
static bool is_large(torc_context *context, const torc_csr *csr)
{
    torc_sparse *shape = torc_sparse_like(context, csr, false);
    bool is_large = shape && torc_csr_bytes(&shape->csr) > context->memory / 2;
    torc_sparse_destroy(shape);
    return is_large;
}

/* Executors need memory for the time of a call too, which only the engine can make room for. */
torc_status torc_sparse_put_whole(torc_sparse **A, torc_context *context, const torc_csr *csr)
{
    torc_status status = torc_sparse_put(A, context, csr, false);
    if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
        status = torc_sparse_put(A, context, csr, false);
    }
    return status;
}

torc_status torc_sparse_create(torc_sparse **A, torc_context *context, const torc_csr *csr)
{
    if (A) {
        *A = NULL;
    }
    if (!context) {
        return TORC_NULL_POINTER;
    }
    if (!A) {
        return torc_context_refuse(context, TORC_NULL_POINTER, "A is NULL: where the operand is to go");
    }
    torc_status status = torc_csr_refuse(context, csr);
    if (status == TORC_SUCCESS) {
        status = is_large(context, csr) ? torc_sparse_divide(A, context, csr) : TORC_OUT_OF_MEMORY;
        if (status == TORC_OUT_OF_MEMORY) {
            status = torc_sparse_put_whole(A, context, csr);
        }
        if (status == TORC_OUT_OF_MEMORY) {
            status = torc_sparse_divide(A, context, csr);
        }
    }
    return status;
}

size_t torc_sparse_bytes(const torc_sparse *A)
{
    size_t most = A->is_divided ? 0 : torc_csr_bytes(&A->csr);
    for (int s = 0; A->is_divided && s < A->shares->count; s++) {
        size_t bytes = torc_csr_bytes(&A->shares->rows[s]->csr);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Their programs are given back once nothing of them is queued. */
static void forget_tuned(torc_sparse *A)
{
    torc_context *context = A->context;
    for (int i = 0; A->tuned && i < A->tuned->count; i++) {
        if (A->tuned->list[i].program) {
            context->executor->wait(context->device);
            context->executor->constant_unload(context->device, A->tuned->list[i].program);
        }
    }
    free(A->tuned);
}

void torc_sparse_destroy(torc_sparse *A)
{
    if (!A) {
        return;
    }
    torc_sparse_destroy(A->transpose);
    torc_sparse_unshare(A);
    torc_sparse_unorder(A);
    if (A->is_view) {
        torc_memory_release(A->context, A->csr.row_ptr);
    } else {
        torc_csr_release(A->context, &A->csr);
        torc_memory_release(A->context, A->row_names);
    }
    torc_memory_release(A->context, A->partition.segments);
    torc_memory_release(A->context, A->partition.long_rows);
    torc_memory_release(A->context, A->partition.pieces);
    torc_memory_release(A->context, A->partition.pieced_rows);
    torc_slices_release(&A->partition, A->context);
    torc_sparse_release_lists(A);
    torc_sparse_untile(A, &A->row_tiles);
    torc_sparse_untile(A, &A->part_tiles);
    torc_sparse_unbrick(A);
    free(A->present);
    free(A->selected);
    forget_tuned(A);
    free(A);
}

torc_status torc_sparse_statistics(torc_statistics *statistics, torc_sparse *A, bool transpose)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    if (!statistics) {
        return torc_context_refuse(A->context, TORC_NULL_POINTER, "statistics is NULL");
    }
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status == TORC_SUCCESS) {
        *statistics = A->partition.statistics;
    }
    return status;
}
