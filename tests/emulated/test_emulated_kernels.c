/* test_emulated_kernels.c: the kernels' own text on the CPU, beside the reference, on every pattern of
 * ugly_csr.h and ragged widths. Threads run in two orders: the same bits must come out. What the GPU alone
 * can tell is how fast, and whether memory is ordered where threads meet in a shuffle only. */
#include "device_update.h"
#include "emulated_cases.h"
#include "gpu.h"
#include "update_cases.h"
#include <stdlib.h>

typedef bool torc_kind(const torc_spmm_kernel *kernel);

static bool streams(const torc_spmm_kernel *kernel)
{
    return kernel->family == TORC_STREAMED;
}

static bool has_panels(const torc_spmm_kernel *kernel)
{
    return kernel->family == TORC_PANELS;
}

/* Those with tiles are for test_device_tiles.c, those with bricks for test_device_bricks.c. */
static bool is_another(const torc_spmm_kernel *kernel)
{
    return !streams(kernel) && !has_panels(kernel) && kernel->family != TORC_TILES &&
           kernel->family != TORC_BRICKS && !torc_has_mask_or_bitmap(kernel);
}

/* widest: in vectors. */
static void walk(torc_kind *is_of_kind, int64_t widest)
{
    const int64_t widths[] = {1, 3, widest};
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    torc_kernel_cases cases = torc_emulated_cases_build();
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_device_pattern A = torc_device_pattern_build(device, which);
        for (int i = 0; i < cases.count; i++) {
            int64_t ncols = widths[(i + which) % 3] * cases.kernels[i].shape.vector;
            if (is_of_kind(&cases.kernels[i])) {
                cr_assert(torc_is_emulated(&cases.kernels[i]));
                (is_of_kind == torc_has_mask_or_bitmap ? torc_device_update_check
                                                       : torc_device_product_check)(
                    device, reference, &cases.kernels[i], &A, ncols, (uint64_t)i);
            }
        }
        torc_device_pattern_free(device, &A);
    }
    free(cases.kernels);
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

/* Criterion runs one beside the other. */

Test(emulated_kernels, those_that_stream_equal_the_reference_on_every_ugly_pattern)
{
    walk(streams, 33);
}

Test(emulated_kernels, every_other_policy_equals_the_reference_on_every_ugly_pattern)
{
    walk(is_another, 33);
}

Test(emulated_kernels, those_with_masks_and_bitmaps_equal_the_reference_on_every_ugly_pattern)
{
    walk(torc_has_mask_or_bitmap, 33);
}

Test(emulated_kernels, those_with_panels_equal_the_reference_on_every_ugly_pattern)
{
    walk(has_panels, 4); /* a block of each is of 1024 threads */
}

/* A grid would have 2^32 blocks, of which 32 bits leave none. */
Test(emulated_kernels, a_reduction_of_more_chunks_than_a_grid_has_blocks_is_refused)
{
    torc_device *device = torc_gpu_open(0);
    torc_reduce_kernel kernel = {
        .reduction = {TORC_PLUS_MONOID, TORC_INT64, NULL}, .a_type = TORC_INT64, .a_access = TORC_ACCESS_ISO};
    torc_reduce_args args = {.nlines = 1, .length = INT64_C(1) << 45};
    cr_expect_eq(torc_executor_cuda()->reduce(device, &kernel, &args), TORC_UNSUPPORTED);
    torc_executor_cuda()->close(device);
}
