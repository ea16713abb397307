#include "compute.h"
#include "hold.h"
#include "mask_bytes.h"
#include "offsets.h"
#include <stdlib.h>
#include <string.h>

/* What one call has on the device; a zeroed one holds nothing. */
typedef struct device_operands {
    torc_context *context;
    torc_sparse *S;
    bool is_held;
    torc_dense D, R;
    void *mask, *iso; /* of the update */
} device_operands;

static void release_operands(device_operands *operands)
{
    if (!operands->is_held) {
        torc_sparse_destroy(operands->S);
    }
    void *memory[] = {operands->D.data, operands->D.bitmap, operands->R.data, operands->R.bitmap,
        operands->mask, operands->iso};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        torc_memory_release(operands->context, memory[i]);
    }
}

static size_t element_count(const torc_dense *X)
{
    return (size_t)X->nrows * (size_t)X->ncols;
}

static size_t dense_bytes(const torc_dense *X)
{
    return (X->iso ? 1 : element_count(X)) * torc_type_size(X->type);
}

/* Device memory, with a copy of the host's unless that is NULL. */
static torc_status place(void **memory, torc_context *context, const void *host, size_t size)
{
    torc_status status = torc_memory_allocate(memory, context, size);
    return status == TORC_SUCCESS && host ? torc_memory_upload(context, *memory, host, size) : status;
}

static torc_status place_bytes(uint8_t **bytes, torc_context *context, const uint8_t *host, size_t size)
{
    void *memory = NULL;
    torc_status status = place(&memory, context, host, size);
    *bytes = memory;
    return status;
}

static torc_status upload_dense(device_operands *operands, const torc_product *product)
{
    const torc_dense *D = &product->dense_view;
    torc_status status = TORC_SUCCESS;
    if (torc_semiring_traits(product->semiring).reads_b) {
        status = place(&operands->D.data, operands->context, D->data, dense_bytes(D));
    }
    if (status == TORC_SUCCESS && D->bitmap) {
        status = place_bytes(&operands->D.bitmap, operands->context, D->bitmap, element_count(D));
    }
    return status;
}

/* R with what the update reads of C's old content. */
static torc_status upload_result(device_operands *operands, const torc_epilogue *epilogue)
{
    const torc_view *C = epilogue->C;
    torc_dense *R = &operands->R;
    bool is_iso = epilogue->reads_old && C->iso, has_values = epilogue->reads_old && !C->iso;
    torc_status status = place(&R->data, operands->context, has_values ? C->values : NULL, dense_bytes(R));
    if (status == TORC_SUCCESS && is_iso) {
        status = place(&operands->iso, operands->context, C->values, C->type_size);
    }
    if (status != TORC_SUCCESS || !epilogue->has_presence) {
        return status;
    }
    const uint8_t *old = epilogue->reads_old ? (const uint8_t *)C->bitmap : NULL;
    uint8_t *all_present = NULL;
    if (epilogue->reads_old && !old) {
        old = all_present = malloc(element_count(R));
        if (!all_present) {
            return TORC_OUT_OF_MEMORY;
        }
        memset(all_present, 1, element_count(R));
    }
    status = place_bytes(&R->bitmap, operands->context, old, element_count(R));
    free(all_present);
    return status;
}

static torc_status upload_mask(device_operands *operands, const torc_epilogue *epilogue)
{
    uint8_t *made;
    const uint8_t *bytes =
        torc_mask_bytes(&made, epilogue->mask, epilogue->mask_is_pattern, epilogue->C->by_col);
    torc_status status = bytes ? place(&operands->mask, operands->context, bytes, element_count(&operands->R))
                               : TORC_OUT_OF_MEMORY;
    free(made);
    return status;
}

static torc_status upload(
    device_operands *operands, const torc_product *product, const torc_epilogue *epilogue)
{
    operands->D = product->dense_view;
    operands->D.data = operands->D.bitmap = NULL;
    operands->R = product->result_view;
    torc_status status = upload_result(operands, epilogue);
    if (status == TORC_SUCCESS) {
        status = torc_hold_sparse(&operands->S, &operands->is_held, product, operands->context);
    }
    if (status == TORC_SUCCESS) {
        status = upload_dense(operands, product);
    }
    if (status == TORC_SUCCESS && epilogue->mask) {
        status = upload_mask(operands, epilogue);
    }
    return status;
}

/* bitmap and nvals of a dense R from the presence of its rows. */
static bool fill_bitmap(
    torc_arrays *T, const torc_dense *R, const uint8_t *present, const torc_binding *graphblas)
{
    int64_t m = R->nrows, n = R->ncols;
    T->bitmap = torc_host_allocate(graphblas, (size_t)m * (size_t)n);
    if (!T->bitmap) {
        return false;
    }
    if (R->order == TORC_ROW_MAJOR) {
        for (int64_t i = 0; i < m; i++) {
            memset(T->bitmap + i * n, present[i], (size_t)n);
        }
    } else {
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
    int64_t count = 0;
    for (size_t p = 0; p < T->nvalues; p++) {
        count += T->bitmap[p];
    }
    return count;
}

/* What the kernel said of presence, or what follows from the rows of S. */
static bool fill_dense(torc_arrays *T, const torc_dense *R, const torc_epilogue *epilogue, int64_t empty_rows,
    const uint8_t *present, const torc_binding *graphblas)
{
    int64_t cells = R->nrows * R->ncols;
    T->nvec = R->order == TORC_ROW_MAJOR ? R->nrows : R->ncols;
    T->nvals = epilogue->has_presence ? count_present(T)
               : epilogue->is_full    ? cells
                                      : cells - empty_rows * R->ncols;
    T->format = epilogue->wants_bitmap || T->nvals < cells ? TORC_BITMAP : TORC_FULL;
    if (T->format == TORC_FULL) {
        torc_host_release(graphblas, T->bitmap);
        T->bitmap = NULL;
    }
    return T->format == TORC_FULL || T->bitmap || fill_bitmap(T, R, present, graphblas);
}

static torc_status build(torc_arrays *T, const device_operands *operands, const torc_product *product,
    const torc_epilogue *epilogue, const torc_binding *graphblas)
{
    const torc_dense *R = &operands->R;
    torc_statistics statistics;
    torc_status status = torc_sparse_statistics(&statistics, operands->S, product->transpose_sparse);
    uint8_t *present = malloc((size_t)R->nrows);
    if (status == TORC_SUCCESS) {
        status = present ? torc_sparse_row_presence(present, operands->S, product->transpose_sparse)
                         : TORC_OUT_OF_MEMORY;
    }
    if (status != TORC_SUCCESS) {
        free(present);
        return status;
    }
    bool is_built;
    if (product->is_compact) {
        T->format = TORC_HYPERSPARSE;
        T->by_col = product->is_flipped;
        is_built = fill_hypersparse(T, product->sparse, R, present, graphblas);
    } else {
        T->by_col = (R->order == TORC_COL_MAJOR) != product->is_flipped;
        is_built = fill_dense(T, R, epilogue, statistics.empty_rows, present, graphblas);
    }
    free(present);
    return is_built ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static torc_status download(torc_arrays *T, const device_operands *operands, const torc_binding *graphblas)
{
    const torc_dense *R = &operands->R;
    T->type_size = torc_type_size(R->type);
    T->nvalues = element_count(R);
    T->values = torc_host_allocate(graphblas, T->nvalues * T->type_size);
    T->bitmap = R->bitmap ? torc_host_allocate(graphblas, T->nvalues) : NULL;
    if (!T->values || (R->bitmap && !T->bitmap)) {
        return TORC_OUT_OF_MEMORY;
    }
    torc_status status =
        torc_memory_download(operands->context, T->values, R->data, T->nvalues * T->type_size);
    return status == TORC_SUCCESS && R->bitmap
               ? torc_memory_download(operands->context, T->bitmap, R->bitmap, T->nvalues)
               : status;
}

torc_status torc_compute(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, torc_times *times)
{
    *T = (torc_arrays){0};
    device_operands operands = {.context = context};
    double start = torc_clock();
    torc_status status = upload(&operands, product, epilogue);
    double uploaded = torc_clock();
    if (status == TORC_SUCCESS) {
        torc_update update = epilogue->update;
        update.mask = operands.mask;
        update.iso = operands.iso;
        status = torc_spmm(
            &operands.R, product->semiring, operands.S, product->transpose_sparse, &operands.D, &update);
    }
    if (status == TORC_SUCCESS) {
        status = torc_context_wait(context);
    }
    double multiplied = torc_clock();
    if (status == TORC_SUCCESS) {
        status = download(T, &operands, graphblas);
    }
    if (status == TORC_SUCCESS) {
        status = build(T, &operands, product, epilogue, graphblas);
    }
    release_operands(&operands);
    times->upload = uploaded - start;
    times->multiply = multiplied - uploaded;
    times->download = torc_clock() - multiplied;
    if (status != TORC_SUCCESS) {
        torc_arrays_release(graphblas, T);
    }
    return status;
}
