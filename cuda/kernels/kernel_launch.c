/* kernel_launch.c: a kernel with what it is given, queued. */
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
        .numAttrs = device->info.compute_capability >= 90};
    TORC_TRY_CUDA(device, cudaLaunchKernelExC(&config, (const void *)kernel, parameters));
    return TORC_SUCCESS;
}
