#include "compute.h"
#include "hold.h"
#include <stdlib.h>
#include <string.h>

/* What one call has on the device; a zeroed one holds nothing. */
typedef struct device_operands {
    torc_context *context;
    torc_sparse *S;
    bool is_held;
    torc_dense D, R;
} device_operands;

static void release_operands(device_operands *operands)
{
    if (!operands->is_held) {
        torc_sparse_destroy(operands->S);
    }
    torc_memory_release(operands->context, operands->D.data);
    torc_memory_release(operands->context, operands->R.data);
}

static size_t dense_bytes(const torc_dense *X)
{
    size_t count = X->iso ? 1 : (size_t)X->nrows * (size_t)X->ncols;
    return count * torc_type_size(X->type);
}

static torc_status upload(device_operands *operands, const torc_product *product)
{
    torc_context *context = operands->context;
    operands->D = product->dense_view;
    operands->D.data = NULL;
    operands->R = product->result_view;
    torc_status status = torc_memory_allocate(&operands->R.data, context, dense_bytes(&operands->R));
    if (status == TORC_SUCCESS) {
        status = torc_hold_sparse(&operands->S, &operands->is_held, product, context);
    }
    if (status != TORC_SUCCESS || !torc_semiring_traits(product->semiring).reads_b) {
        return status;
    }
    size_t size = dense_bytes(&operands->D);
    status = torc_memory_allocate(&operands->D.data, context, size);
    if (status == TORC_SUCCESS) {
        status = torc_memory_upload(context, operands->D.data, product->dense_view.data, size);
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

/* Drop the vectors without entries: their names, and the rows of values that stand for them. */
static int64_t compact_vectors(torc_arrays *T, const torc_view *S, const uint8_t *present, int64_t width)
{
    size_t row_bytes = (size_t)width * T->type_size;
    int64_t kept = 0;
    for (int64_t v = 0; v < S->nvec; v++) {
        if (!present[v]) {
            continue;
        }
        T->hyper[kept] =
            S->hyper_bits == 32 ? ((const uint32_t *)S->hyper)[v] : ((const uint64_t *)S->hyper)[v];
        if (kept != v) {
            memmove((char *)T->values + (size_t)kept * row_bytes, (char *)T->values + (size_t)v * row_bytes,
                row_bytes);
        }
        kept++;
    }
    return kept;
}

static bool fill_hypersparse(torc_arrays *T, const torc_view *S, const torc_dense *R, const uint8_t *present,
    const torc_binding *graphblas)
{
    int64_t width = R->ncols;
    size_t word = sizeof(uint64_t);
    T->ptr = torc_host_allocate(graphblas, ((size_t)S->nvec + 1) * word);
    T->hyper = torc_host_allocate(graphblas, (size_t)S->nvec * word);
    T->idx = torc_host_allocate(graphblas, T->nvalues * word);
    if (!T->ptr || !T->hyper || !T->idx) {
        return false;
    }
    T->nvec = compact_vectors(T, S, present, width);
    T->nvals = T->nvec * width;
    T->nvalues = (size_t)T->nvals;
    for (int64_t v = 0; v < T->nvec; v++) {
        T->ptr[v] = (uint64_t)(v * width);
        for (int64_t j = 0; j < width; j++) {
            T->idx[v * width + j] = (uint64_t)j;
        }
    }
    T->ptr[T->nvec] = (uint64_t)T->nvals;
    return true;
}

static torc_status build(torc_arrays *T, const device_operands *operands, const torc_product *product,
    bool wants_bitmap, const torc_binding *graphblas)
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
    bool is_built = true;
    T->nvals = (R->nrows - statistics.empty_rows) * R->ncols;
    if (product->is_compact) {
        T->format = TORC_HYPERSPARSE;
        T->by_col = product->is_flipped;
        is_built = fill_hypersparse(T, product->sparse, R, present, graphblas);
    } else {
        T->by_col = (R->order == TORC_COL_MAJOR) != product->is_flipped;
        T->format = wants_bitmap || statistics.empty_rows > 0 ? TORC_BITMAP : TORC_FULL;
        T->nvec = R->order == TORC_ROW_MAJOR ? R->nrows : R->ncols;
        is_built = T->format == TORC_FULL || fill_bitmap(T, R, present, graphblas);
    }
    free(present);
    return is_built ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
}

static torc_status download(torc_arrays *T, const device_operands *operands, const torc_binding *graphblas)
{
    const torc_dense *R = &operands->R;
    T->type_size = torc_type_size(R->type);
    T->nvalues = (size_t)R->nrows * (size_t)R->ncols;
    T->values = torc_host_allocate(graphblas, T->nvalues * T->type_size);
    return T->values ? torc_memory_download(operands->context, T->values, R->data, T->nvalues * T->type_size)
                     : TORC_OUT_OF_MEMORY;
}

torc_status torc_compute(torc_arrays *T, const torc_product *product, bool wants_bitmap,
    const torc_binding *graphblas, torc_context *context, torc_times *times)
{
    *T = (torc_arrays){0};
    device_operands operands = {.context = context};
    double start = torc_clock();
    torc_status status = upload(&operands, product);
    double uploaded = torc_clock();
    if (status == TORC_SUCCESS) {
        status =
            torc_spmm(&operands.R, product->semiring, operands.S, product->transpose_sparse, &operands.D);
    }
    if (status == TORC_SUCCESS) {
        status = torc_context_wait(context);
    }
    double multiplied = torc_clock();
    if (status == TORC_SUCCESS) {
        status = download(T, &operands, graphblas);
    }
    if (status == TORC_SUCCESS) {
        status = build(T, &operands, product, wants_bitmap, graphblas);
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
