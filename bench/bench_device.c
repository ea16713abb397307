#include "bench_device.h"
#include "bench_values.h"
#include "context.h"
#include "cuda_device.h"
#include <stdlib.h>

void bench_cuda_require(cudaError_t error, const char *call)
{
    bench_require(error == cudaSuccess, call, cudaGetErrorString(error));
}

void bench_torc_require(torc_status status, const char *call)
{
    bench_require(status == TORC_SUCCESS, call, torc_status_text(status));
}

void bench_device_open(bench_device *device)
{
    torc_options options;
    torc_options_from_environment(&options);
    options.backend = TORC_BACKEND_CUDA;
    BENCH_TORC(torc_context_create(&device->context, &options));
    BENCH_TORC(torc_context_info(&device->info, device->context));
    device->stream = device->context->device->stream;
}

void bench_device_close(bench_device *device)
{
    torc_context_destroy(device->context);
}

void *bench_device_allocate(size_t size)
{
    void *memory;
    BENCH_CUDA(cudaMalloc(&memory, size ? size : 1));
    return memory;
}

void *bench_device_copy(const void *host, size_t size)
{
    void *memory = bench_device_allocate(size);
    BENCH_CUDA(cudaMemcpy(memory, host, size, cudaMemcpyHostToDevice));
    BENCH_CUDA(cudaDeviceSynchronize()); /* the last part may still be on its way, and streams do not wait */
    return memory;
}

void *bench_device_values(torc_type type, int64_t count)
{
    size_t size = (size_t)count * torc_type_size(type);
    size_t period = (size_t)BENCH_VALUE_PERIOD * torc_type_size(type), done = size < period ? size : period;
    void *host = bench_values_make(type, count < BENCH_VALUE_PERIOD ? count : BENCH_VALUE_PERIOD);
    char *memory = bench_device_allocate(size);
    BENCH_CUDA(cudaMemcpy(memory, host, done, cudaMemcpyHostToDevice));
    free(host);
    for (size_t more; done < size; done += more) { /* whole periods, doubling */
        more = size - done < done ? size - done : done;
        BENCH_CUDA(cudaMemcpy(memory + done, memory, more, cudaMemcpyDeviceToDevice));
    }
    BENCH_CUDA(cudaDeviceSynchronize());
    return memory;
}
