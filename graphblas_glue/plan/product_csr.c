/* product_csr.c: S of a product as the engine takes it. */
#include "product.h"
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
