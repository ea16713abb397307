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

static bool follows_rows(const torc_product *product, const torc_epilogue *epilogue)
{
    return product->is_compact || (!epilogue->has_presence && !epilogue->is_full);
}

/* Rows without entries keep the one value that all of C had. */
static bool keeps_iso_rows(const torc_product *product, const torc_epilogue *epilogue)
{
    return !product->is_compact && epilogue->is_full && epilogue->C->iso &&
           product->result_view.order == TORC_ROW_MAJOR;
}

bool torc_structure_leaves_empty_rows(const torc_product *product, const torc_epilogue *epilogue)
{
    return !product->is_compact && (follows_rows(product, epilogue) || keeps_iso_rows(product, epilogue));
}

/* S is looked at only where it is transposed. */
static torc_status read_presence(torc_structure *structure, torc_sparse *S)
{
    const torc_product *product = structure->product;
    const torc_view *view = product->sparse;
    int64_t nrows = product->result_view.nrows, with_entries = 0;
    uint8_t *present = structure->present = malloc((size_t)nrows);
    if (!present) {
        return TORC_OUT_OF_MEMORY;
    }
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
#pragma omp parallel for schedule(static) reduction(+ : with_entries) if (nrows >= PARALLEL_BYTES)
    for (int64_t i = 0; i < nrows; i++) {
        with_entries += present[i];
    }
    structure->absent = nrows - with_entries;
    return TORC_SUCCESS;
}

torc_status torc_structure_read(torc_structure *structure, torc_sparse *S)
{
    const torc_product *product = structure->product;
    const torc_epilogue *epilogue = structure->epilogue;
    bool needs_rows = follows_rows(product, epilogue) || keeps_iso_rows(product, epilogue);
    return needs_rows && product->transpose_sparse ? read_presence(structure, S) : TORC_SUCCESS;
}

static torc_status fill_iso_rows(const torc_structure *structure)
{
    const torc_dense *R = &structure->product->result_view;
    size_t size = structure->T->type_size, width = (size_t)R->ncols * size;
    int64_t nrows = R->nrows;
    char *row = malloc(width), *values = structure->T->values;
    if (!row) {
        return TORC_OUT_OF_MEMORY;
    }
    for (size_t at = 0; at < width; at += size) {
        memcpy(row + at, structure->epilogue->C->values, size);
    }
#pragma omp parallel for schedule(static) if (structure->T->nvalues >= PARALLEL_BYTES)
    for (int64_t i = 0; i < nrows; i++) {
        if (!structure->present[i]) {
            memcpy(values + (size_t)i * width, row, width);
        }
    }
    free(row);
    return TORC_SUCCESS;
}

static torc_status prepare(torc_structure *structure)
{
    const torc_product *product = structure->product;
    const torc_epilogue *epilogue = structure->epilogue;
    bool follows = follows_rows(product, epilogue), keeps = keeps_iso_rows(product, epilogue);
    torc_status status = TORC_SUCCESS;
    if ((follows || keeps) && !structure->present) {
        status = read_presence(structure, NULL);
    }
    if (status == TORC_SUCCESS && keeps) {
        status = fill_iso_rows(structure);
    }
    bool is_bitmap = follows && !product->is_compact && (epilogue->wants_bitmap || structure->absent > 0);
    if (status == TORC_SUCCESS && is_bitmap) {
        bool is_filled =
            fill_bitmap(structure->T, &product->result_view, structure->present, structure->graphblas);
        status = is_filled ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    }
    return status;
}

void torc_structure_prepare(void *opaque)
{
    torc_structure *structure = opaque;
    structure->status = prepare(structure);
    structure->is_prepared = true;
}

static void finish_dense(torc_structure *structure)
{
    torc_arrays *T = structure->T;
    const torc_dense *R = &structure->product->result_view;
    const torc_epilogue *epilogue = structure->epilogue;
    int64_t cells = cells_of(R);
    T->by_col = (R->order == TORC_COL_MAJOR) != structure->product->is_flipped;
    T->nvec = R->order == TORC_ROW_MAJOR ? R->nrows : R->ncols;
    T->nvals = epilogue->has_presence ? count_present(T)
               : epilogue->is_full    ? cells
                                      : cells - structure->absent * R->ncols;
    T->format = epilogue->wants_bitmap || T->nvals < cells ? TORC_BITMAP : TORC_FULL;
    if (T->format == TORC_FULL) {
        torc_host_release(structure->graphblas, T->bitmap);
        T->bitmap = NULL;
    }
}

torc_status torc_structure_finish(torc_structure *structure)
{
    const torc_product *product = structure->product;
    if (!structure->is_prepared) {
        torc_structure_prepare(structure);
    }
    if (structure->status != TORC_SUCCESS) {
        return structure->status;
    }
    if (!product->is_compact) {
        finish_dense(structure);
        return TORC_SUCCESS;
    }
    structure->T->format = TORC_HYPERSPARSE;
    structure->T->by_col = product->is_flipped;
    bool is_filled = fill_hypersparse(
        structure->T, product->sparse, &product->result_view, structure->present, structure->graphblas);
    return is_filled ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

void torc_structure_release(torc_structure *structure)
{
    free(structure->present);
    structure->present = NULL;
}
