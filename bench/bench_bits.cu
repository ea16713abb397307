#include "bench_bits.h"

static constexpr int THREADS = 256;
static constexpr int BLOCKS = 1024;

static __global__ void count_differences(
    unsigned long long *differences, const uint32_t *x, const uint32_t *y, int64_t words)
{
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS;
    unsigned long long count = 0;
    for (int64_t w = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; w < words; w += stride) {
        count += x[w] != y[w];
    }
    if (count > 0) {
        atomicAdd(differences, count);
    }
}

cudaError_t bench_count_differences(
    uint64_t *differences, const void *x, const void *y, int64_t words, cudaStream_t stream)
{
    unsigned long long *count;
    cudaError_t error = cudaMalloc(&count, sizeof *count);
    if (error != cudaSuccess) {
        return error;
    }
    error = cudaMemsetAsync(count, 0, sizeof *count, stream);
    if (error == cudaSuccess) {
        count_differences<<<BLOCKS, THREADS, 0, stream>>>(
            count, static_cast<const uint32_t *>(x), static_cast<const uint32_t *>(y), words);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) {
        error = cudaMemcpyAsync(differences, count, sizeof *count, cudaMemcpyDeviceToHost, stream);
    }
    if (error == cudaSuccess) {
        error = cudaStreamSynchronize(stream);
    }
    cudaFree(count);
    return error;
}
