/* test_device_update.c: every store of cuda/kernels/update.cuh and bitmaps of B, under every policy that has
 * them: they compile without a GPU, and each leaves, on every pattern of ugly_csr.h, exactly what the
 * reference leaves.
 */
#include "compile.h"
#include "compile_ahead.h"
#include "device_update.h"
#include "gpu.h"
#include "kernel_source.h"
#include "update_cases.h"
#include <stdlib.h>
#include <string.h>

enum { ARCHITECTURE = 90, COMPILED = 23 };

/* Every COMPILED-th: prime to the number of policies and of products, so that all are among them. */
Test(update_kernels, every_store_compiles_without_warnings_or_spills)
{
    torc_kernel_cases cases = torc_update_cases_build();
    for (int i = 0; i < cases.count; i += COMPILED) {
        char source[TORC_SOURCE_SIZE], log[TORC_LOG_SIZE] = "";
        torc_image image = {NULL, 0};
        cr_assert_eq(torc_spmm_source(source, &cases.kernels[i]), TORC_SUCCESS);
        torc_status status = torc_compile(&image, log, source, ARCHITECTURE);
        cr_expect(status == TORC_SUCCESS && log[0] == '\0', "%s\n%s", log, source);
        torc_image_release(&image);
    }
    free(cases.kernels);
}

Test(device_update, every_store_equals_the_reference_on_every_ugly_pattern)
{
    static const int64_t widths[] = {1, 3, 33}; /* in vectors */
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    torc_kernel_cases cases = torc_update_cases_build();
    torc_compile_ahead(device, &cases);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_device_pattern A = torc_device_pattern_build(device, which);
        for (int i = 0; i < cases.count; i++) {
            int64_t ncols = widths[(i + which) % 3] * cases.kernels[i].shape.vector;
            torc_device_update_check(device, reference, &cases.kernels[i], &A, ncols, (uint64_t)i);
        }
        torc_device_pattern_free(device, &A);
    }
    free(cases.kernels);
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

static torc_spmm_kernel gathering(torc_family family, int lanes, int ways, bool is_bitmap)
{
    return (torc_spmm_kernel){.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT32},
        .a_type = TORC_INT32,
        .b_type = TORC_INT32,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .b_is_bitmap = is_bitmap,
        .c_is_bitmap = true,
        .has_mask = true,
        .accum = TORC_FIRST,
        .family = family,
        .ways = ways,
        .shape = {lanes, 4}};
}

/* Row 0 names rows of B that no memory holds, so that the product fails if it looks at them; row 1 does not.
 */
static void check_gathering(torc_device *device, torc_spmm_kernel kernel)
{
    enum { COLUMNS = 40 };
    static const uint32_t row_ptr[] = {0, 2, 4}, col_idx[] = {0xf0000000, 0xf0000001, 0, 1};
    static const uint32_t row_ends[TORC_SLICE_NNZ / 32] = {1 << 1 | 1 << 3}, slice_rows[] = {0};
    int32_t a[] = {1, 1, 2, 3}, b[2 * COLUMNS], c[2 * COLUMNS] = {0};
    uint8_t mask[2 * COLUMNS] = {0}, bitmap[2 * COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        b[j] = j;
        b[COLUMNS + j] = 1;
    }
    memset(mask + COLUMNS, 1, COLUMNS);
    memset(bitmap, 1, sizeof bitmap);
    torc_gpu_copies d = {.device = device};
    torc_spmm_args args = {
        .nrows = 2, .ncols = COLUMNS, .ldb = COLUMNS, .ldc = COLUMNS, .mask_replace = true};
    args.row_ptr = torc_gpu_keep(&d, row_ptr, sizeof row_ptr);
    args.col_idx = torc_gpu_keep(&d, col_idx, sizeof col_idx);
    if (torc_families[kernel.family].cut == TORC_CUT_SLICES) {
        args.row_ends = torc_gpu_keep(&d, row_ends, sizeof row_ends);
        args.slice_rows = torc_gpu_keep(&d, slice_rows, sizeof slice_rows);
        args.nnz = row_ptr[2];
        args.nslices = 1;
        args.nonempty_rows = 2;
    }
    args.a = torc_gpu_keep(&d, a, sizeof a);
    args.b = torc_gpu_keep(&d, b, sizeof b);
    args.b_bitmap = torc_gpu_keep(&d, bitmap, sizeof bitmap);
    args.c = torc_gpu_keep(&d, c, sizeof c);
    args.c_bitmap = torc_gpu_keep(&d, bitmap, sizeof bitmap);
    args.mask = torc_gpu_keep(&d, mask, sizeof mask);
    TORC_GPU_TRY(device, torc_executor_cuda()->spmm(device, &kernel, &args));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, c, args.c, sizeof c));
    TORC_GPU_TRY(device, torc_executor_cuda()->download(device, bitmap, args.c_bitmap, sizeof bitmap));
    TORC_GPU_TRY(device, torc_executor_cuda()->wait(device));
    char name[128];
    torc_kernel_describe(name, &kernel);
    for (int j = 0; j < COLUMNS; j++) {
        cr_expect(!bitmap[j] && bitmap[COLUMNS + j] && c[COLUMNS + j] == 2 * j + 3,
            "%s, bitmap %d: column %d", name, kernel.b_is_bitmap, j);
    }
    torc_gpu_release(&d);
}

Test(device_update, of_rows_that_the_mask_excludes_nothing_is_gathered)
{
    torc_device *device = torc_gpu_open(0);
    for (int lanes = 1; lanes <= 32; lanes *= 2) {
        for (int is_bitmap = 0; is_bitmap < 2; is_bitmap++) {
            check_gathering(device, gathering(TORC_ROWS, lanes, 0, is_bitmap));
            check_gathering(device, gathering(TORC_SLICES, lanes, 0, is_bitmap));
        }
    }
    check_gathering(device, gathering(TORC_PARALLEL_ROWS, 1, 16, true));
    check_gathering(device, gathering(TORC_PARALLEL_SLICES, 2, 16, false));
    check_gathering(device, gathering(TORC_PARALLEL_SLICES, 1, 32, true));
    torc_executor_cuda()->close(device);
}
