/* bench_bits.h: whether two results in device memory have the same bits. */
#ifndef BENCH_BITS_H
#define BENCH_BITS_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words of 32 bits that differ between x and y; waits for the stream. */
cudaError_t bench_count_differences(
    uint64_t *differences, const void *x, const void *y, int64_t words, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
