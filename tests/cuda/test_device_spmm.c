/* test_device_spmm.c: the chosen kernels of kernel_cases.h on every pattern of ugly_csr.h and ragged widths,
 * beside the reference. */
#include "compile_ahead.h"
#include "device_product.h"
#include "gpu.h"
#include "policy_cases.h"
#include <stdlib.h>

static void walk(torc_kernel_cases cases)
{
    static const int64_t widths[] = {1, 3, 33}; /* in vectors */
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    torc_compile_ahead(device, &cases);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_device_pattern A = torc_device_pattern_build(device, which);
        for (int i = 0; i < cases.count; i++) {
            const torc_spmm_kernel *kernel = &cases.kernels[i];
            int64_t ncols = widths[(i + which) % 3] * kernel->shape.vector;
            torc_device_product_check(device, reference, kernel, &A, ncols, (uint64_t)i);
        }
        torc_device_pattern_free(device, &A);
    }
    free(cases.kernels);
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

Test(device_spmm, every_chosen_kernel_equals_the_reference_on_every_ugly_pattern)
{
    walk(torc_kernel_cases_chosen());
}

Test(device_spmm, every_policy_equals_the_reference_on_every_ugly_pattern)
{
    walk(torc_policy_cases_build());
}

Test(device_spmm, more_panels_than_a_grid_is_tall)
{
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    const torc_spmm_kernel kernel = {.semiring = {TORC_MIN_MONOID, TORC_PLUS, TORC_INT32},
        .a_type = TORC_INT32,
        .b_type = TORC_INT32,
        .a_access = TORC_ACCESS_ARRAY,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {1, 1}};
    torc_device_pattern A = torc_device_pattern_build(device, 0);
    torc_device_product_check(device, reference, &kernel, &A, 70001, 1);
    torc_device_product_check(device, reference, &kernel, &A, 65536, 2);
    torc_device_pattern_free(device, &A);
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}
