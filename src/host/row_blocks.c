/* row_blocks.c: a product in host memory whose sparse operand does not fit on the device. It is computed by
 * blocks of the operand's rows. */
#include "csr_check.h"
#include "csr_rows.h"
#include "offsets.h"
#include "spmm.h"
#include <stdlib.h>

/* As torc_spmm_by_rows has them; update and old are not NULL. */
typedef struct rows_product {
    torc_semiring semiring;
    const torc_csr *A;
    const torc_dense *C, *B, *old;
    const torc_update *update;
} rows_product;

static int64_t offset_at(const torc_csr *A, int64_t row)
{
    return torc_offset(A->row_ptr, A->row_ptr_bits, row);
}

/* Rows of a block are told their place in A. */
static bool needs_names(const rows_product *product)
{
    return torc_semiring_traits(product->semiring).is_positional;
}

static size_t block_bytes(const rows_product *product, int64_t begin, int64_t end)
{
    const torc_csr *A = product->A;
    size_t value_size = A->values && !A->iso ? torc_type_size(A->type) : 0;
    size_t row_size = sizeof(uint32_t) + (needs_names(product) ? sizeof(int64_t) : 0);
    size_t entries = (size_t)(offset_at(A, end) - offset_at(A, begin));
    return (size_t)(end - begin) * row_size + entries * (sizeof(uint32_t) + value_size);
}

/* Where a block of that size ends which begins with row `begin`: it has that row at least. */
static int64_t block_end(const rows_product *product, int64_t begin, size_t bytes)
{
    int64_t fits = begin + 1, beyond = product->A->nrows + 1;
    while (beyond - fits > 1) {
        int64_t middle = fits + (beyond - fits) / 2;
        if (block_bytes(product, begin, middle) <= bytes) {
            fits = middle;
        } else {
            beyond = middle;
        }
    }
    return fits;
}

/* What a block may take: half of the memory that the device has left. The other half is for panels. */
static torc_status find_budget(size_t *bytes, torc_context *context)
{
    torc_device_info info;
    torc_context_trim(context);
    torc_status status = torc_context_info(&info, context);
    *bytes = status == TORC_SUCCESS ? info.memory_available / 2 : 0;
    return status;
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

static torc_status multiply_block(
    torc_context *context, const rows_product *product, const torc_csr *block, int64_t begin)
{
    int64_t end = begin + block->nrows;
    const torc_dense *C = product->C;
    torc_dense rows = view_rows(C, C, begin, end), old_rows = view_rows(product->old, C, begin, end);
    torc_update update = *product->update;
    torc_host_options options = {.old = &old_rows};
    torc_sparse *A;
    update.mask = from_row(update.mask, C, begin, 1);
    torc_status status = torc_sparse_create(&A, context, block);
    if (status == TORC_SUCCESS) {
        status = torc_spmm_host(&rows, product->semiring, A, false, product->B, &update, &options);
    }
    torc_sparse_destroy(A);
    return status;
}

static torc_status multiply_rows(
    torc_context *context, const rows_product *product, int64_t begin, int64_t end)
{
    size_t rows = (size_t)(end - begin);
    int64_t *row_ptr = malloc((rows + 1) * sizeof *row_ptr);
    int64_t *row_names = needs_names(product) ? malloc(rows * sizeof *row_names) : NULL;
    torc_status status = TORC_OUT_OF_MEMORY;
    if (row_ptr && (row_names || !needs_names(product))) {
        torc_csr block = torc_csr_rows(product->A, begin, end, row_ptr);
        for (size_t i = 0; row_names && i < rows; i++) {
            row_names[i] = block.row_names ? block.row_names[i] : begin + (int64_t)i;
        }
        block.row_names = row_names;
        status = multiply_block(context, product, &block, begin);
    }
    free(row_ptr);
    free(row_names);
    return status;
}

/* By blocks of at most so many bytes, a row at least. If that turns out to be too much for a block, or for
 * what goes with it, they are of fewer from then on. */
static torc_status multiply_blocks(torc_context *context, const rows_product *product, size_t bytes)
{
    torc_status status = TORC_SUCCESS;
    int64_t begin = 0;
    while (status == TORC_SUCCESS && begin < product->A->nrows) {
        int64_t end = block_end(product, begin, bytes);
        status = multiply_rows(context, product, begin, end);
        if (status == TORC_SUCCESS) {
            begin = end;
        } else if (status == TORC_OUT_OF_MEMORY && end - begin > 1) {
            bytes = block_bytes(product, begin, end) / 2;
            status = TORC_SUCCESS;
        }
    }
    return status;
}

/* Is the whole as it has to be? A block tells neither that C is too narrow for the columns it has, nor, where
 * A has no rows, anything. */
static torc_status check(torc_context *context, const rows_product *product)
{
    const torc_csr *A = product->A;
    torc_status status = torc_csr_refuse(context, A);
    if (status != TORC_SUCCESS) {
        return status;
    }
    torc_sparse whole = {
        .context = context,
        .csr = {.nrows = A->nrows, .ncols = A->ncols},
        .type = A->type,
        .access = A->values || offset_at(A, A->nrows) == 0 ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
    };
    return torc_spmm_check_arguments(
        product->C, product->semiring, &whole, false, product->B, product->update);
}

torc_status torc_spmm_by_rows(const torc_dense *C, torc_semiring semiring, torc_context *context,
    const torc_csr *A, const torc_dense *B, const torc_update *update, const torc_dense *old)
{
    static const torc_update overwrite;
    if (!context) {
        return TORC_NULL_POINTER;
    }
    const rows_product product = {semiring, A, C, B, old ? old : C, update ? update : &overwrite};
    size_t bytes;
    torc_status status = check(context, &product);
    if (status == TORC_SUCCESS) {
        status = find_budget(&bytes, context);
    }
    return status == TORC_SUCCESS ? multiply_blocks(context, &product, bytes) : status;
}
