/* placed_sparse.c: see placed_sparse.h. */
#include "placed_sparse.h"
#include "hold.h"
#include "offsets.h"
#include <stdlib.h>

/* Offsets of all vectors of a hypersparse matrix, those without entries included. */
static int64_t *expand_offsets(const torc_view *S, int64_t nrows)
{
    int64_t *row_ptr = malloc(((size_t)nrows + 1) * sizeof *row_ptr);
    if (!row_ptr) {
        return NULL;
    }
    int64_t row = 0;
    for (int64_t v = 0; v < S->nvec; v++) {
        int64_t name = torc_offset(S->hyper, S->hyper_bits, v);
        for (; row <= name; row++) {
            row_ptr[row] = torc_offset(S->ptr, S->ptr_bits, v);
        }
    }
    for (; row <= nrows; row++) {
        row_ptr[row] = S->nvals;
    }
    return row_ptr;
}

/* The names of the vectors of a hypersparse matrix, as the engine takes them. */
static int64_t *copy_names(const torc_view *S)
{
    int64_t *names = malloc((size_t)S->nvec * sizeof *names);
    for (int64_t v = 0; names && v < S->nvec; v++) {
        names[v] = torc_offset(S->hyper, S->hyper_bits, v);
    }
    return names;
}

torc_status torc_product_read_sparse(
    torc_csr *csr, int64_t **owned, const torc_product *product, bool is_complete)
{
    const torc_view *view = product->sparse;
    torc_traits traits = torc_semiring_traits(product->semiring);
    bool with_values = is_complete || traits.reads_a;
    *csr = (torc_csr){
        .nrows = view->nvec,
        .ncols = view->veclen,
        .row_ptr = view->ptr,
        .col_idx = view->idx,
        .values = with_values ? view->values : NULL,
        .row_ptr_bits = view->ptr_bits,
        .col_idx_bits = view->idx_bits,
        .type = product->sparse_type,
        .iso = view->iso,
    };
    *owned = NULL;
    if (product->is_compact && (is_complete || traits.is_positional)) {
        csr->row_names = *owned = copy_names(view);
    } else if (view->format == TORC_HYPERSPARSE && !product->is_compact) {
        csr->nrows = view->by_col ? view->ncols : view->nrows;
        csr->row_ptr = *owned = expand_offsets(view, csr->nrows);
        csr->row_ptr_bits = 64;
    } else {
        return TORC_SUCCESS;
    }
    return *owned ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static void set_array(torc_origin *origin, int which, const void *memory, int64_t count, size_t size)
{
    origin->arrays[which].memory = memory;
    origin->arrays[which].size = memory ? (size_t)count * size : 0;
}

/* The arrays that torc_product_read_sparse reads. */
static torc_origin origin_of(const torc_product *product)
{
    const torc_view *S = product->sparse;
    torc_traits traits = torc_semiring_traits(product->semiring);
    const void *voucher = torc_hold_voucher(product->sparse_matrix);
    torc_origin origin = {
        .voucher = voucher,
        .is_sparse = true,
        .nrows = product->is_compact || S->format == TORC_SPARSE ? S->nvec
                 : S->by_col                                     ? S->ncols
                                                                 : S->nrows,
        .ncols = S->veclen,
        .ptr_bits = S->ptr_bits,
        .hyper_bits = S->hyper_bits,
        .idx_bits = S->idx_bits,
        .is_compact = product->is_compact,
        .has_row_names = product->is_compact && (voucher || traits.is_positional),
        .type = product->sparse_type,
        .iso = S->iso,
    };
    set_array(&origin, TORC_ORIGIN_PTR, S->ptr, S->nvec + 1, (size_t)S->ptr_bits / 8);
    set_array(&origin, TORC_ORIGIN_HYPER, S->hyper, S->nvec, (size_t)S->hyper_bits / 8);
    set_array(&origin, TORC_ORIGIN_IDX, S->idx, S->nvals, (size_t)S->idx_bits / 8);
    if (voucher || traits.reads_a) {
        set_array(&origin, TORC_ORIGIN_VALUES, S->values, S->iso ? 1 : S->nvals, S->type_size);
    }
    return origin;
}

torc_sparse_present torc_placed_sparse_look(const torc_product *product)
{
    torc_origin origin = origin_of(product);
    return (torc_sparse_present){
        .is_there = torc_residency_has(&origin), .would_stay = torc_origin_would_stay(&origin)};
}

/* Who vouches for a copy has one that serves every product. */
static torc_status send(torc_copy *S, torc_context *context, const torc_product *product, bool is_complete)
{
    torc_csr csr;
    int64_t *owned;
    torc_status status = torc_product_read_sparse(&csr, &owned, product, is_complete);
    if (status == TORC_SUCCESS) {
        status = torc_sparse_create(&S->sparse, context, &csr);
    }
    free(owned);
    return status;
}

torc_status torc_place_sparse(torc_copy **placed, torc_context *context, const torc_product *product)
{
    torc_origin origin = origin_of(product);
    torc_copy *S = *placed = torc_residency_lend(context, &origin);
    if (!S || S->sparse) {
        return S ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    }
    torc_status status = send(S, context, product, origin.voucher);
    while (status == TORC_OUT_OF_MEMORY && torc_residency_evict_oldest()) {
        status = send(S, context, product, origin.voucher);
    }
    if (status == TORC_SUCCESS) {
        torc_residency_resize(S, torc_sparse_bytes(S->sparse));
    }
    if (status == TORC_SUCCESS && torc_hold_is_reordered(product->sparse_matrix)) {
        torc_sparse_reorder(NULL, S->sparse, product->transpose_sparse); /* a hint: the copy serves without */
    }
    if (status != TORC_SUCCESS) {
        torc_residency_give_back(S);
        *placed = NULL;
    }
    return status;
}
