/* test_device_reduction.c: every monoid on every type on the device, in the order of reduce_args.h: the same
 * bits as the reference executor; and the bytes of bitmaps counted. */
#include "dense_cases.h"
#include "device_dense.h"
#include "gpu.h"
#include "ugly_csr.h"
#include <stdlib.h>

/* Each of so many kernels on four of the shapes. */
static void check_on(const int64_t shapes[][2], int nshapes, const torc_reduce_kernel *kernels, int count)
{
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    for (int i = 0; i < count; i++) {
        for (int turn = 0; turn < 4; turn++) {
            const int64_t *shape = shapes[(i + turn * 5) % nshapes];
            torc_device_reduce_check(
                device, reference, &kernels[i], shape[0], shape[1], (uint64_t)(i * nshapes + turn));
        }
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}

Test(device_reduction, rounds_have_the_bits_of_the_reference)
{
    /* Along lines: empty ones, shares of a warp, of a block, several chunks. Across: strips, and none. */
    const int64_t shapes[][2] = {{3, 0}, {1, 1}, {40, 3}, {33, 64}, {9, 127}, {9, 129}, {5, 1000}, {2, 8192},
        {2, 8195}, {1, 20001}, {128, 5}, {129, 7}, {300, 33}, {0, 4}};
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    torc_reduce_cases cases = torc_reduce_cases_build(TORC_REDUCE_RUN_STRIDE);
    check_on(shapes, SHAPES, cases.kernels, cases.count);
    free(cases.kernels);
}

/* Infinite ones too, of which a product with 1 + 0i would be NaN. */
Test(device_reduction, a_product_of_one_complex_number_is_that_number)
{
    const int64_t shapes[][2] = {{1, 1}, {128, 1}, {2000, 1}, {1, 128}, {1, 2000}};
    torc_reduce_kernel along = torc_complex_product_case(false), across = torc_complex_product_case(true);
    check_on(shapes, 3, &along, 1);
    check_on(shapes + 2, 3, &across, 1);
}

Test(device_reduction, sums_that_shared_memory_has_no_room_for_have_the_bits_of_the_reference)
{
    const int64_t shapes[][2] = {{3, 0}, {128, 5}, {33, 64}, {9, 129}, {1, 9001}, {5, 1000}};
    torc_reduce_kernel kernels[TORC_LARGE_REDUCTIONS];
    for (int i = 0; i < TORC_LARGE_REDUCTIONS; i++) {
        kernels[i] = torc_large_reduce_case(i);
    }
    check_on(shapes, sizeof shapes / sizeof shapes[0], kernels, TORC_LARGE_REDUCTIONS);
}

Test(device_reduction, bytes_that_are_not_zero_are_counted)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    enum { SIZE = 100001 };
    static uint8_t bytes[SIZE];
    uint64_t state = 3;
    for (int k = 0; k < SIZE; k++) {
        bytes[k] = torc_random(&state, 3) ? 0 : (uint8_t)(1 + torc_random(&state, 255));
    }
    uint8_t *memory = torc_gpu_copy(device, bytes, SIZE);
    const size_t begins[] = {0, 1, 15, 16}, sizes[] = {0, 1, 2, 14, 17, 4096, SIZE - 16};
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int64_t expected = 0, count = -1;
            for (size_t k = 0; k < sizes[s]; k++) {
                expected += bytes[begins[b] + k] != 0;
            }
            TORC_GPU_TRY(device, cuda->count(device, &count, memory + begins[b], sizes[s]));
            cr_expect_eq(count, expected, "%zu bytes from %zu on", sizes[s], begins[b]);
        }
    }
    cuda->release(device, memory);
    cuda->close(device);
}
