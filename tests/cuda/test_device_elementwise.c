/* test_device_elementwise.c: every element-wise operator on the device, with casts, bitmaps, lists, masks and
 * accumulators of all kinds, beside the reference executor. */
#include "dense_cases.h"
#include "device_dense.h"
#include "gpu.h"
#include <stdlib.h>
#include <string.h>

Test(device_elementwise, kernels_equal_the_reference_on_ragged_shapes)
{
    /* Lines shorter than a vector, with a rest, longer than a block's vectors; as many as fill several. */
    const int64_t shapes[][2] = {{1, 1}, {3, 5}, {5, 16}, {7, 23}, {200, 6}, {2, 4127}, {1, 9000}};
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    torc_elementwise_cases cases = torc_elementwise_cases_build(TORC_ELEMENTWISE_RUN_STRIDE);
    for (int i = 0; i < cases.count; i++) {
        for (int turn = 0; turn < 3; turn++) {
            const int64_t *shape = shapes[(i + 2 * turn) % SHAPES];
            int64_t nlines = cases.kernels[i].is_flat ? 1 : shape[0];
            torc_device_elementwise_check(
                device, reference, &cases.kernels[i], nlines, shape[1], (uint64_t)(i * SHAPES + turn));
        }
    }
    free(cases.kernels);
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

/* Of a double that was a bool ptxas loses a conversion to int, unless it is kept from knowing (casts.cuh). */
Test(device_elementwise, a_bool_that_becomes_a_double_converts_to_its_integer)
{
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    const torc_elementwise_kernel kernel = torc_elementwise_scaled();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        torc_device_elementwise_check(device, reference, &kernel, 1, 5000, seed);
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

Test(device_elementwise, scalars_of_another_value_are_the_same_kernel)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    void *c = torc_gpu_copy(device, ones, sizeof ones);
    torc_elementwise_kernel kernel = torc_elementwise_plus_value;
    for (int turn = 1; turn <= 3; turn++) {
        torc_elementwise_args args = {.nlines = 1, .length = 8, .a = {.values = c}, .c = c};
        float value = (float)turn;
        memcpy(args.b.value, &value, sizeof value);
        memcpy(kernel.operation.beta.value, &value, sizeof value);
        TORC_GPU_TRY(device, cuda->elementwise(device, &kernel, &args));
    }
    TORC_GPU_TRY(device, cuda->download(device, ones, c, sizeof ones));
    for (int k = 0; k < 8; k++) {
        cr_expect_eq(ones[k], 7, "element %d is %g", k, ones[k]);
    }
    cuda->release(device, c);
    cuda->close(device);
}
