/* kernel_launch.c: a kernel with what it is given, queued.
 *
 * Its blocks may begin while those of the kernel before it end. But a multiprocessor divides its memory
 * between L1 and shared memory only while it is idle: blocks that begin beside some that have nearly all of
 * it for shared memory find little L1, and so do all that follow them. So a kernel with less shared memory
 * than the one before it begins when that has ended. */
#include "cuda_device.h"

torc_status torc_kernel_launch(
    torc_device *device, cudaKernel_t kernel, dim3 grid, int threads, size_t shared, const void *args)
{
    void *parameters[] = {(void *)args}; /* which CUDA copies, and takes for writable */
    cudaLaunchAttribute early = {.id = cudaLaunchAttributeProgrammaticStreamSerialization};
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {.gridDim = grid,
        .blockDim = {(unsigned)threads, 1, 1},
        .dynamicSmemBytes = shared,
        .stream = device->stream,
        .attrs = &early,
        .numAttrs = device->info.compute_capability >= 90 && shared >= device->shared};
    device->shared = shared;
    TORC_TRY_CUDA(device, cudaLaunchKernelExC(&config, (const void *)kernel, parameters));
    return TORC_SUCCESS;
}
