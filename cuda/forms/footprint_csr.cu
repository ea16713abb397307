/* footprint_csr.cu: the columns that windows of entries name, counted on the device as torc_window of
 * backend.h has it. A block a window, its bits in shared memory: whichever thread sets a bit first, as many
 * are set, so the counts are the same on each run.
 */
#include "scratch.cuh"
#include "window_bit.h"
#include <cub/block/block_reduce.cuh>

#include <algorithm>

namespace
{

using namespace torc;

constexpr int WINDOW_THREADS = 1024;
constexpr int FLIGHT = 8; /* entries a thread loads at once */
constexpr int WORDS = TORC_WINDOW_BITS / 32;

/* How many bits the entries set that were not set before, of which this thread set some. */
__device__ uint32_t set_bits(uint32_t *bits, const uint32_t *columns, int64_t count, int64_t ncols)
{
    uint32_t set = 0;
    for (int64_t first = threadIdx.x; first < count; first += FLIGHT * WINDOW_THREADS) {
        uint32_t column[FLIGHT];
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const int64_t p = first + u * WINDOW_THREADS;
            column[u] = columns[p < count ? p : first]; /* named already: sets no bit */
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const uint32_t bit = torc_window_bit(column[u], ncols), mask = 1u << bit % 32;
            set += (atomicOr(&bits[bit / 32], mask) & mask) == 0;
        }
    }
    return set;
}

/* How many sectors the entries name, a warp's at a time, of which this thread counts those that it is the
 * first to name. */
__device__ uint32_t count_sectors(const uint32_t *columns, int64_t count)
{
    static_assert(TORC_RUN == 32, "a run is a warp's");
    const unsigned lane = threadIdx.x % 32;
    uint32_t sectors = 0;
    for (int64_t first = threadIdx.x - lane; first < count; first += WINDOW_THREADS) {
        const bool is_entry = first + lane < count;
        const unsigned entries = __ballot_sync(~0u, is_entry);
        if (is_entry) {
            const unsigned same = __match_any_sync(entries, columns[first + lane] / TORC_SECTOR_COLUMNS);
            sectors += lane == __ffs(same) - 1;
        }
    }
    return sectors;
}

__global__ void __launch_bounds__(WINDOW_THREADS) count_windows(torc_window *windows, const uint32_t *col_idx,
    int64_t nnz, torc_window_ends ends, int64_t near, int64_t ncols)
{
    using reduce = cub::BlockReduce<uint32_t, WINDOW_THREADS>;
    __shared__ uint32_t bits[WORDS];
    __shared__ typename reduce::TempStorage shared;
    for (int word = threadIdx.x; word < WORDS; word += WINDOW_THREADS) {
        bits[word] = 0;
    }
    __syncthreads();
    const int64_t entries = ends.entries[TORC_WINDOW_ENDS - 1];
    const uint32_t *columns = col_idx + (nnz - entries) * blockIdx.x / (TORC_WINDOWS - 1);
    torc_window window;
    uint32_t set = 0;
    int64_t begin = 0;
    for (int e = 0; e < TORC_WINDOW_ENDS; e++) {
        const uint32_t own = set_bits(bits, columns + begin, ends.entries[e] - begin, ncols);
        set += reduce(shared).Sum(own);
        __syncthreads(); /* their bits are set, and `shared` is read */
        window.columns[e] = set;
        begin = ends.entries[e];
    }
    window.sectors = reduce(shared).Sum(count_sectors(columns, near));
    if (threadIdx.x == 0) {
        windows[blockIdx.x] = window;
    }
}

} // namespace

torc_status torc_count_columns(torc_device *device, torc_window *windows, const torc_device_csr *A)
{
    const int64_t near = std::min<int64_t>(A->nnz, TORC_NEAR_WINDOW);
    count_windows<<<TORC_WINDOWS, WINDOW_THREADS, 0, device->stream>>>(
        windows, A->col_idx, A->nnz, torc_window_ends_of(A->nnz, A->nrows), near, A->ncols);
    return torc_device_check(device, cudaGetLastError(), "count_windows");
}
