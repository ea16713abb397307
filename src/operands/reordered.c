/* reordered.c: a sparse operand with its rows in another order. It is an operand of its own, and plans are
 * made for it. It is built on the host, where the order is found. */
#include "offsets.h"
#include "row_order.h"
#include "row_windows.h"
#include "seconds_now.h"
#include "sparse_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALWAYS_SHARED = 1 << 12 }; /* bytes that a row is taken for when its entries are moved */

/* A in host memory, before and after. */
typedef struct rearrangement {
    torc_row_lists from;
    const char *from_values;
    size_t value_size; /* 0: none that move */
    uint32_t *order;
    torc_row_order_bricks bricks;
    int64_t tall_bricks; /* after, of height 2 */
    int64_t *row_ptr;
    uint32_t *col_idx;
    char *values;
} rearrangement;

/* malloc, but that 0 bytes are some. */
static void *reserve(size_t count, size_t size)
{
    return malloc(count * size + 1);
}

static void move_rows(void *argument, int64_t begin, int64_t end)
{
    const rearrangement *r = argument;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = torc_offset(r->from.row_ptr, r->from.row_ptr_bits, r->order[i]);
        size_t to = (size_t)r->row_ptr[i], count = (size_t)(r->row_ptr[i + 1] - r->row_ptr[i]);
        memcpy(r->col_idx + to, r->from.col_idx + first, count * sizeof *r->col_idx);
        memcpy(r->values + to * r->value_size, r->from_values + (size_t)first * r->value_size,
            count * r->value_size);
    }
}

/* The arrays before, off the device. The caller frees what was made, also on error. */
static torc_status fetch(rearrangement *r, const torc_sparse *A)
{
    const torc_device_csr *csr = &A->csr;
    size_t nrows = (size_t)csr->nrows, nnz = (size_t)csr->nnz;
    int bits = csr->wide_offsets ? 64 : 32;
    size_t nvalues = A->access == TORC_ACCESS_ARRAY ? nnz : A->access == TORC_ACCESS_ISO ? 1 : 0;
    size_t size = torc_type_size(A->type), offsets = (nrows + 1) * (size_t)bits / 8;
    void *row_ptr = reserve(offsets, 1), *values = reserve(nvalues, size);
    uint32_t *col_idx = reserve(nnz, sizeof *col_idx);
    *r = (rearrangement){
        .from = {csr->nrows, csr->ncols, row_ptr, bits, col_idx},
        .from_values = values,
        .value_size = A->access == TORC_ACCESS_ARRAY ? size : 0,
    };
    if (!row_ptr || !col_idx || !values) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_memory_download(A->context, row_ptr, csr->row_ptr, offsets);
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(A->context, col_idx, csr->col_idx, nnz * sizeof *col_idx);
    }
    return status == TORC_SUCCESS ? torc_memory_download(A->context, values, csr->values, nvalues * size)
                                  : status;
}

/* The footprint from which the known number of bricks is predicted: the columns that fill them, except for
 * half a brick at the end of each window. */
static double footprint_of_bricks(const torc_row_lists *A, int64_t nnz, int64_t bricks, int height)
{
    double windows = ceil((double)A->nrows / (TORC_BRICK_ROWS * height));
    double spare = (TORC_BRICK_COLUMNS - 1) / 2.;
    return ((double)bricks * TORC_BRICK_COLUMNS - windows * spare) / (double)nnz;
}

/* The arrays after. */
static torc_status rearrange(rearrangement *r)
{
    size_t nrows = (size_t)r->from.nrows;
    size_t nnz = (size_t)torc_offset(r->from.row_ptr, r->from.row_ptr_bits, r->from.nrows);
    r->order = reserve(nrows + 1, sizeof *r->order);
    r->row_ptr = reserve(nrows + 1, sizeof *r->row_ptr);
    r->col_idx = reserve(nnz, sizeof *r->col_idx);
    r->values = reserve(nnz, r->value_size);
    if (!r->order || !r->row_ptr || !r->col_idx || !r->values) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status = torc_row_order(r->order, &r->bricks, &r->from);
    if (status != TORC_SUCCESS) {
        return status;
    }
    r->order[nrows] = 0; /* nobody's */
    r->row_ptr[0] = 0;
    for (size_t i = 0; i < nrows; i++) {
        int64_t begin = torc_offset(r->from.row_ptr, r->from.row_ptr_bits, r->order[i]);
        int64_t end = torc_offset(r->from.row_ptr, r->from.row_ptr_bits, r->order[i] + (int64_t)1);
        r->row_ptr[i + 1] = r->row_ptr[i] + end - begin;
    }
    torc_threads_loop(r->from.nrows, ALWAYS_SHARED, move_rows, r);
    return status;
}

static void release(rearrangement *r)
{
    free((void *)(uintptr_t)r->from.row_ptr);
    free((void *)(uintptr_t)r->from.col_idx);
    free((void *)(uintptr_t)r->from_values);
    free(r->order);
    free(r->row_ptr);
    free(r->col_idx);
    free(r->values);
}

static torc_status put_on_device(torc_sparse *A, const rearrangement *r)
{
    torc_csr csr = {
        .nrows = r->from.nrows,
        .ncols = r->from.ncols,
        .row_ptr = r->row_ptr,
        .col_idx = r->col_idx,
        .values = A->access == TORC_ACCESS_ARRAY ? r->values
                  : A->access == TORC_ACCESS_ISO ? r->from_values
                                                 : NULL,
        .row_ptr_bits = 64,
        .col_idx_bits = 32,
        .type = A->type,
        .iso = A->access == TORC_ACCESS_ISO,
    };
    size_t size = ((size_t)r->from.nrows + 1) * sizeof *r->order;
    void *c_rows = NULL;
    torc_status status = torc_sparse_put_whole(&A->reordered, A->context, &csr);
    if (status == TORC_SUCCESS) {
        status = torc_memory_allocate(&c_rows, A->context, size);
        A->reordered->c_rows = c_rows;
        A->reordered->row_names = A->row_names;
    }
    return status == TORC_SUCCESS ? torc_memory_upload(A->context, c_rows, r->order, size) : status;
}

void torc_sparse_unorder(torc_sparse *A)
{
    if (A->reordered) {
        A->reordered->row_names = NULL; /* A's */
        torc_memory_release(A->context, A->reordered->c_rows);
        torc_sparse_destroy(A->reordered);
        A->reordered = NULL;
    }
    A->reordering.seconds = 0;
}

/* Makes nothing if no order is better than the one that there was. */
static torc_status reorder(torc_sparse *A)
{
    rearrangement r;
    double start = torc_seconds_now();
    torc_status status = fetch(&r, A);
    if (status == TORC_SUCCESS) {
        status = rearrange(&r);
    }
    if (status == TORC_SUCCESS && r.bricks.after < r.bricks.before) {
        r.tall_bricks = torc_windows_count(r.order, &r.from, 2);
        status = r.tall_bricks >= 0 ? put_on_device(A, &r) : TORC_OUT_OF_MEMORY;
    }
    if (status == TORC_UNSUPPORTED) {
        torc_context_refuse(A->context, status, "A has 2^32 rows and columns or more");
    } else if (status == TORC_OUT_OF_MEMORY) {
        torc_context_refuse(A->context, status, "there is no memory to look for another order of rows");
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_unorder(A);
    } else {
        A->reordering = (torc_reordering){torc_seconds_now() - start, r.bricks.before, r.bricks.after};
    }
    if (A->reordered) {
        torc_statistics *after = &A->reordered->partition.statistics;
        after->brick_footprint = footprint_of_bricks(&r.from, after->nnz, r.bricks.after, 1);
        after->tall_brick_footprint = footprint_of_bricks(&r.from, after->nnz, r.tall_bricks, 2);
    }
    release(&r);
    return status;
}

torc_status torc_sparse_reorder(torc_reordering *reordering, torc_sparse *A, bool transpose)
{
    if (!A) {
        return TORC_NULL_POINTER;
    }
    torc_status status = torc_sparse_orient(&A, A, transpose);
    if (status == TORC_SUCCESS) {
        status = torc_sparse_refuse_divided(A, "another order of rows");
    }
    if (status == TORC_SUCCESS && A->reordering.seconds == 0 && A->csr.nnz > 0) {
        status = reorder(A);
    }
    if (reordering) {
        *reordering = status == TORC_SUCCESS ? A->reordering : (torc_reordering){0};
    }
    return status;
}
