#include "reference.h"
#include "footprint.h"
#include "offsets.h"
#include "partition.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5, ALIGNMENT = 256, DEVICES = 64 };

struct torc_device {
    size_t limit, held;
    bool defers_kernels;
    char error[160];
};

/* Sits in front of every block, in ALIGNMENT bytes of its own. */
typedef struct block_header {
    void *start; /* that malloc gave */
    size_t size;
} block_header;

static atomic_size_t bytes_held, bytes_pinned, bytes_moved;
static atomic_int_fast64_t calls_until_failure = -1;
static atomic_bool failure_lasts;
static atomic_bool lacks_kernel;

static void order_failure(int64_t call, bool lasts)
{
    atomic_store(&failure_lasts, lasts);
    atomic_store(&calls_until_failure, call);
}

void torc_reference_fail_at(int64_t call)
{
    order_failure(call, false);
}

void torc_reference_fail_from(int64_t call)
{
    order_failure(call, true);
}

void torc_reference_lack_kernel(void)
{
    atomic_store(&lacks_kernel, true);
}

int64_t torc_reference_calls_left(void)
{
    return atomic_load(&calls_until_failure);
}

size_t torc_reference_bytes_held(void)
{
    return atomic_load(&bytes_held);
}

size_t torc_reference_bytes_pinned(void)
{
    return atomic_load(&bytes_pinned);
}

size_t torc_reference_bytes_moved(void)
{
    return atomic_load(&bytes_moved);
}

static void reference_explain(torc_device *device, const char *text)
{
    snprintf(device->error, sizeof device->error, "%s", text);
}

static bool is_made_to_fail(torc_device *device)
{
    bool has_failed = atomic_load(&calls_until_failure) < 0;
    if (has_failed ? !atomic_load(&failure_lasts) : atomic_fetch_sub(&calls_until_failure, 1) != 0) {
        return false;
    }
    reference_explain(device, "failed as the test asked");
    return true;
}

static torc_status reference_open(torc_device **device, const torc_options *options)
{
    if (options->device < 0 || options->device >= DEVICES) {
        return TORC_NO_DEVICE;
    }
    *device = calloc(1, sizeof **device);
    if (!*device) {
        return TORC_OUT_OF_MEMORY;
    }
    (*device)->limit = options->memory_limit ? options->memory_limit : SIZE_MAX;
    return TORC_SUCCESS;
}

static void reference_close(torc_device *device)
{
    free(device);
}

static torc_status reference_wait(torc_device *device)
{
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

static torc_status reference_info(torc_device_info *info, torc_device *device)
{
    *info = (torc_device_info){
        .backend = "reference",
        .name = "reference executor",
        .multiprocessors = 1,
        .memory_total = device->limit,
        .memory_available = device->limit - device->held,
    };
    return TORC_SUCCESS;
}

static const char *reference_error(torc_device *device)
{
    return device->error;
}

/* The reference executor needs no kernels; a test can have it lack one. */
static void reference_defer_kernels(torc_device *device, bool defers)
{
    device->defers_kernels = defers;
}

static torc_status reference_compile(torc_device *device)
{
    (void)device;
    atomic_store(&lacks_kernel, false);
    return TORC_SUCCESS;
}

/* Not by aligned_alloc: before glibc 2.38 its blocks do not fit where one of the same size was freed. */
static torc_status reference_allocate(void **memory, torc_device *device, size_t size)
{
    *memory = NULL;
    if (is_made_to_fail(device)) {
        return TORC_OUT_OF_MEMORY;
    }
    if (size > device->limit - device->held || size > SIZE_MAX - 3 * (size_t)ALIGNMENT) {
        reference_explain(device, "the memory limit is reached");
        return TORC_OUT_OF_MEMORY;
    }
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *start = malloc(2 * (size_t)ALIGNMENT + rounded);
    if (!start) {
        reference_explain(device, "there is too little host memory");
        return TORC_OUT_OF_MEMORY;
    }
    char *block = start + ALIGNMENT - (uintptr_t)start % ALIGNMENT;
    *(block_header *)block = (block_header){start, size};
    memset(block + ALIGNMENT, POISON, rounded);
    device->held += size;
    atomic_fetch_add(&bytes_held, size);
    *memory = block + ALIGNMENT;
    return TORC_SUCCESS;
}

static void reference_release(torc_device *device, void *memory)
{
    if (!memory) {
        return;
    }
    const block_header header = *(const block_header *)((char *)memory - ALIGNMENT);
    device->held -= header.size;
    atomic_fetch_sub(&bytes_held, header.size);
    free(header.start);
}

static torc_status reference_pin(torc_device *device, void *host, size_t size)
{
    (void)host;
    if (is_made_to_fail(device)) {
        return TORC_OUT_OF_MEMORY;
    }
    atomic_fetch_add(&bytes_pinned, size);
    return TORC_SUCCESS;
}

static void reference_unpin(torc_device *device, void *host, size_t size)
{
    (void)device;
    (void)host;
    atomic_fetch_sub(&bytes_pinned, size);
}

static torc_status reference_copy(torc_device *device, void *to, const void *from, size_t size)
{
    atomic_fetch_add(&bytes_moved, size);
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    memcpy(to, from, size);
    return TORC_SUCCESS;
}

/* All work is done when it is queued. */
static torc_status reference_follow(torc_device *device, torc_device *other)
{
    (void)other;
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

static torc_status reference_receive(torc_device *device, torc_device *other, const torc_lines *lines)
{
    (void)other;
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    for (size_t i = 0; i < lines->height; i++) {
        memcpy((char *)lines->to + i * lines->to_pitch, (const char *)lines->from + i * lines->from_pitch,
            lines->width);
    }
    return TORC_SUCCESS;
}

static torc_status reference_copy_lines(torc_device *device, const torc_lines *lines)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    size_t count = lines->chosen ? lines->nchosen : lines->height;
    if (lines->width == 0) { /* there may be no arrays */
        return TORC_SUCCESS;
    }
    atomic_fetch_add(&bytes_moved, count * lines->width);
    for (size_t n = 0; n < count; n++) {
        size_t i = lines->chosen ? lines->chosen[n] : n;
        memcpy((char *)lines->to + i * lines->to_pitch, (const char *)lines->from + i * lines->from_pitch,
            lines->width);
    }
    return TORC_SUCCESS;
}

static torc_status reference_set_lines(torc_device *device, const torc_lines *lines, int byte)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    for (size_t i = 0; i < lines->height; i++) {
        memset((char *)lines->to + i * lines->to_pitch, byte, lines->width);
    }
    return TORC_SUCCESS;
}

static torc_status reference_fence(torc_device *device, bool sends_wait)
{
    (void)sends_wait;
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

static torc_status reference_upload_narrow(
    torc_device *device, uint32_t *to, const int64_t *from, int64_t count)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    atomic_fetch_add(&bytes_moved, (size_t)count * sizeof *to);
    for (int64_t i = 0; i < count; i++) {
        to[i] = (uint32_t)from[i];
    }
    return TORC_SUCCESS;
}

static torc_status reference_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    torc_partition_measure(rows, A->row_ptr, A->wide_offsets ? 64 : 32, A->nrows, A->ncols);
    return torc_footprint_count(windows, A->col_idx, A->nnz, A->nrows, A->ncols);
}

static void copy_wanted(void *to, const void *from, int64_t count, size_t size)
{
    if (to) {
        memcpy(to, from, (size_t)count * size);
    }
}

static torc_status reference_cut_rows(
    torc_device *device, const torc_partition *rows, const torc_device_csr *A)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    int bits = A->wide_offsets ? 64 : 32;
    torc_partition made;
    torc_status status = torc_partition_build(&made, A->row_ptr, bits, A->nrows, A->ncols);
    if (status == TORC_SUCCESS) {
        status = torc_partition_slice(&made, A->row_ptr, bits, A->nrows);
    }
    if (status == TORC_SUCCESS) {
        copy_wanted(rows->present, made.present, A->nrows, sizeof *made.present);
        copy_wanted(rows->segments, made.segments, made.nsegments, sizeof *made.segments);
        copy_wanted(rows->long_rows, made.long_rows, made.nlong_rows, sizeof *made.long_rows);
        copy_wanted(rows->pieces, made.pieces, made.npieces, sizeof *made.pieces);
        copy_wanted(rows->pieced_rows, made.pieced_rows, made.npieced_rows, sizeof *made.pieced_rows);
        copy_wanted(
            rows->row_ends, made.row_ends, made.nslices * (TORC_SLICE_NNZ / 32), sizeof *made.row_ends);
        copy_wanted(rows->rows, made.rows, A->nrows, sizeof *made.rows);
        copy_wanted(rows->slice_rows, made.slice_rows, made.nslices, sizeof *made.slice_rows);
        copy_wanted(rows->spanning_rows, made.spanning_rows, made.nspanning_rows, sizeof *made.spanning_rows);
    }
    torc_partition_free(&made);
    return status;
}

static torc_status reference_plan_tiles(
    torc_device *device, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts)
{
    (void)parts;
    *tiles = (torc_tiles){0};
    *rest = (torc_device_csr){.nrows = A->nrows, .ncols = A->ncols};
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_UNSUPPORTED;
}

static torc_status reference_plan_bricks(
    torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height)
{
    (void)A;
    (void)type;
    (void)height;
    *bricks = (torc_bricks){0};
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_UNSUPPORTED;
}

static torc_status reference_load(torc_device *device, const torc_spmm_kernel *kernel)
{
    (void)kernel;
    return is_made_to_fail(device) ? TORC_DEVICE_ERROR : TORC_SUCCESS;
}

static torc_status reference_list_columns(
    torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    bool *has_entries = calloc((size_t)A->ncols + 1, sizeof *has_entries);
    if (!has_entries) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t p = 0; p < A->nnz; p++) {
        has_entries[A->col_idx[p]] = true;
    }
    *count = 0;
    for (int64_t j = 0; j < A->ncols; j++) {
        if (has_entries[j]) {
            columns[(*count)++] = (uint32_t)j;
        }
    }
    free(has_entries);
    return TORC_SUCCESS;
}

static void store_offset(const torc_device_csr *csr, int64_t i, int64_t offset)
{
    if (csr->wide_offsets) {
        ((int64_t *)csr->row_ptr)[i] = offset;
    } else {
        ((uint32_t *)csr->row_ptr)[i] = (uint32_t)offset;
    }
}

/* Counting sort by column: rows of A are met in order, so columns of T ascend. */
static torc_status reference_transpose_csr(
    torc_device *device, const torc_device_csr *T, const torc_device_csr *A)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    int64_t *next = calloc((size_t)A->ncols + 1, sizeof *next);
    if (!next) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t p = 0; p < A->nnz; p++) {
        next[A->col_idx[p] + 1]++;
    }
    for (int64_t j = 0; j < A->ncols; j++) {
        next[j + 1] += next[j];
    }
    for (int64_t j = 0; j <= A->ncols; j++) {
        store_offset(T, j, next[j]);
    }
    int bits = A->wide_offsets ? 64 : 32;
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = torc_offset(A->row_ptr, bits, i); p < torc_offset(A->row_ptr, bits, i + 1); p++) {
            int64_t q = next[A->col_idx[p]]++;
            T->col_idx[q] = (uint32_t)i;
            if (A->value_size > 0) {
                memcpy((char *)T->values + (size_t)q * A->value_size,
                    (const char *)A->values + (size_t)p * A->value_size, A->value_size);
            }
        }
    }
    free(next);
    return TORC_SUCCESS;
}

static torc_status reference_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t j = 0; j < ncols; j++) {
            memcpy((char *)to + (size_t)(j * ldto + i) * size,
                (const char *)from + (size_t)(i * ldfrom + j) * size, size);
        }
    }
    return TORC_SUCCESS;
}

static torc_status reference_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    torc_reference_pack(words, X);
    return TORC_SUCCESS;
}

static torc_status reference_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    torc_reference_unpack(X, words);
    return TORC_SUCCESS;
}

static torc_status reference_mask_bits(
    torc_device *device, uint64_t *words, const uint64_t *mask, int64_t count, bool complement)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    torc_reference_mask(words, mask, count, complement);
    return TORC_SUCCESS;
}

/* Called by every launch: fails, or lacks its kernel, if a test asked for that. */
static torc_status launch(torc_device *device)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    return device->defers_kernels && atomic_load(&lacks_kernel) ? TORC_NOT_COMPILED : TORC_SUCCESS;
}

static torc_status explain_lack(torc_device *device, torc_status status)
{
    if (status == TORC_UNSUPPORTED) {
        reference_explain(device, "a user-defined operator without a function of the host");
    }
    return status;
}

static torc_status reference_spmm(
    torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    torc_status status = launch(device);
    if (status == TORC_SUCCESS && kernel->is_packed) {
        torc_reference_spmm_bits(kernel, args);
        return status;
    }
    return status == TORC_SUCCESS ? explain_lack(device, torc_reference_spmm(kernel, args)) : status;
}

static torc_status reference_elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    torc_status status = launch(device);
    return status == TORC_SUCCESS ? explain_lack(device, torc_reference_elementwise(kernel, args)) : status;
}

static torc_status reference_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    torc_status status = launch(device);
    return status == TORC_SUCCESS ? explain_lack(device, torc_reference_reduce(kernel, args)) : status;
}

static torc_status reference_count(torc_device *device, int64_t *count, const uint8_t *bytes, size_t size)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    *count = 0;
    for (size_t p = 0; p < size; p++) {
        *count += bytes[p] != 0;
    }
    return TORC_SUCCESS;
}

static torc_status reference_build(torc_device *device, const torc_build_args *build)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    size_t size = build->value_size;
    memset(build->bitmap, 0, (size_t)build->cells);
    for (int64_t e = 0; e < build->count; e++) {
        uint64_t position = build->positions[e];
        build->bitmap[position] = 1;
        if (build->to) {
            const char *value = (const char *)build->values + (build->iso ? 0 : (size_t)e * size);
            memcpy((char *)build->to + position * size, value, size);
        }
    }
    return TORC_SUCCESS;
}

static torc_status reference_gather(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    atomic_fetch_add(&bytes_moved, count * size);
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)to + i * size, (const char *)from + offsets[i], size);
    }
    return TORC_SUCCESS;
}

static torc_status reference_scatter(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    if (is_made_to_fail(device)) {
        return TORC_DEVICE_ERROR;
    }
    atomic_fetch_add(&bytes_moved, count * size);
    for (size_t i = 0; i < count; i++) {
        memcpy((char *)to + offsets[i], (const char *)from + i * size, size);
    }
    return TORC_SUCCESS;
}

const torc_executor *torc_executor_reference(void)
{
    static const torc_executor executor = {
        .name = "reference",
        .open = reference_open,
        .close = reference_close,
        .wait = reference_wait,
        .info = reference_info,
        .error = reference_error,
        .explain = reference_explain,
        .defer_kernels = reference_defer_kernels,
        .compile = reference_compile,
        .allocate = reference_allocate,
        .release = reference_release,
        .pin = reference_pin,
        .unpin = reference_unpin,
        .upload = reference_copy,
        .download = reference_copy,
        .follow = reference_follow,
        .receive = reference_receive,
        .gather = reference_gather,
        .scatter = reference_scatter,
        .upload_narrow = reference_upload_narrow,
        .send = reference_copy_lines,
        .set = reference_set_lines,
        .fetch = reference_copy_lines,
        .fence = reference_fence,
        .measure = reference_measure,
        .cut_rows = reference_cut_rows,
        .list_columns = reference_list_columns,
        .transpose_csr = reference_transpose_csr,
        .transpose_dense = reference_transpose_dense,
        .pack_bits = reference_pack_bits,
        .unpack_bits = reference_unpack_bits,
        .mask_bits = reference_mask_bits,
        .plan_tiles = reference_plan_tiles,
        .plan_bricks = reference_plan_bricks,
        .load = reference_load,
        .spmm = reference_spmm,
        .elementwise = reference_elementwise,
        .reduce = reference_reduce,
        .count = reference_count,
        .build = reference_build,
    };
    return &executor;
}
