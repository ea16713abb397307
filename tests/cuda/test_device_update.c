/* test_device_update.c: every store of cuda/update.cuh and bitmaps of B: each compiles without a GPU, and
 * each leaves, on every pattern of ugly_csr.h, exactly what the reference leaves: presence, the values of
 * what is present, and the padding of C. Small integers, so that no order of summation shows. */
#include "compile.h"
#include "gpu.h"
#include "kernel_source.h"
#include "partition.h"
#include "ugly_csr.h"
#include <stdlib.h>
#include <string.h>

enum { ARCHITECTURE = 90, MAX_UPDATES = 64 };

/* ---- Kernels ------------------------------------------------------------------------------------------ */

static const struct {
    torc_semiring semiring;
    torc_multiply accum;
    torc_access a_access, b_access;
    torc_shape shape;
} products[] = {
    {{TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32}, TORC_MINUS, TORC_ACCESS_ARRAY, TORC_ACCESS_ARRAY, {32, 4}},
    {{TORC_MIN_MONOID, TORC_PLUS, TORC_INT64}, TORC_MIN, TORC_ACCESS_ARRAY, TORC_ACCESS_ARRAY, {8, 2}},
    {{TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64}, TORC_PLUS, TORC_ACCESS_NONE, TORC_ACCESS_ARRAY, {4, 1}},
    {{TORC_PLUS_MONOID, TORC_FIRST, TORC_FP32}, TORC_RMINUS, TORC_ACCESS_ARRAY, TORC_ACCESS_NONE, {16, 4}},
    {{TORC_ANY_MONOID, TORC_SECOND, TORC_INT64}, TORC_PLUS, TORC_ACCESS_NONE, TORC_ACCESS_ISO, {2, 2}},
    {{TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL}, TORC_LXOR, TORC_ACCESS_NONE, TORC_ACCESS_NONE, {32, 4}},
    {{TORC_MIN_MONOID, TORC_SECONDI, TORC_INT32}, TORC_MAX, TORC_ACCESS_NONE, TORC_ACCESS_NONE, {1, 1}},
};
enum { PRODUCTS = sizeof products / sizeof products[0] };

/* Stores that the engine asks for, bitmaps of B before full ones. */
static int build_updates(torc_spmm_kernel updates[MAX_UPDATES])
{
    int count = 0;
    for (int bits = 0; bits < 16; bits++) {
        for (int old = TORC_ACCESS_NONE; old <= TORC_ACCESS_ARRAY; old++) {
            torc_spmm_kernel u = {.b_is_bitmap = bits & 1,
                .c_is_bitmap = bits & 2,
                .has_mask = bits & 4,
                .has_accum = bits & 8,
                .old_access = (torc_access)old};
            bool may_read = u.has_mask || u.has_accum, must_read = u.has_accum || !u.c_is_bitmap;
            if (old == TORC_ACCESS_NONE ? !may_read || !must_read : may_read) {
                updates[count++] = u;
            }
        }
    }
    return count;
}

static torc_spmm_kernel complete(torc_spmm_kernel update, int product, int variant)
{
    torc_spmm_kernel kernel = update;
    kernel.semiring = products[product].semiring;
    kernel.a_type = kernel.b_type = kernel.semiring.type;
    kernel.a_access = products[product].a_access;
    kernel.b_access = products[product].b_access;
    kernel.shape = products[product].shape;
    kernel.wide_offsets = variant % 2;
    kernel.accum = update.has_accum ? products[product].accum : TORC_FIRST;
    return kernel;
}

Test(update_kernels, every_store_compiles_without_warnings_or_spills, .timeout = 600)
{
    torc_spmm_kernel updates[MAX_UPDATES];
    int count = build_updates(updates);
    for (int i = 0; i < count; i++) {
        torc_spmm_kernel kernel = complete(updates[i], i % PRODUCTS, i);
        char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE] = "";
        torc_image image = {NULL, 0};
        cr_assert_eq(torc_kernel_source(source, &kernel), TORC_SUCCESS);
        torc_status status = torc_compile(&image, log, source, ARCHITECTURE);
        cr_expect(status == TORC_SUCCESS && log[0] == '\0', "%s\n%s", log, source);
        torc_image_release(&image);
    }
}

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

/* One byte in `often` is zero; where runs, whole runs of 300 bytes are, so that tiles are left out. */
static uint8_t *random_bytes(uint64_t *state, size_t count, uint64_t often, bool runs, uint64_t bound)
{
    uint8_t *bytes = malloc(count + 1);
    bool is_zero_run = false;
    for (size_t p = 0; p < count; p++) {
        is_zero_run = p % 300 == 0 ? runs && torc_random(state, 2) : is_zero_run;
        bool is_zero = is_zero_run || torc_random(state, often) == 0;
        bytes[p] = is_zero ? 0 : (uint8_t)(1 + torc_random(state, bound));
    }
    return bytes;
}

static size_t count_of(torc_access access, size_t array)
{
    return access == TORC_ACCESS_NONE ? 0 : access == TORC_ACCESS_ISO ? 1 : array;
}

typedef struct problem {
    torc_ugly_csr csr;
    torc_partition partition;
} problem;

/* ---- One product -------------------------------------------------------------------------------------- */

typedef struct on_device {
    torc_device *device;
    void *memory[16];
    int count;
} on_device;

static void *copy(on_device *d, const void *from, size_t size)
{
    return d->memory[d->count++] = torc_gpu_copy(d->device, from, size);
}

static void release_copies(on_device *d)
{
    for (int i = 0; i < d->count; i++) {
        torc_executor_cuda()->release(d->device, d->memory[i]);
    }
    d->count = 0;
}

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

static void check(torc_device *device, torc_device *reference, const torc_spmm_kernel *kernel,
    const problem *A, int64_t ncols, uint64_t seed)
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
        .segments = A->partition.segments,
        .long_rows = A->partition.long_rows,
        .nsegments = A->partition.nsegments,
        .nlong_rows = A->partition.nlong_rows,
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
    uint8_t *mask = random_bytes(state, c_count, 3, true, 255);
    void *expected = malloc(c_count * size + 1);
    uint8_t *expected_bitmap = malloc(c_count + 1);
    memcpy(expected, c, c_count * size);
    memcpy(expected_bitmap, c_bitmap, c_count);

    on_device d = {.device = device};
    torc_spmm_args there = args;
    there.row_ptr = copy(&d, args.row_ptr,
        ((size_t)args.nrows + 1) * (kernel->wide_offsets ? sizeof(uint64_t) : sizeof(uint32_t)));
    there.col_idx = copy(&d, args.col_idx, (size_t)A->csr.nnz * sizeof(uint32_t));
    there.segments = copy(&d, args.segments, (size_t)args.nsegments * sizeof(torc_segment));
    there.long_rows = copy(&d, args.long_rows, (size_t)args.nlong_rows * sizeof(torc_long_row));
    there.a = copy(&d, a, a_read * size);
    there.b = copy(&d, b, b_read * size);
    there.b_bitmap = copy(&d, b_bitmap, b_count);
    there.c = copy(&d, c, c_count * size);
    there.c_bitmap = copy(&d, c_bitmap, c_count);
    there.mask = copy(&d, mask, c_count);
    there.old_c = kernel->old_access == TORC_ACCESS_ISO ? copy(&d, one, size) : there.c;
    size_t partials = (size_t)(args.nsegments * ncols);
    char *rubbish = malloc(partials * size + 1);
    memset(rubbish, 0xA5, partials * size + 1);
    there.partials = copy(&d, rubbish, partials * size);
    there.partial_bitmap = copy(&d, rubbish, partials);
    TORC_GPU_TRY(device, torc_executor_cuda()->spmm(device, kernel, &there));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c, there.c, c_count * size));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c_bitmap, there.c_bitmap, c_count));
    TORC_GPU_TRY(device, torc_executor_cuda()->wait(device));

    args.a = a;
    args.b = b;
    args.b_bitmap = b_bitmap;
    args.c = expected;
    args.c_bitmap = expected_bitmap;
    args.mask = mask;
    args.old_c = kernel->old_access == TORC_ACCESS_ISO ? one : expected;
    cr_assert_eq(torc_executor_reference()->spmm(reference, kernel, &args), TORC_SUCCESS);
    int64_t differences = count_differences(kernel, &args, c, expected, c_bitmap, expected_bitmap);
    cr_expect_eq(differences, 0,
        "%s_%s on \"%s\", %lld columns, seed %llu: bitmap B %d, bitmap C %d, mask %d, complement %d, replace "
        "%d, "
        "accum %d, old %d: %lld differences",
        torc_monoid_name(kernel->semiring.add), torc_multiply_name(kernel->semiring.multiply), A->csr.name,
        (long long)ncols, (unsigned long long)seed, kernel->b_is_bitmap, kernel->c_is_bitmap,
        kernel->has_mask, args.mask_complement, args.mask_replace, kernel->has_accum, kernel->old_access,
        (long long)differences);

    release_copies(&d);
    void *on_host[] = {a, b, c, one, b_bitmap, c_bitmap, mask, expected, expected_bitmap, rubbish};
    for (size_t i = 0; i < sizeof on_host / sizeof on_host[0]; i++) {
        free(on_host[i]);
    }
}

Test(device_update, every_store_equals_the_reference_on_every_ugly_pattern, .timeout = 1200)
{
    static const int64_t widths[] = {1, 3, 33}; /* in vectors */
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    torc_spmm_kernel updates[MAX_UPDATES];
    int count = build_updates(updates);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        problem A = {.csr = torc_ugly_csr_build(which)};
        cr_assert_eq(
            torc_partition_build(&A.partition, A.csr.row_ptr, 32, A.csr.nrows, A.csr.ncols), TORC_SUCCESS);
        for (int i = 0; i < count * PRODUCTS; i++) {
            torc_spmm_kernel kernel = complete(updates[i / PRODUCTS], i % PRODUCTS, i);
            int64_t ncols = widths[(i + which) % 3] * kernel.shape.vector;
            check(device, reference, &kernel, &A, ncols, (uint64_t)i);
        }
        torc_partition_free(&A.partition);
        torc_ugly_csr_free(&A.csr);
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

/* Row 0 names rows of B that no memory holds, so that the product fails if it looks at them; row 1 does not.
 */
Test(device_update, of_rows_that_the_mask_excludes_nothing_is_gathered, .timeout = 60)
{
    enum { COLUMNS = 40 };
    static const uint32_t row_ptr[] = {0, 2, 4}, col_idx[] = {0xf0000000, 0xf0000001, 0, 1};
    torc_device *device = torc_gpu_open(0);
    int32_t a[] = {1, 1, 2, 3}, b[2 * COLUMNS], c[2 * COLUMNS] = {0};
    uint8_t mask[2 * COLUMNS] = {0}, bitmap[2 * COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        b[j] = j;
        b[COLUMNS + j] = 1;
    }
    memset(mask + COLUMNS, 1, COLUMNS);
    memset(bitmap, 1, sizeof bitmap);
    for (int lanes = 1; lanes <= 32; lanes *= 2) {
        torc_spmm_kernel kernel = {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32},
            .a_type = TORC_INT32,
            .b_type = TORC_INT32,
            .a_access = TORC_ACCESS_ARRAY,
            .b_access = TORC_ACCESS_ARRAY,
            .c_is_bitmap = true,
            .has_mask = true,
            .accum = TORC_FIRST,
            .shape = {lanes, 4}};
        on_device d = {.device = device};
        torc_spmm_args args = {
            .nrows = 2, .ncols = COLUMNS, .ldb = COLUMNS, .ldc = COLUMNS, .mask_replace = true};
        args.row_ptr = copy(&d, row_ptr, sizeof row_ptr);
        args.col_idx = copy(&d, col_idx, sizeof col_idx);
        args.a = copy(&d, a, sizeof a);
        args.b = copy(&d, b, sizeof b);
        args.c = copy(&d, c, sizeof c);
        args.c_bitmap = copy(&d, bitmap, sizeof bitmap);
        args.mask = copy(&d, mask, sizeof mask);
        TORC_GPU_TRY(device, torc_executor_cuda()->spmm(device, &kernel, &args));
        TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c, args.c, sizeof c));
        TORC_GPU_TRY(device, torc_executor_cuda()->download(device, bitmap, args.c_bitmap, sizeof bitmap));
        TORC_GPU_TRY(device, torc_executor_cuda()->wait(device));
        for (int j = 0; j < COLUMNS; j++) {
            cr_expect(!bitmap[j] && bitmap[COLUMNS + j] && c[COLUMNS + j] == 2 * j + 3, "%d lanes, column %d",
                lanes, j);
        }
        release_copies(&d);
    }
    torc_executor_cuda()->close(device);
}
