/* test_device_build.c: entries scattered on the device, beside the reference executor. */
#include "gpu.h"
#include "ugly_csr.h"

enum { CELLS = 70001, ENTRIES = 3000, LARGEST = 24 };

static void check(torc_device *device, torc_device *reference, torc_build_args build)
{
    const torc_executor *cuda = torc_executor_cuda(), *host = torc_executor_reference();
    static uint8_t bytes[CELLS], expected_bytes[CELLS];
    static char cells[CELLS * LARGEST], expected[CELLS * LARGEST];
    size_t size = CELLS * build.value_size, nvalues = build.iso ? 1 : (size_t)build.count;
    memset(cells, 5, size);
    memset(expected, 5, size);
    torc_build_args on_host = build;
    on_host.bitmap = expected_bytes;
    on_host.to = build.to ? expected : NULL;
    cr_assert_eq(host->build(reference, &on_host), TORC_SUCCESS);
    torc_gpu_copies copies = {.device = device};
    build.bitmap = torc_gpu_keep(&copies, bytes, CELLS);
    build.to = build.to ? torc_gpu_keep(&copies, cells, size) : NULL;
    build.positions = torc_gpu_keep(&copies, on_host.positions, (size_t)build.count * sizeof(uint64_t));
    build.values = torc_gpu_keep(&copies, on_host.values, nvalues * build.value_size);
    TORC_GPU_TRY(device, cuda->build(device, &build));
    TORC_GPU_TRY(device, cuda->download(device, bytes, build.bitmap, CELLS));
    cr_expect_arr_eq(bytes, expected_bytes, CELLS);
    if (build.to) {
        TORC_GPU_TRY(device, cuda->download(device, cells, build.to, size));
        cr_expect(memcmp(cells, expected, size) == 0, "values of %zu bytes", build.value_size);
    }
    torc_gpu_release(&copies);
}

Test(device_build, entries_go_to_their_positions)
{
    torc_device *device = torc_gpu_open(0), *reference;
    torc_options options = TORC_OPTIONS_INIT;
    cr_assert_eq(torc_executor_reference()->open(&reference, &options), TORC_SUCCESS);
    static uint64_t positions[ENTRIES];
    static char values[ENTRIES * LARGEST];
    uint64_t state = 11;
    for (int e = 0; e < ENTRIES; e++) {
        positions[e] = (uint64_t)e * (CELLS / ENTRIES) + (uint64_t)torc_random(&state, CELLS / ENTRIES);
    }
    for (size_t k = 0; k < sizeof values; k++) {
        values[k] = (char)torc_random(&state, 256);
    }
    const size_t sizes[] = {1, 2, 4, 8, 16, 3, 12, LARGEST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int turn = 0; turn < 4; turn++) {
            check(device, reference,
                (torc_build_args){.to = turn == 3 ? NULL : values,
                    .positions = positions,
                    .values = values,
                    .iso = turn == 1,
                    .value_size = sizes[s],
                    .count = turn == 2 ? 0 : ENTRIES,
                    .cells = CELLS});
        }
    }
    torc_executor_reference()->close(reference);
    torc_executor_cuda()->close(device);
}
