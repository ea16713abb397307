/* bench_device.h: the GPU of the bench: torc's context, the stream that torc queues on, so that every
 * contender queues there too and is timed alike, and memory. */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include "bench_require.h"
#include <cuda_runtime_api.h>
#include <torc/torc.h>

/* End the program, with its name, if a call fails. */
#define BENCH_CUDA(call) bench_cuda_require((call), #call)
#define BENCH_TORC(call) bench_torc_require((call), #call)
void bench_cuda_require(cudaError_t error, const char *call);
void bench_torc_require(torc_status status, const char *call);

typedef struct bench_device {
    torc_context *context;
    cudaStream_t stream;
    torc_device_info info;
} bench_device;

void bench_device_open(bench_device *device);
void bench_device_close(bench_device *device);

void *bench_device_allocate(size_t size);
void *bench_device_copy(const void *host, size_t size);

/* `count` values of bench_values.h. */
void *bench_device_values(torc_type type, int64_t count);

#endif
