/* row_blocks.c: a product in host memory whose sparse operand does not fit on the device. It is computed by
 * blocks of the operand's rows.
 *
 * Half of the free memory is for a block, the other half for panels. If that turns out to be too much for a
 * block, or for what goes with it, blocks shrink. */
#include "csr_check.h"
#include "offsets.h"
#include "spmm.h"
#include <stdlib.h>

typedef struct row_blocks {
    torc_context *context;
    const torc_csr *A;
    bool needs_names; /* rows of a block are told their place in A */
    int64_t *row_ptr; /* of one block, and the places of its rows */
    int64_t *row_names;
    size_t budget; /* bytes of a block */
} row_blocks;

static int64_t offset_at(const torc_csr *A, int64_t row)
{
    return torc_offset(A->row_ptr, A->row_ptr_bits, row);
}

static size_t block_bytes(const row_blocks *blocks, int64_t begin, int64_t end)
{
    const torc_csr *A = blocks->A;
    size_t value_size = A->values && !A->iso ? torc_type_size(A->type) : 0;
    size_t row_size = sizeof(uint32_t) + (blocks->needs_names ? sizeof(int64_t) : 0);
    size_t entries = (size_t)(offset_at(A, end) - offset_at(A, begin));
    return (size_t)(end - begin) * row_size + entries * (sizeof(uint32_t) + value_size);
}

/* The most rows from `begin` on that the budget allows, one at least. */
static int64_t block_end(const row_blocks *blocks, int64_t begin)
{
    int64_t fits = begin + 1, beyond = blocks->A->nrows + 1;
    while (beyond - fits > 1) {
        int64_t middle = fits + (beyond - fits) / 2;
        if (block_bytes(blocks, begin, middle) <= blocks->budget) {
            fits = middle;
        } else {
            beyond = middle;
        }
    }
    return fits;
}

/* Rows begin .. end-1 as a matrix, borrowing from A and from the blocks. */
static torc_csr view_block(const row_blocks *blocks, int64_t begin, int64_t end)
{
    torc_csr block = *blocks->A;
    int64_t first = offset_at(&block, begin);
    for (int64_t i = begin; i <= end; i++) {
        blocks->row_ptr[i - begin] = offset_at(&block, i) - first;
    }
    for (int64_t i = begin; blocks->row_names && i < end; i++) {
        blocks->row_names[i - begin] = block.row_names ? block.row_names[i] : i;
    }
    block.nrows = end - begin;
    block.row_ptr = blocks->row_ptr;
    block.row_ptr_bits = 64;
    block.row_names = blocks->row_names;
    if (block.col_idx) {
        block.col_idx = (const char *)block.col_idx + (size_t)first * (size_t)block.col_idx_bits / 8;
    }
    if (block.values && !block.iso) {
        block.values = (const char *)block.values + (size_t)first * torc_type_size(block.type);
    }
    return block;
}

/* The same rows of C and of what is laid out as C; NULL stays NULL. */
static const void *from_row(const void *array, const torc_dense *C, int64_t row, size_t size)
{
    int64_t at = C->order == TORC_ROW_MAJOR ? row * C->ld : row;
    return array ? (const char *)array + (size_t)at * size : NULL;
}

static torc_dense view_rows(const torc_dense *X, const torc_dense *C, int64_t begin, int64_t end)
{
    torc_dense view = *C;
    view.nrows = end - begin;
    view.data = (void *)from_row(X->data, C, begin, torc_type_size(C->type));
    view.bitmap = (uint8_t *)from_row(X->bitmap, C, begin, 1);
    return view;
}

static torc_status multiply_block(const row_blocks *blocks, int64_t begin, int64_t end, const torc_dense *C,
    torc_semiring semiring, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    torc_csr csr = view_block(blocks, begin, end);
    torc_dense rows = view_rows(C, C, begin, end), old_rows = view_rows(old ? old : C, C, begin, end);
    torc_update rows_update = update ? *update : (torc_update){0};
    torc_host_options options = {.old = &old_rows};
    torc_sparse *A;
    rows_update.mask = from_row(rows_update.mask, C, begin, 1);
    torc_status status = torc_sparse_create(&A, blocks->context, &csr);
    if (status == TORC_SUCCESS) {
        status = torc_spmm_host(&rows, semiring, A, false, B, &rows_update, &options);
    }
    torc_sparse_destroy(A);
    return status;
}

/* Once for all of A: a block tells neither that C is too narrow for the columns it has, nor, where A has no
 * rows, anything. */
static torc_status check_whole(const torc_dense *C, torc_semiring semiring, torc_context *context,
    const torc_csr *A, const torc_dense *B, const torc_update *update)
{
    torc_status status = torc_csr_refuse(context, A);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_sparse whole = {
        .context = context,
        .csr = {.nrows = A->nrows, .ncols = A->ncols},
        .type = A->type,
        .access = A->values ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
    };
    return torc_spmm_check_arguments(C, semiring, &whole, false, B, update);
}

static torc_status open_blocks(row_blocks *blocks)
{
    torc_device_info info;
    torc_context_trim(blocks->context);
    torc_status status = torc_context_info(&info, blocks->context);
    if (status != TORC_SUCCESS) {
        return status;
    }
    blocks->budget = info.memory_available / 2;
    size_t count = (size_t)blocks->A->nrows + 1;
    blocks->row_ptr = malloc(count * sizeof *blocks->row_ptr);
    blocks->row_names = blocks->needs_names ? malloc(count * sizeof *blocks->row_names) : NULL;
    bool has_memory = blocks->row_ptr && (blocks->row_names || !blocks->needs_names);
    return has_memory ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

torc_status torc_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_context *context,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    if (!context) {
        return TORC_NULL_POINTER;
    }
    torc_status status = check_whole(C, semiring, context, A, B, update);
    bool needs_names = torc_semiring_traits(semiring).is_positional;
    row_blocks blocks = {.context = context, .A = A, .needs_names = needs_names};
    if (status == TORC_SUCCESS) {
        status = open_blocks(&blocks);
    }
    for (int64_t begin = 0; status == TORC_SUCCESS && begin < A->nrows;) {
        int64_t end = block_end(&blocks, begin);
        status = multiply_block(&blocks, begin, end, C, semiring, B, update, old);
        if (status == TORC_SUCCESS) {
            begin = end;
        } else if (status == TORC_OUT_OF_MEMORY && end - begin > 1) {
            blocks.budget = block_bytes(&blocks, begin, end) / 2;
            status = TORC_SUCCESS;
        }
    }
    free(blocks.row_ptr);
    free(blocks.row_names);
    return status;
}
