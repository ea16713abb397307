#include "structure.h"
#include "offsets.h"
#include <stdlib.h>
#include <string.h>

/* Fewer bytes than this are one processor's. */
enum { PARALLEL_BYTES = 1 << 20 };

static int64_t cells_of(const torc_dense *R)
{
    return R->nrows * R->ncols;
}

/* bitmap of a dense R from the presence of its rows. */
static bool fill_bitmap(
    torc_arrays *T, const torc_dense *R, const uint8_t *present, const torc_binding *graphblas)
{
    int64_t m = R->nrows, n = R->ncols;
    T->bitmap = torc_host_allocate(graphblas, (size_t)cells_of(R));
    if (!T->bitmap) {
        return false;
    }
    if (R->order == TORC_ROW_MAJOR) {
#pragma omp parallel for schedule(static) if (m * n >= PARALLEL_BYTES)
        for (int64_t i = 0; i < m; i++) {
            memset(T->bitmap + i * n, present[i], (size_t)n);
        }
    } else {
#pragma omp parallel for schedule(static) if (m * n >= PARALLEL_BYTES)
        for (int64_t j = 0; j < n; j++) {
            memcpy(T->bitmap + j * m, present, (size_t)m);
        }
    }
    return true;
}

/* Drop the vectors without entries, and of the others, by R's bitmap if there is one, the elements that are
 * absent: from names, offsets, positions and values. */
static void compact(
    torc_arrays *T, const torc_view *S, const uint8_t *present, const int8_t *bitmap, int64_t width)
{
    char *values = T->values;
    int64_t kept = 0;
    T->nvec = 0;
    for (int64_t v = 0; v < S->nvec; v++) {
        int64_t first = kept;
        for (int64_t j = 0; present[v] && j < width; j++) {
            int64_t from = v * width + j;
            if (bitmap && !bitmap[from]) {
                continue;
            }
            if (kept != from) {
                memcpy(
                    values + (size_t)kept * T->type_size, values + (size_t)from * T->type_size, T->type_size);
            }
            T->idx[kept++] = (uint64_t)j;
        }
        if (kept > first) {
            T->hyper[T->nvec] = (uint64_t)torc_offset(S->hyper, S->hyper_bits, v);
            T->ptr[T->nvec++] = (uint64_t)first;
        }
    }
    T->ptr[T->nvec] = (uint64_t)kept;
    T->nvals = kept;
    T->nvalues = (size_t)kept;
}

static bool fill_hypersparse(torc_arrays *T, const torc_view *S, const torc_dense *R, const uint8_t *present,
    const torc_binding *graphblas)
{
    size_t word = sizeof(uint64_t);
    T->ptr = torc_host_allocate(graphblas, ((size_t)S->nvec + 1) * word);
    T->hyper = torc_host_allocate(graphblas, (size_t)S->nvec * word);
    T->idx = torc_host_allocate(graphblas, T->nvalues * word);
    if (!T->ptr || !T->hyper || !T->idx) {
        return false;
    }
    compact(T, S, present, T->bitmap, R->ncols);
    torc_host_release(graphblas, T->bitmap);
    T->bitmap = NULL;
    return true;
}

static int64_t count_present(const torc_arrays *T)
{
    int64_t count = 0, cells = (int64_t)T->nvalues;
#pragma omp parallel for schedule(static) reduction(+ : count) if (cells >= PARALLEL_BYTES)
    for (int64_t p = 0; p < cells; p++) {
        count += T->bitmap[p];
    }
    return count;
}

/* Whether each row of R has entries, as op(S) has; *absent counts those that have none. */
static torc_status read_presence(
    uint8_t *present, int64_t *absent, const torc_product *product, torc_sparse *S)
{
    const torc_view *view = product->sparse;
    int64_t nrows = product->result_view.nrows, with_entries = 0;
    if (product->transpose_sparse) {
        torc_status status = torc_sparse_row_presence(present, S, true);
        if (status != TORC_SUCCESS) {
            return status;
        }
    } else {
#pragma omp parallel for schedule(static) if (nrows >= PARALLEL_BYTES)
        for (int64_t v = 0; v < nrows; v++) {
            present[v] =
                torc_offset(view->ptr, view->ptr_bits, v + 1) > torc_offset(view->ptr, view->ptr_bits, v);
        }
    }
    for (int64_t i = 0; i < nrows; i++) {
        with_entries += present[i];
    }
    *absent = nrows - with_entries;
    return TORC_SUCCESS;
}

/* What the kernel said of presence, or what follows from the rows of S. */
static bool fill_dense(torc_arrays *T, const torc_dense *R, const torc_epilogue *epilogue, int64_t absent,
    const uint8_t *present, const torc_binding *graphblas)
{
    int64_t cells = cells_of(R);
    T->nvec = R->order == TORC_ROW_MAJOR ? R->nrows : R->ncols;
    T->nvals = epilogue->has_presence ? count_present(T) : cells - absent * R->ncols;
    T->format = epilogue->wants_bitmap || T->nvals < cells ? TORC_BITMAP : TORC_FULL;
    if (T->format == TORC_FULL) {
        torc_host_release(graphblas, T->bitmap);
        T->bitmap = NULL;
    }
    return T->format == TORC_FULL || T->bitmap || fill_bitmap(T, R, present, graphblas);
}

torc_status torc_structure_fill(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    torc_sparse *S, const torc_binding *graphblas)
{
    const torc_dense *R = &product->result_view;
    bool follows_rows = product->is_compact || (!epilogue->has_presence && !epilogue->is_full);
    int64_t absent = 0;
    uint8_t *present = malloc((size_t)R->nrows);
    torc_status status = present ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS && follows_rows) {
        status = read_presence(present, &absent, product, S);
    }
    bool is_filled = false;
    if (status == TORC_SUCCESS && product->is_compact) {
        T->format = TORC_HYPERSPARSE;
        T->by_col = product->is_flipped;
        is_filled = fill_hypersparse(T, product->sparse, R, present, graphblas);
    } else if (status == TORC_SUCCESS) {
        T->by_col = (R->order == TORC_COL_MAJOR) != product->is_flipped;
        is_filled = fill_dense(T, R, epilogue, absent, present, graphblas);
    }
    free(present);
    return status == TORC_SUCCESS && !is_filled ? TORC_OUT_OF_MEMORY : status;
}
