#include "sparse.h"
#include "csr_check.h"
#include "footprint.h"
#include "offsets.h"
#include <stdlib.h>
#include <string.h>

static bool fits_32_bits(int64_t x)
{
    return x >= 0 && x <= UINT32_MAX;
}

static size_t offset_bytes(const torc_device_csr *csr)
{
    return ((size_t)csr->nrows + 1) * (csr->wide_offsets ? sizeof(uint64_t) : sizeof(uint32_t));
}

/* It may be in the midst of a multiplication: its workspace is not trimmed for it. */
static torc_status allocate_array(void **array, torc_context *context, int64_t count, size_t size)
{
    *array = NULL;
    return count > 0 ? context->executor->allocate(array, context->device, (size_t)count * size)
                     : TORC_SUCCESS;
}

static torc_status allocate_csr(torc_sparse *A)
{
    torc_device_csr *csr = &A->csr;
    int64_t nvalues = A->access == TORC_ACCESS_ARRAY ? csr->nnz : A->access == TORC_ACCESS_ISO ? 1 : 0;
    void *col_idx = NULL;
    torc_status status = allocate_array(&csr->row_ptr, A->context, 1, offset_bytes(csr));
    if (status == TORC_SUCCESS) {
        status = allocate_array(&col_idx, A->context, csr->nnz, sizeof(uint32_t));
        csr->col_idx = col_idx;
    }
    if (status == TORC_SUCCESS) {
        status = allocate_array(&csr->values, A->context, nvalues, torc_type_size(A->type));
    }
    return status;
}

static torc_sparse *new_sparse(
    torc_context *context, const torc_device_csr *shape, torc_type type, torc_access access)
{
    torc_sparse *A = calloc(1, sizeof *A);
    if (A) {
        *A = (torc_sparse){.context = context, .csr = *shape, .type = type, .access = access};
    }
    return A;
}

static torc_status copy_iso_value(torc_sparse *to, const torc_sparse *from)
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

static void release_csr(torc_context *context, const torc_device_csr *csr)
{
    torc_memory_release(context, csr->row_ptr);
    torc_memory_release(context, csr->col_idx);
    torc_memory_release(context, csr->values);
}

/* Measure rows and columns, and cut long rows into segments. */
static torc_status partition_rows(torc_sparse *A)
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
    status = allocate_array(&segments, context, rows->nsegments, sizeof *rows->segments);
    rows->segments = segments;
    if (status == TORC_SUCCESS) {
        status = allocate_array(&long_rows, context, rows->nlong_rows, sizeof *rows->long_rows);
        rows->long_rows = long_rows;
    }
    return status == TORC_SUCCESS ? context->executor->cut_rows(context->device, rows, &A->csr) : status;
}

/* What a nonzero split needs, and no more. In the midst of a multiplication: its workspace is not trimmed for
 * it. */
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

static void release_slices(torc_partition *rows, torc_context *context)
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
    slices.segments = NULL; /* they are there already */
    slices.long_rows = NULL;
    torc_status status = allocate_slices(&slices, context);
    if (status == TORC_SUCCESS) {
        status = context->executor->cut_rows(context->device, &slices, &A->csr);
    }
    if (status != TORC_SUCCESS) {
        release_slices(&slices, context);
        return status;
    }
    slices.segments = A->partition.segments;
    slices.long_rows = A->partition.long_rows;
    A->partition = slices;
    A->is_sliced = true;
    return status;
}

/* ---- Rows and columns with entries -------------------------------------------------------------------- */

enum { NEARLY_ALL = 8 }; /* of that many parts all but one: what is left is not worth a list */

static bool is_worth_a_list(int64_t count, int64_t all)
{
    return count < all - all / NEARLY_ALL;
}

static torc_status list_rows(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_partition wanted = {.statistics = A->partition.statistics};
    void *numbers = NULL;
    A->rows.count = A->csr.nrows - wanted.statistics.empty_rows;
    if (!is_worth_a_list(A->rows.count, A->csr.nrows)) {
        return TORC_SUCCESS;
    }
    torc_status status = context->executor->allocate(
        &numbers, context->device, (size_t)A->csr.nrows * sizeof *A->rows.numbers);
    A->rows.numbers = wanted.rows = numbers;
    return status == TORC_SUCCESS ? context->executor->cut_rows(context->device, &wanted, &A->csr) : status;
}

static torc_status list_columns(torc_sparse *A)
{
    torc_context *context = A->context;
    void *numbers = NULL;
    torc_status status = context->executor->allocate(
        &numbers, context->device, (size_t)A->csr.ncols * sizeof *A->columns.numbers);
    A->columns.numbers = numbers;
    if (status == TORC_SUCCESS) {
        status = context->executor->list_columns(context->device, numbers, &A->columns.count, &A->csr);
    }
    if (status == TORC_SUCCESS && !is_worth_a_list(A->columns.count, A->csr.ncols)) {
        torc_memory_release(context, numbers);
        A->columns.numbers = NULL;
    }
    return status;
}

static void release_lists(torc_sparse *A)
{
    torc_memory_release(A->context, A->rows.numbers);
    torc_memory_release(A->context, A->columns.numbers);
    A->rows.numbers = A->columns.numbers = NULL;
}

torc_status torc_sparse_list(torc_sparse *A)
{
    if (A->is_listed) {
        return TORC_SUCCESS;
    }
    torc_status status = list_rows(A);
    if (status == TORC_SUCCESS) {
        status = list_columns(A);
    }
    if (status != TORC_SUCCESS) {
        release_lists(A);
    }
    A->is_listed = status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY;
    return A->is_listed ? TORC_SUCCESS : status;
}

void torc_sparse_unlist(torc_sparse *A)
{
    release_lists(A);
    A->is_listed = true;
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

void torc_sparse_untile(torc_sparse *A)
{
    const torc_tiles *tiles = &A->tiles;
    void *arrays[] = {tiles->tile_begin, tiles->columns, tiles->ncolumns, tiles->owners, tiles->steps,
        tiles->batch_begin, tiles->batches, tiles->long_rows};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        torc_memory_release(A->context, arrays[i]);
    }
    torc_sparse_destroy(A->rest);
    A->tiles = (torc_tiles){0};
    A->rest = NULL;
    A->is_tiled = true;
}

/* What tiles leave out, as an operand, which has the arrays now. */
static torc_status keep_rest(torc_sparse *A, const torc_device_csr *csr)
{
    A->rest = new_sparse(A->context, csr, A->type, A->access);
    if (!A->rest) {
        release_csr(A->context, csr);
        return TORC_OUT_OF_MEMORY;
    }
    A->rest->c_rows = A->c_rows;
    torc_status status = TORC_SUCCESS;
    if (A->access == TORC_ACCESS_ISO) {
        status = allocate_array(&A->rest->csr.values, A->context, 1, torc_type_size(A->type));
        if (status == TORC_SUCCESS) {
            status = copy_iso_value(A->rest, A);
        }
    }
    return status == TORC_SUCCESS ? partition_rows(A->rest) : status;
}

torc_status torc_sparse_tile(torc_sparse *A)
{
    torc_context *context = A->context;
    torc_device_csr rest;
    if (A->is_tiled) {
        return TORC_SUCCESS;
    }
    torc_status status =
        context->executor->plan_tiles(context->device, &A->tiles, &rest, &A->partition, &A->csr);
    A->is_tiled = true;
    if (status == TORC_SUCCESS && rest.nnz > 0) {
        status = keep_rest(A, &rest);
    } else {
        release_csr(context, &rest);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_untile(A);
    }
    return status == TORC_UNSUPPORTED || status == TORC_OUT_OF_MEMORY ? TORC_SUCCESS : status;
}

/* ---- Creation ----------------------------------------------------------------------------------------- */

static torc_status upload_offsets(const torc_sparse *A, const torc_csr *csr)
{
    const torc_executor *executor = A->context->executor;
    torc_device *device = A->context->device;
    bool is_narrowed = csr->row_ptr_bits == 64 && !A->csr.wide_offsets;
    return is_narrowed ? executor->upload_narrow(device, A->csr.row_ptr, csr->row_ptr, csr->nrows + 1)
                       : executor->upload(device, A->csr.row_ptr, csr->row_ptr, offset_bytes(&A->csr));
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

static torc_access access_of(const torc_csr *csr)
{
    if (!csr->values) {
        return TORC_ACCESS_NONE;
    }
    return csr->iso ? TORC_ACCESS_ISO : TORC_ACCESS_ARRAY;
}

static torc_status put_on_device(torc_sparse **A, torc_context *context, const torc_csr *csr)
{
    int64_t nnz = torc_offset(csr->row_ptr, csr->row_ptr_bits, csr->nrows);
    torc_access access = access_of(csr);
    torc_device_csr shape = {
        .nrows = csr->nrows,
        .ncols = csr->ncols,
        .nnz = nnz,
        .wide_offsets = !fits_32_bits(nnz),
        .value_size = access == TORC_ACCESS_ARRAY ? torc_type_size(csr->type) : 0,
    };
    torc_sparse *created = new_sparse(context, &shape, csr->type, access);
    if (!created) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = allocate_csr(created);
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
        status = partition_rows(created);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(created);
        return status;
    }
    *A = created;
    return TORC_SUCCESS;
}

/* Executors need memory for the time of a call too, which only the engine can make room for. */
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
        status = put_on_device(A, context, csr);
        if (status == TORC_OUT_OF_MEMORY && torc_context_trim(context)) {
            status = put_on_device(A, context, csr);
        }
    }
    return status;
}

/* Offsets that begin with 0, on the device. */
static torc_status upload_rebased(torc_sparse *rows, const void *row_ptr, int64_t begin, int64_t first)
{
    torc_device_csr *csr = &rows->csr;
    void *offsets = malloc(offset_bytes(csr));
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
    torc_status status = torc_memory_allocate(&csr->row_ptr, rows->context, offset_bytes(csr));
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(rows->context, csr->row_ptr, offsets, offset_bytes(csr));
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
    *rows = new_sparse(A->context, &shape, A->type, A->access);
    if (!*rows) {
        return TORC_OUT_OF_MEMORY;
    }
    (*rows)->is_view = true;
    (*rows)->row_names = A->row_names ? A->row_names + begin : NULL;
    torc_status status = upload_rebased(*rows, row_ptr, begin, first);
    if (status == TORC_SUCCESS) {
        status = partition_rows(*rows);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(*rows);
        *rows = NULL;
    }
    return status;
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
    torc_sparse_unorder(A);
    if (A->is_view) {
        torc_memory_release(A->context, A->csr.row_ptr);
    } else {
        release_csr(A->context, &A->csr);
        torc_memory_release(A->context, A->row_names);
    }
    torc_memory_release(A->context, A->partition.segments);
    torc_memory_release(A->context, A->partition.long_rows);
    release_slices(&A->partition, A->context);
    release_lists(A);
    torc_sparse_untile(A);
    torc_sparse_unbrick(A);
    free(A->present);
    free(A->selected);
    forget_tuned(A);
    free(A);
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
    torc_sparse *T = new_sparse(A->context, &shape, A->type, A->access);
    if (!T) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = allocate_csr(T);
    if (status == TORC_SUCCESS) {
        status = A->context->executor->transpose_csr(A->context->device, &T->csr, &A->csr);
    }
    if (status == TORC_SUCCESS && A->access == TORC_ACCESS_ISO) {
        status = copy_iso_value(T, A);
    }
    if (status == TORC_SUCCESS) {
        status = partition_rows(T);
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
    torc_status status = TORC_SUCCESS;
    if (transpose && !A->transpose) {
        status = form_transpose(&A->transpose, A);
        if (status == TORC_OUT_OF_MEMORY && torc_context_trim(A->context)) {
            status = form_transpose(&A->transpose, A);
        }
    }
    *oriented = transpose ? A->transpose : A;
    return status;
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

/* Presence as the device knows it, into A->present. */
static torc_status find_presence(torc_sparse *A)
{
    torc_context *context = A->context;
    size_t size = (size_t)A->csr.nrows;
    torc_partition wanted = {.statistics = A->partition.statistics};
    void *on_device = NULL;
    uint8_t *present = malloc(size + 1);
    torc_status status = present ? torc_memory_allocate(&on_device, context, size) : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS && size > 0) {
        wanted.present = on_device;
        status = context->executor->cut_rows(context->device, &wanted, &A->csr);
    }
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(context, present, on_device, size);
    }
    torc_memory_release(context, on_device);
    if (status != TORC_SUCCESS) {
        free(present);
        return status;
    }
    A->present = present;
    return status;
}

torc_status torc_sparse_row_presence(uint8_t *present, torc_sparse *A, bool transpose)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    if (!present) {
        return torc_context_refuse(A->context, TORC_NULL_POINTER, "present is NULL");
    }
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status == TORC_SUCCESS && !A->present) {
        status = find_presence(A);
    }
    if (status == TORC_SUCCESS) {
        memcpy(present, A->present, (size_t)A->csr.nrows);
    }
    return status;
}
