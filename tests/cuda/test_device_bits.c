/* test_device_bits.c: packed booleans on the device beside the reference: packing from every type and order
 * at ragged widths, aligned and not, and every packed kernel on every pattern of ugly_csr.h. */
#include "device_cuts.h"
#include "gpu.h"
#include "policy_cases.h"
#include "reference.h"
#include "ugly_csr.h"
#include <stdlib.h>
#include <string.h>

enum { WORD = TORC_WORD_COLUMNS, FILL = 0x5A };

static void fill_randomly(void *memory, size_t size, uint64_t *state)
{
    for (size_t at = 0; at < size; at++) {
        ((unsigned char *)memory)[at] = (unsigned char)(torc_random(state, 3) ? 0 : torc_random(state, 256));
    }
}

/* ---- Packing ------------------------------------------------------------------------------------------ */

/* Bytes from data to the end of X's last element. */
static size_t bytes_of(const torc_dense *X)
{
    int64_t runs = X->order == TORC_ROW_MAJOR ? X->nrows : X->ncols;
    return (size_t)(runs * X->ld) * torc_type_size(X->type);
}

static void check_packing(torc_device *device, torc_dense X, const char *name, uint64_t seed)
{
    const torc_executor *cuda = torc_executor_cuda();
    uint64_t state = seed;
    size_t size = bytes_of(&X), words_size = (size_t)(X.nrows * ((X.ncols + WORD - 1) / WORD)) * 8;
    char *values = malloc(size), *unpacked = malloc(size), *expected_values = malloc(size);
    uint64_t *expected = malloc(words_size), *words = malloc(words_size);
    fill_randomly(values, size, &state);
    torc_dense on_host = X, on_device = X;
    on_host.data = values;
    torc_reference_pack(expected, &on_host);

    on_device.data = torc_gpu_copy(device, values, size);
    memset(words, FILL, words_size);
    uint64_t *device_words = torc_gpu_copy(device, words, words_size);
    TORC_GPU_TRY(device, cuda->pack_bits(device, device_words, &on_device));
    TORC_GPU_TRY(device, cuda->download(device, words, device_words, words_size));
    cr_expect(memcmp(words, expected, words_size) == 0, "pack %s, %lld x %lld, ld %lld, seed %llu", name,
        (long long)X.nrows, (long long)X.ncols, (long long)X.ld, (unsigned long long)seed);

    if (X.type == TORC_BOOL) {
        memset(unpacked, FILL, size);
        memset(expected_values, FILL, size);
        on_host.data = expected_values;
        torc_reference_unpack(&on_host, expected);
        TORC_GPU_TRY(device, cuda->upload(device, on_device.data, unpacked, size));
        TORC_GPU_TRY(device, cuda->unpack_bits(device, &on_device, device_words));
        TORC_GPU_TRY(device, cuda->download(device, unpacked, on_device.data, size));
        cr_expect(memcmp(unpacked, expected_values, size) == 0, "unpack %s, %lld x %lld, ld %lld, seed %llu",
            name, (long long)X.nrows, (long long)X.ncols, (long long)X.ld, (unsigned long long)seed);
    }
    cuda->release(device, on_device.data);
    cuda->release(device, device_words);
    free(values);
    free(unpacked);
    free(expected_values);
    free(expected);
    free(words);
}

/* Both orders, aligned and not. */
static void check_width(torc_device *device, torc_type type, int64_t ncols)
{
    static const int64_t heights[] = {1, 33, 300};
    for (int variant = 0; variant < 6; variant++) {
        int64_t nrows = heights[(ncols + variant) % 3];
        torc_order order = variant / 3 ? TORC_COL_MAJOR : TORC_ROW_MAJOR;
        int64_t least = order == TORC_ROW_MAJOR ? ncols : nrows;
        const int64_t lds[] = {least, least + 1, (least + 16) / 16 * 16};
        torc_dense X = {nrows, ncols, lds[variant % 3], order, type, false, NULL};
        check_packing(device, X, torc_type_name(type), (uint64_t)(ncols * 6 + variant));
    }
}

Test(device_bits, packing_equals_the_reference)
{
    static const int64_t widths[] = {1, 15, 16, 17, 63, 64, 65, 127, 128, 130, 192, 1000, 4097};
    torc_device *device = torc_gpu_open(0);
    for (int type = 0; type < TORC_TYPE_COUNT; type++) {
        for (int w = 0; w < 13; w++) {
            check_width(device, (torc_type)type, widths[w]);
        }
    }
    for (int64_t ncols = 2; ncols < 70; ncols++) { /* a word and its parts */
        check_width(device, TORC_BOOL, ncols);
    }
    torc_executor_cuda()->close(device);
}

Test(device_bits, masking_equals_the_reference)
{
    static const int64_t counts[] = {1, 255, 256, 257, 100000};
    torc_device *device = torc_gpu_open(0);
    for (int i = 0; i < 10; i++) {
        size_t size = (size_t)counts[i / 2] * sizeof(uint64_t);
        uint64_t state = (uint64_t)i, *words = malloc(size), *mask = malloc(size), *found = malloc(size);
        fill_randomly(words, size, &state);
        fill_randomly(mask, size, &state);
        void *device_words = torc_gpu_copy(device, words, size),
             *device_mask = torc_gpu_copy(device, mask, size);
        TORC_GPU_TRY(
            device, torc_executor_cuda()->mask_bits(device, device_words, device_mask, counts[i / 2], i % 2));
        TORC_GPU_TRY(device, torc_executor_cuda()->download(device, found, device_words, size));
        torc_reference_mask(words, mask, counts[i / 2], i % 2);
        cr_expect(
            memcmp(words, found, size) == 0, "%lld words, complement %d", (long long)counts[i / 2], i % 2);
        torc_executor_cuda()->release(device, device_words);
        torc_executor_cuda()->release(device, device_mask);
        free(words);
        free(mask);
        free(found);
    }
    torc_executor_cuda()->close(device);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

/* A word of any: for one entry of the row, the term of each column. */
static bool is_a_term(const torc_spmm_kernel *kernel, const torc_spmm_args *args, uint64_t begin,
    uint64_t end, int64_t w, uint64_t c)
{
    if (begin == end) {
        return c == 0;
    }
    for (uint64_t p = begin; p < end; p++) {
        uint64_t word = ((const uint64_t *)args->b)[args->col_idx[p] * args->ldb + w], term = 0;
        bool x = false;
        if (kernel->a_access != TORC_ACCESS_NONE) {
            size_t at = kernel->a_access == TORC_ACCESS_ISO ? 0 : p;
            torc_cast(
                &x, TORC_BOOL, (const char *)args->a + at * torc_type_size(kernel->a_type), kernel->a_type);
        }
        for (int j = 0; j < WORD; j++) {
            bool y = word >> j & 1, z;
            torc_reference_multiply(kernel->semiring.multiply, TORC_BOOL)(&z, &x, &y);
            term |= (uint64_t)z << j;
        }
        if (term == c) {
            return true;
        }
    }
    return false;
}

static int64_t count_wrong(const torc_spmm_kernel *kernel, const torc_spmm_args *args, const torc_ugly_csr *A,
    const uint64_t *expected, const uint64_t *found)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < args->nrows; i++) {
        for (int64_t w = 0; w < args->ldc; w++) {
            int64_t at = i * args->ldc + w;
            bool is_any = kernel->semiring.add == TORC_ANY_MONOID && w < args->ncols;
            wrong += is_any ? !is_a_term(kernel, args, A->row_ptr[i], A->row_ptr[i + 1], w, found[at])
                            : found[at] != expected[at];
        }
    }
    return wrong;
}

static void check_product(torc_device *device, const torc_spmm_kernel *kernel, const torc_ugly_csr *A,
    const torc_device_cuts *cuts, int64_t ncols, uint64_t seed)
{
    const torc_executor *cuda = torc_executor_cuda();
    uint64_t state = seed;
    int64_t ldb = ncols + kernel->shape.vector, ldc = ncols + 2 * kernel->shape.vector;
    size_t a_size = (size_t)(A->nnz + 1) * torc_type_size(kernel->a_type),
           b_size = (size_t)(A->ncols * ldb) * 8;
    size_t c_size = (size_t)(A->nrows * ldc) * 8, offsets = (size_t)A->nrows + 1;
    void *a = malloc(a_size), *b = malloc(b_size + 1);
    uint64_t *expected = malloc(c_size), *found = malloc(c_size);
    fill_randomly(a, a_size, &state);
    fill_randomly(b, b_size, &state);
    memset(expected, FILL, c_size);
    const void *row_ptr = kernel->wide_offsets ? (void *)A->wide_row_ptr : (void *)A->row_ptr;
    torc_spmm_args args = {.nrows = A->nrows,
        .ncols = ncols,
        .ldb = ldb,
        .ldc = ldc,
        .row_ptr = row_ptr,
        .col_idx = A->col_idx,
        .b_rows = A->ncols,
        .a = a,
        .b = b,
        .c = expected};
    torc_reference_spmm_bits(kernel, &args);

    torc_spmm_args there = args;
    memset(found, FILL, c_size);
    there.row_ptr = torc_gpu_copy(device, row_ptr, offsets * (kernel->wide_offsets ? 8 : 4));
    there.col_idx = torc_gpu_copy(device, A->col_idx, (size_t)A->nnz * 4);
    there.a = torc_gpu_copy(device, a, a_size);
    there.b = torc_gpu_copy(device, b, b_size);
    there.c = torc_gpu_copy(device, found, c_size);
    int64_t nparts = torc_device_cuts_take(&there, kernel, cuts);
    TORC_GPU_TRY(device, cuda->allocate(&there.partials, device, (size_t)(nparts * ncols) * 8));
    TORC_GPU_TRY(device, cuda->spmm(device, kernel, &there));
    TORC_GPU_TRY(device, cuda->download(device, found, there.c, c_size));

    char name[128];
    torc_kernel_describe(name, kernel);
    int64_t wrong = count_wrong(kernel, &args, A, expected, found);
    cr_expect_eq(wrong, 0, "%s, on \"%s\", %lld words, seed %llu: %lld wrong", name, A->name,
        (long long)ncols, (unsigned long long)seed, (long long)wrong);
    const void *on_device[] = {there.row_ptr, there.col_idx, there.a, there.b, there.c, there.partials};
    for (size_t i = 0; i < sizeof on_device / sizeof on_device[0]; i++) {
        cuda->release(device, (void *)on_device[i]);
    }
    free(a);
    free(b);
    free(expected);
    free(found);
}

Test(device_bits, every_packed_kernel_equals_the_reference)
{
    static const int64_t widths[] = {1, 3, 17}; /* in vectors */
    torc_device *device = torc_gpu_open(0);
    torc_kernel_cases cases = torc_packed_cases_build();
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr A = torc_ugly_csr_build(which);
        torc_device_cuts cuts = torc_device_cuts_build(device, &A);
        for (int i = 0; i < cases.count; i++) {
            int64_t ncols = widths[(i + which) % 3] * cases.kernels[i].shape.vector;
            check_product(device, &cases.kernels[i], &A, &cuts, ncols, (uint64_t)i);
        }
        torc_device_cuts_free(device, &cuts);
        torc_ugly_csr_free(&A);
    }
    free(cases.kernels);
    torc_executor_cuda()->close(device);
}
