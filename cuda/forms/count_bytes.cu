/* count_bytes.cu: how many of an array's bytes are not zero: the entries of a bitmap. Sums of integers: their
 * order makes no difference. */
#include "scratch.cuh"

using namespace torc;

namespace
{

constexpr int VECTOR = 16, VECTORS = 4; /* bytes, that a thread loads at once */

/* The top bit of each byte that is not zero. */
__device__ int count_in(uint32_t word)
{
    return __popc(((word & 0x7f7f7f7fu) + 0x7f7f7f7fu | word) & 0x80808080u);
}

__device__ int count_in(uint4 words)
{
    return count_in(words.x) + count_in(words.y) + count_in(words.z) + count_in(words.w);
}

/* The first `head` bytes and those after the last whole vector are the first block's. */
__global__ void __launch_bounds__(THREADS)
    count(unsigned long long *total, const uint8_t *bytes, int64_t head, int64_t vectors, int64_t size)
{
    const auto *aligned = reinterpret_cast<const uint4 *>(bytes + head);
    const int64_t first = static_cast<int64_t>(blockIdx.x) * (THREADS * VECTORS) + threadIdx.x;
    uint4 loaded[VECTORS];
#pragma unroll
    for (int u = 0; u < VECTORS; u++) {
        const int64_t at = first + u * THREADS;
        loaded[u] = at < vectors ? aligned[at] : uint4{0, 0, 0, 0};
    }
    int sum = 0;
#pragma unroll
    for (int u = 0; u < VECTORS; u++) {
        sum += count_in(loaded[u]);
    }
    if (blockIdx.x == 0) {
        const int64_t tail = head + vectors * VECTOR + threadIdx.x;
        sum += threadIdx.x < head && bytes[threadIdx.x] != 0;
        sum += tail < size && bytes[tail] != 0;
    }
    sum = __reduce_add_sync(~0u, sum);
    if (threadIdx.x % 32 == 0 && sum > 0) {
        atomicAdd(total, static_cast<unsigned long long>(sum));
    }
}

} // namespace

torc_status torc_cuda_count(torc_device *device, int64_t *total, const uint8_t *bytes, size_t size)
{
    *total = 0;
    if (size == 0) {
        return TORC_SUCCESS;
    }
    TORC_ENTER(device);
    scratch counter(device);
    TORC_TRY(counter.allocate(sizeof *total));
    auto *sum = counter.as<unsigned long long>();
    const size_t misaligned = -reinterpret_cast<uintptr_t>(bytes) % VECTOR;
    const size_t head = misaligned < size ? misaligned : size;
    const auto vectors = static_cast<int64_t>((size - head) / VECTOR);
    const auto blocks = static_cast<unsigned>(vectors / (THREADS * VECTORS) + 1);
    TORC_TRY_CUDA(device, cudaMemsetAsync(sum, 0, sizeof *sum, device->stream));
    count<<<blocks, THREADS, 0, device->stream>>>(
        sum, bytes, static_cast<int64_t>(head), vectors, static_cast<int64_t>(size));
    TORC_TRY_CUDA(device, cudaPeekAtLastError());
    return torc_cuda_download(device, total, sum, sizeof *total);
}
