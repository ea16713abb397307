#include "structure.h"
#include "offsets.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int64_t cells_of(const torc_dense *R)
{
    return R->nrows * R->ncols;
}

/* The bitmap of a dense R from the presence of its rows. */
typedef struct bitmap_filling {
    int8_t *bitmap;
    const uint8_t *present;
    size_t vector; /* bytes */
} bitmap_filling;

static void fill_rows(void *argument, int64_t begin, int64_t end)
{
    const bitmap_filling *f = argument;
    for (int64_t i = begin; i < end; i++) {
        memset(f->bitmap + (size_t)i * f->vector, f->present[i], f->vector);
    }
}

static void fill_columns(void *argument, int64_t begin, int64_t end)
{
    const bitmap_filling *f = argument;
    for (int64_t j = begin; j < end; j++) {
        memcpy(f->bitmap + (size_t)j * f->vector, f->present, f->vector);
    }
}

static bool fill_bitmap(
    torc_arrays *T, const torc_dense *R, const uint8_t *present, const torc_binding *graphblas)
{
    bool by_row = R->order == TORC_ROW_MAJOR;
    bitmap_filling f = {NULL, present, (size_t)(by_row ? R->ncols : R->nrows)};
    f.bitmap = T->bitmap = torc_host_allocate(graphblas, (size_t)cells_of(R));
    if (T->bitmap) {
        torc_threads_loop(by_row ? R->nrows : R->ncols, f.vector, by_row ? fill_rows : fill_columns, &f);
    }
    return T->bitmap;
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

typedef struct counting {
    const int8_t *flags;
    atomic_int_least64_t count;
} counting;

static void count_part(void *argument, int64_t begin, int64_t end)
{
    counting *c = argument;
    int64_t count = 0;
    for (int64_t p = begin; p < end; p++) {
        count += c->flags[p];
    }
    atomic_fetch_add(&c->count, count);
}

/* How many flags are 1; all others are 0. */
static int64_t count_set(const void *flags, int64_t nflags)
{
    counting c = {.flags = flags};
    torc_threads_loop(nflags, 1, count_part, &c);
    return c.count;
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

typedef struct row_reading {
    uint8_t *present;
    const torc_view *S;
} row_reading;

static void read_rows(void *argument, int64_t begin, int64_t end)
{
    const row_reading *r = argument;
    const torc_view *S = r->S;
    for (int64_t v = begin; v < end; v++) {
        r->present[v] = torc_offset(S->ptr, S->ptr_bits, v + 1) > torc_offset(S->ptr, S->ptr_bits, v);
    }
}

/* S is looked at only where it is transposed. */
static torc_status read_presence(torc_structure *structure, torc_sparse *S)
{
    const torc_product *product = structure->product;
    int64_t nrows = product->result_view.nrows;
    row_reading reading = {malloc((size_t)nrows), product->sparse};
    structure->present = reading.present;
    if (!reading.present) {
        return TORC_OUT_OF_MEMORY;
    }
    if (product->transpose_sparse) {
        torc_status status = torc_sparse_row_presence(reading.present, S, true);
        if (status != TORC_SUCCESS) {
            return status;
        }
    } else {
        torc_threads_loop(nrows, 1, read_rows, &reading);
    }
    structure->absent = nrows - count_set(reading.present, nrows);
    return TORC_SUCCESS;
}

torc_status torc_structure_read(torc_structure *structure, torc_sparse *S)
{
    const torc_product *product = structure->product;
    const torc_epilogue *epilogue = structure->epilogue;
    bool needs_rows = follows_rows(product, epilogue) || keeps_iso_rows(product, epilogue);
    return needs_rows && product->transpose_sparse ? read_presence(structure, S) : TORC_SUCCESS;
}

typedef struct row_filling {
    char *values;
    const char *row;
    const uint8_t *present;
    size_t width; /* bytes */
} row_filling;

static void fill_absent_rows(void *argument, int64_t begin, int64_t end)
{
    const row_filling *f = argument;
    for (int64_t i = begin; i < end; i++) {
        if (!f->present[i]) {
            memcpy(f->values + (size_t)i * f->width, f->row, f->width);
        }
    }
}

static torc_status fill_iso_rows(const torc_structure *structure)
{
    const torc_dense *R = &structure->product->result_view;
    size_t size = structure->T->type_size, width = (size_t)R->ncols * size;
    char *row = malloc(width);
    if (!row) {
        return TORC_OUT_OF_MEMORY;
    }
    for (size_t at = 0; at < width; at += size) {
        memcpy(row + at, structure->epilogue->C->values, size);
    }
    row_filling filling = {structure->T->values, row, structure->present, width};
    torc_threads_loop(R->nrows, width, fill_absent_rows, &filling);
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
    T->nvals = epilogue->has_presence ? count_set(T->bitmap, cells)
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
