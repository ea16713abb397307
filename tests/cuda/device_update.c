#include "device_update.h"
#include "gpu.h"
#include "kernel_cases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Arrays ------------------------------------------------------------------------------------------- */

/* Small integers of any type. */
static void *random_values(uint64_t *state, torc_type type, size_t count)
{
    size_t size = torc_type_size(type);
    char *values = malloc(count * size + 1);
    for (size_t p = 0; p < count; p++) {
        int64_t x = (int64_t)torc_random(state, 7) - 3;
        torc_cast(values + p * size, type, &x, TORC_INT64);
    }
    return values;
}

/* One byte in `often` is zero; where runs, whole runs of 300 bytes are, so that tiles are left out. Never: 0.
 */
static uint8_t *random_bytes(uint64_t *state, size_t count, uint64_t often, bool runs, uint64_t bound)
{
    uint8_t *bytes = malloc(count + 1);
    bool is_zero_run = false;
    for (size_t p = 0; p < count; p++) {
        is_zero_run = p % 300 == 0 ? runs && torc_random(state, 2) : is_zero_run;
        bool is_zero = is_zero_run || (often > 0 && torc_random(state, often) == 0);
        bytes[p] = is_zero ? 0 : (uint8_t)(1 + torc_random(state, bound));
    }
    return bytes;
}

/* Absent elements of B: what no result may have. Under any, which takes one of them, all others are equal. */
static void mark_absent(const torc_spmm_kernel *kernel, void *b, const uint8_t *bitmap, size_t count)
{
    const double absent = kernel->b_type == TORC_FP64 ? NAN : 99, present = 3;
    size_t size = torc_type_size(kernel->b_type);
    for (size_t p = 0; p < count; p++) {
        if (kernel->b_is_bitmap && !bitmap[p]) {
            torc_cast((char *)b + p * size, kernel->b_type, &absent, TORC_FP64);
        } else if (kernel->semiring.add == TORC_ANY_MONOID) {
            torc_cast((char *)b + p * size, kernel->b_type, &present, TORC_FP64);
        }
    }
}

static size_t count_of(torc_access access, size_t array)
{
    return access == TORC_ACCESS_NONE ? 0 : access == TORC_ACCESS_ISO ? 1 : array;
}

/* ---- One product -------------------------------------------------------------------------------------- */

/* Differences between two results over the same rubbish. */
static int64_t count_differences(const torc_spmm_kernel *kernel, const torc_spmm_args *args, const char *c,
    const char *expected, const uint8_t *bitmap, const uint8_t *expected_bitmap)
{
    size_t size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    int64_t differences = 0;
    for (int64_t at = 0; at < args->nrows * args->ldc; at++) {
        bool is_inside = at % args->ldc < args->ncols;
        bool is_there = !is_inside || !kernel->c_is_bitmap || expected_bitmap[at];
        differences += bitmap[at] != expected_bitmap[at];
        differences += is_there && memcmp(c + (size_t)at * size, expected + (size_t)at * size, size) != 0;
    }
    return differences;
}

/* Those of C, its bitmap and its mask. */
static void reverse_rows(void *c, size_t size, uint8_t *c_bitmap, uint8_t *mask, const torc_spmm_args *args)
{
    torc_reverse_lines(c, args->nrows, (size_t)args->ldc * size);
    torc_reverse_lines(c_bitmap, args->nrows, (size_t)args->ldc);
    torc_reverse_lines(mask, args->nrows, (size_t)args->ldc);
}

void torc_device_update_check(torc_device *device, torc_device *reference, const torc_spmm_kernel *kernel,
    const torc_device_pattern *A, int64_t ncols, uint64_t seed)
{
    uint64_t random = seed, *state = &random;
    torc_type type = kernel->semiring.type;
    size_t size = torc_type_size(type);
    bool is_read = kernel->old_access != TORC_ACCESS_NONE;
    torc_spmm_args args = {
        .nrows = A->csr.nrows,
        .ncols = ncols,
        .ldb = ncols + kernel->shape.vector,
        .ldc = ncols + 2 * kernel->shape.vector,
        .row_ptr = kernel->wide_offsets ? (void *)A->csr.wide_row_ptr : (void *)A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .mask_complement = torc_random(state, 2) != 0,
        .mask_replace = kernel->has_mask && kernel->c_is_bitmap &&
                        (!is_read || (kernel->has_accum && torc_random(state, 2))),
    };
    size_t b_count = (size_t)(A->csr.ncols * args.ldb), c_count = (size_t)(args.nrows * args.ldc);
    size_t a_read = count_of(kernel->a_access, (size_t)A->csr.nnz),
           b_read = count_of(kernel->b_access, b_count);
    void *a = random_values(state, type, a_read), *b = random_values(state, type, b_read);
    void *c = random_values(state, type, c_count), *one = random_values(state, type, 1);
    uint8_t *b_bitmap = random_bytes(state, b_count, 1 + torc_random(state, 4), false, 1);
    uint8_t *c_bitmap = random_bytes(state, c_count, 2, false, 1);
    /* Of zeros all, none, or some. */
    static const uint64_t mask_zeros[] = {3, 3, 3, 1, 0};
    uint64_t often = mask_zeros[torc_random(state, 5)];
    uint8_t *mask = random_bytes(state, c_count, often, often > 1, 255);
    if (kernel->b_access == TORC_ACCESS_ARRAY) {
        mark_absent(kernel, b, b_bitmap, b_count);
    }
    void *expected = malloc(c_count * size + 1);
    uint8_t *expected_bitmap = malloc(c_count + 1);
    memcpy(expected, c, c_count * size);
    memcpy(expected_bitmap, c_bitmap, c_count);

    torc_gpu_copies d = {.device = device};
    torc_spmm_args there = args;
    there.row_ptr = kernel->wide_offsets ? A->wide_row_ptr : A->row_ptr;
    there.col_idx = A->col_idx;
    int64_t nparts = torc_device_cuts_take(&there, kernel, &A->cuts);
    bool is_reversed = torc_device_cuts_are_reversed(&A->cuts, seed);
    if (is_reversed) {
        torc_device_cuts_reverse(device, &there);
        reverse_rows(c, size, c_bitmap, mask, &args);
    }
    there.a = torc_gpu_keep(&d, a, a_read * size);
    there.b = torc_gpu_keep(&d, b, b_read * size);
    there.b_bitmap = torc_gpu_keep(&d, b_bitmap, b_count);
    there.c = torc_gpu_keep(&d, c, c_count * size);
    there.c_bitmap = torc_gpu_keep(&d, c_bitmap, c_count);
    there.mask = torc_gpu_keep(&d, mask, c_count);
    there.old_c = kernel->old_access == TORC_ACCESS_ISO ? torc_gpu_keep(&d, one, size) : there.c;
    size_t partials = (size_t)(nparts * ncols);
    char *rubbish = malloc(partials * size + 1);
    memset(rubbish, 0xA5, partials * size + 1);
    there.partials = torc_gpu_keep(&d, rubbish, partials * size);
    there.partial_bitmap = torc_gpu_keep(&d, rubbish, partials);
    TORC_GPU_TRY(device, torc_executor_cuda()->spmm(device, kernel, &there));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c, there.c, c_count * size));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c_bitmap, there.c_bitmap, c_count));
    TORC_GPU_TRY(device, torc_executor_cuda()->wait(device));
    if (is_reversed) {
        torc_device_cuts_unreverse(device, &there);
        reverse_rows(c, size, c_bitmap, mask, &args);
    }

    args.a = a;
    args.b = b;
    args.b_bitmap = b_bitmap;
    args.c = expected;
    args.c_bitmap = expected_bitmap;
    args.mask = mask;
    args.old_c = kernel->old_access == TORC_ACCESS_ISO ? one : expected;
    cr_assert_eq(torc_executor_reference()->spmm(reference, kernel, &args), TORC_SUCCESS);
    int64_t differences = count_differences(kernel, &args, c, expected, c_bitmap, expected_bitmap);
    char name[128];
    torc_kernel_describe(name, kernel);
    cr_expect_eq(differences, 0,
        "%s on \"%s\", %lld columns, seed %llu: bitmap B %d, bitmap C %d, mask %d of zeros %d, complement "
        "%d, "
        "replace %d, accum %d, old %d: %lld differences",
        name, A->csr.name, (long long)ncols, (unsigned long long)seed, kernel->b_is_bitmap,
        kernel->c_is_bitmap, kernel->has_mask, (int)often, args.mask_complement, args.mask_replace,
        kernel->has_accum, kernel->old_access, (long long)differences);

    torc_gpu_release(&d);
    void *on_host[] = {a, b, c, one, b_bitmap, c_bitmap, mask, expected, expected_bitmap, rubbish};
    for (size_t i = 0; i < sizeof on_host / sizeof on_host[0]; i++) {
        free(on_host[i]);
    }
}
