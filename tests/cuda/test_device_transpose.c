/* test_device_transpose.c: the transposes of the device beside the reference's, bit for bit. */
#include "gpu.h"
#include "ugly_csr.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5 };

static torc_status reference_status(torc_device **device)
{
    torc_options options = TORC_OPTIONS_INIT;
    return torc_executor_reference()->open(device, &options);
}

static void *random_bytes(uint64_t *state, size_t size)
{
    unsigned char *bytes = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)torc_random(state, 256);
    }
    return bytes;
}

static void *poisoned(size_t size)
{
    return memset(malloc(size + 1), POISON, size + 1);
}

/* Download `size` bytes and compare. */
static void expect_same(
    torc_device *device, const void *memory, const void *expected, size_t size, const char *what)
{
    void *received = malloc(size + 1);
    if (size > 0) {
        TORC_GPU_TRY(device, torc_executor_cuda()->download(device, received, memory, size));
    }
    cr_expect_eq(memcmp(received, expected, size), 0, "%s", what);
    free(received);
}

static void check_csr(torc_device *device, torc_device *reference, const torc_ugly_csr *csr,
    size_t value_size, bool is_wide, uint64_t *state)
{
    char what[128];
    snprintf(what, sizeof what, "%s, values of %zu bytes, %s offsets", csr->name, value_size,
        is_wide ? "wide" : "narrow");
    size_t nnz = (size_t)csr->nnz, offset_size = is_wide ? sizeof(uint64_t) : sizeof(uint32_t);
    size_t a_size = ((size_t)csr->nrows + 1) * offset_size, t_size = ((size_t)csr->ncols + 1) * offset_size;
    void *values = random_bytes(state, nnz * value_size);
    torc_device_csr A = {csr->nrows, csr->ncols, csr->nnz, is_wide, value_size,
        is_wide ? (void *)csr->wide_row_ptr : (void *)csr->row_ptr, csr->col_idx, values};
    torc_device_csr T = {csr->ncols, csr->nrows, csr->nnz, is_wide, value_size, poisoned(t_size),
        poisoned(nnz * sizeof(uint32_t)), poisoned(nnz * value_size)};
    cr_assert_eq(torc_executor_reference()->transpose_csr(reference, &T, &A), TORC_SUCCESS);

    torc_device_csr gpu_A = A, gpu_T = T;
    gpu_A.row_ptr = torc_gpu_copy(device, A.row_ptr, a_size);
    gpu_A.col_idx = torc_gpu_copy(device, A.col_idx, nnz * sizeof(uint32_t));
    gpu_A.values = torc_gpu_copy(device, A.values, nnz * value_size);
    void *poison = poisoned(t_size + nnz * (sizeof(uint32_t) + value_size));
    gpu_T.row_ptr = torc_gpu_copy(device, poison, t_size);
    gpu_T.col_idx = torc_gpu_copy(device, poison, nnz * sizeof(uint32_t));
    gpu_T.values = torc_gpu_copy(device, poison, nnz * value_size);
    TORC_GPU_TRY(device, torc_executor_cuda()->transpose_csr(device, &gpu_T, &gpu_A));
    expect_same(device, gpu_T.row_ptr, T.row_ptr, t_size, what);
    expect_same(device, gpu_T.col_idx, T.col_idx, nnz * sizeof(uint32_t), what);
    expect_same(device, gpu_T.values, T.values, nnz * value_size, what);

    void *on_device[] = {
        gpu_A.row_ptr, gpu_A.col_idx, gpu_A.values, gpu_T.row_ptr, gpu_T.col_idx, gpu_T.values};
    for (size_t i = 0; i < sizeof on_device / sizeof on_device[0]; i++) {
        torc_executor_cuda()->release(device, on_device[i]);
    }
    free(values);
    free(poison);
    free(T.row_ptr);
    free(T.col_idx);
    free(T.values);
}

Test(device_transpose, sparse_transposes_equal_the_reference)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16};
    torc_device *device = torc_gpu_open(0), *reference;
    uint64_t state = 3;
    cr_assert_eq(reference_status(&reference), TORC_SUCCESS);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr csr = torc_ugly_csr_build(which);
        for (size_t i = 0; i < sizeof value_sizes / sizeof value_sizes[0]; i++) {
            check_csr(device, reference, &csr, value_sizes[i], false, &state);
            check_csr(device, reference, &csr, value_sizes[i], true, &state);
        }
        torc_ugly_csr_free(&csr);
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

static void check_dense(torc_device *device, torc_device *reference, int64_t nrows, int64_t ncols,
    size_t size, int64_t unit, int64_t pad, uint64_t *state)
{
    char what[128];
    snprintf(what, sizeof what, "%lldx%lld, values of %zu bytes, unit %lld, pad %lld", (long long)nrows,
        (long long)ncols, size, (long long)unit, (long long)pad);
    int64_t ldfrom = (ncols + unit - 1) / unit * unit + pad,
            ldto = (nrows + unit - 1) / unit * unit + 2 * pad;
    size_t from_size = (size_t)(nrows * ldfrom) * size, to_size = (size_t)(ncols * ldto) * size;
    void *from = random_bytes(state, from_size), *to = poisoned(to_size);
    void *gpu_from = torc_gpu_copy(device, from, from_size), *gpu_to = torc_gpu_copy(device, to, to_size);
    cr_assert_eq(
        torc_executor_reference()->transpose_dense(reference, to, ldto, from, ldfrom, nrows, ncols, size),
        TORC_SUCCESS);
    TORC_GPU_TRY(device,
        torc_executor_cuda()->transpose_dense(device, gpu_to, ldto, gpu_from, ldfrom, nrows, ncols, size));
    expect_same(device, gpu_to, to, to_size, what);
    torc_executor_cuda()->release(device, gpu_from);
    torc_executor_cuda()->release(device, gpu_to);
    free(from);
    free(to);
}

Test(device_transpose, dense_transposes_equal_the_reference_and_leave_the_padding)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 100}, {100, 1}, {32, 32}, {33, 65}, {31, 1000},
        {1000, 31}, {70000, 3}, {3, 70000}, {2, 2}, {5, 3000}, {3000, 5}, {4097, 16}, {8, 1024}};
    static const size_t sizes[] = {1, 2, 4, 8, 16};
    torc_device *device = torc_gpu_open(0), *reference;
    uint64_t state = 4;
    cr_assert_eq(reference_status(&reference), TORC_SUCCESS);
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            check_dense(device, reference, shapes[shape][0], shapes[shape][1], sizes[i], 1, 0, &state);
            check_dense(device, reference, shapes[shape][0], shapes[shape][1], sizes[i], 1, 5, &state);
            check_dense(device, reference, shapes[shape][0], shapes[shape][1], sizes[i], 4, 8, &state);
        }
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}
