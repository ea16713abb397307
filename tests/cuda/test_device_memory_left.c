/* What is released is there for the next one. Alone in its file, and run alone: it counts the memory that the
 * device has left, of which other processes with a context take some. */
#include "cuda_device.h"
#include "gpu.h"

Test(device_memory_left, released_memory_is_available_again)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    torc_device_info before, held, after;
    void *memory;
    TORC_GPU_TRY(device, cuda->info(&before, device));
    TORC_GPU_TRY(device, cuda->allocate(&memory, device, (size_t)4 << 30));
    TORC_GPU_TRY(device, cuda->info(&held, device));
    cuda->release(device, memory);
    TORC_GPU_TRY(device, cuda->wait(device));
    TORC_GPU_TRY(device, cuda->info(&after, device));
    cr_expect_leq(held.memory_available, before.memory_available - ((size_t)4 << 30));
    cr_expect_geq(after.memory_available, held.memory_available + ((size_t)4 << 30));
    /* In one piece, although the pool has pieces. */
    TORC_GPU_TRY(device, cuda->allocate(&memory, device, after.memory_available / 10 * 9));
    cuda->release(device, memory);
    cuda->close(device);
}
