/* partition_csr.cu: rows measured and cut on the device, as torc_partition of backend.h has it. A few passes
 * over row_ptr; the bits of row_ends are or-ed, lists are selected in order and numbers are counted, so every
 * array is the same on each run.
 */
#include "scratch.cuh"
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace
{

using namespace torc;

constexpr int WORD = 32; /* entries that a word of row_ends knows */

/* Row i of a CSR matrix. */
template <class Offset>
struct row_range {
    const Offset *row_ptr;

    __device__ int64_t begin(int64_t i) const
    {
        return static_cast<int64_t>(row_ptr[i]);
    }
    __device__ int64_t end(int64_t i) const
    {
        return static_cast<int64_t>(row_ptr[i + 1]);
    }
    __device__ int64_t length(int64_t i) const
    {
        return end(i) - begin(i);
    }
    __device__ int64_t first_slice(int64_t i) const
    {
        return begin(i) / TORC_SLICE_NNZ;
    }
    __device__ int64_t last_slice(int64_t i) const
    {
        return (end(i) - 1) / TORC_SLICE_NNZ;
    }
    /* Segments of a long row, else 0. */
    __device__ int64_t segments(int64_t i) const
    {
        return length(i) > TORC_SEGMENT_NNZ ? (length(i) + TORC_SEGMENT_NNZ - 1) / TORC_SEGMENT_NNZ : 0;
    }
    __device__ int64_t slices(int64_t i) const
    {
        return length(i) > 0 ? last_slice(i) + 1 - first_slice(i) : 0;
    }
};

/* ---- Measures ----------------------------------------------------------------------------------------- */

struct measures {
    int64_t empty_rows, max_row, long_rows, segments, spanning_rows, heavy_rows;
    double squares;
};

struct add_measures {
    __host__ __device__ measures operator()(const measures &x, const measures &y) const
    {
        return {x.empty_rows + y.empty_rows, x.max_row > y.max_row ? x.max_row : y.max_row,
            x.long_rows + y.long_rows, x.segments + y.segments, x.spanning_rows + y.spanning_rows,
            x.heavy_rows + y.heavy_rows, x.squares + y.squares};
    }
};

constexpr int MEASURING_BLOCKS = 512; /* fixed, and with it the order of the sum of squares */

template <class Offset>
__global__ void __launch_bounds__(THREADS) measure(measures *blocks, row_range<Offset> rows, int64_t nrows)
{
    using reduce = cub::BlockReduce<measures, THREADS>;
    __shared__ typename reduce::TempStorage shared;
    measures own = {};
    for (int64_t i = thread_number(); i < nrows; i += MEASURING_BLOCKS * THREADS) {
        const int64_t length = rows.length(i), segments = rows.segments(i);
        const double square = static_cast<double>(length) * static_cast<double>(length);
        own = add_measures()(own, {length == 0, length, segments > 0, segments, rows.slices(i) > 1,
                                      rows.slices(i) > TORC_HEAVY_SLICES, square});
    }
    own = reduce(shared).Reduce(own, add_measures());
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = own;
    }
}

/* What one download brings. */
struct measured {
    measures blocks[MEASURING_BLOCKS];
    torc_window windows[TORC_WINDOWS];
};

template <class Offset>
torc_status measure_all(
    torc_device *device, torc_partition *partition, torc_window *windows, const torc_device_csr *A)
{
    scratch memory(device);
    TORC_TRY(memory.allocate(sizeof(measured)));
    measure<<<MEASURING_BLOCKS, THREADS, 0, device->stream>>>(
        memory.as<measured>()->blocks, row_range<Offset>{static_cast<const Offset *>(A->row_ptr)}, A->nrows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(torc_count_columns(device, memory.as<measured>()->windows, A));
    const std::unique_ptr<measured> parts(new measured);
    TORC_TRY(torc_cuda_download(device, parts.get(), memory.as<void>(), sizeof(measured)));
    std::copy_n(parts->windows, TORC_WINDOWS, windows);
    measures all = {};
    for (const measures &part : parts->blocks) {
        all = add_measures()(all, part);
    }
    *partition = torc_partition{};
    torc_statistics &statistics = partition->statistics;
    statistics = {A->nrows, A->ncols, A->nnz, all.empty_rows, all.max_row, 0, 0, 0, 0, 0};
    if (A->nrows > 0) {
        const double n = static_cast<double>(A->nrows), mean = static_cast<double>(A->nnz) / n;
        statistics.mean_row = mean;
        statistics.deviation_row = std::sqrt(std::fmax(0, all.squares / n - mean * mean));
    }
    partition->nsegments = all.segments;
    partition->nlong_rows = all.long_rows;
    partition->nslices = (A->nnz + TORC_SLICE_NNZ - 1) / TORC_SLICE_NNZ;
    partition->nspanning_rows = all.spanning_rows;
    partition->nheavy_rows = all.heavy_rows;
    return TORC_SUCCESS;
}

/* ---- Lists of rows ------------------------------------------------------------------------------------ */

template <class Offset>
struct is_long {
    row_range<Offset> rows;
    __device__ bool operator()(int64_t i) const
    {
        return rows.segments(i) > 0;
    }
};

template <class Offset>
struct is_in_slices {
    row_range<Offset> rows;
    int64_t least, most;
    __device__ bool operator()(int64_t i) const
    {
        return rows.slices(i) >= least && rows.slices(i) <= most;
    }
};

template <class Offset>
struct is_filled {
    row_range<Offset> rows;
    bool is_wanted; /* else those without entries */
    __device__ bool operator()(int64_t i) const
    {
        return (rows.length(i) > 0) == is_wanted;
    }
};

/* The rows that `is_in` chooses, ascending. */
template <class Predicate>
torc_status list(torc_device *device, uint32_t *chosen, int64_t nrows, Predicate is_in)
{
    const thrust::counting_iterator<int64_t> numbers(0);
    scratch count(device), workspace(device);
    size_t size = 0;
    TORC_TRY(count.allocate(sizeof(int64_t)));
    TORC_TRY_CUDA(device, cub::DeviceSelect::If(nullptr, size, numbers, chosen, count.as<int64_t>(), nrows,
                              is_in, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cub::DeviceSelect::If(workspace.as<void>(), size, numbers, chosen,
                              count.as<int64_t>(), nrows, is_in, device->stream));
    return TORC_SUCCESS;
}

/* ---- Row split ---------------------------------------------------------------------------------------- */

template <class Offset>
__global__ void count_segments(int64_t *counts, const uint32_t *rows, int64_t nlong_rows, row_range<Offset> A)
{
    const int64_t t = thread_number();
    if (t < nlong_rows) {
        counts[t] = A.segments(rows[t]);
    }
}

/* A block a long row. firsts: of its segments. */
template <class Offset>
__global__ void __launch_bounds__(THREADS) write_segments(torc_segment *segments, torc_split_row *long_rows,
    const uint32_t *rows, const int64_t *firsts, row_range<Offset> A)
{
    const int64_t row = rows[blockIdx.x], first = firsts[blockIdx.x], count = A.segments(row);
    for (int64_t s = threadIdx.x; s < count; s += THREADS) {
        const int64_t begin = A.begin(row) + s * TORC_SEGMENT_NNZ;
        const int64_t end = s + 1 < count ? begin + TORC_SEGMENT_NNZ : A.end(row);
        segments[first + s] = {row, begin, end};
    }
    if (threadIdx.x == 0) {
        long_rows[blockIdx.x] = {row, first, first + count};
    }
}

template <class Offset>
torc_status cut_long_rows(
    torc_device *device, const torc_partition *partition, int64_t nrows, row_range<Offset> A)
{
    const int64_t count = partition->nlong_rows;
    scratch rows(device), firsts(device), workspace(device);
    size_t size = 0;
    TORC_TRY(rows.allocate(static_cast<size_t>(count) * sizeof(uint32_t)));
    TORC_TRY(firsts.allocate(static_cast<size_t>(count) * sizeof(int64_t)));
    TORC_TRY(list(device, rows.as<uint32_t>(), nrows, is_long<Offset>{A}));
    count_segments<<<blocks_for(count), THREADS, 0, device->stream>>>(
        firsts.as<int64_t>(), rows.as<uint32_t>(), count, A);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY_CUDA(device, cub::DeviceScan::ExclusiveSum(nullptr, size, firsts.as<int64_t>(),
                              firsts.as<int64_t>(), count, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cub::DeviceScan::ExclusiveSum(workspace.as<void>(), size, firsts.as<int64_t>(),
                              firsts.as<int64_t>(), count, device->stream));
    write_segments<<<static_cast<unsigned>(count), THREADS, 0, device->stream>>>(
        partition->segments, partition->long_rows, rows.as<uint32_t>(), firsts.as<int64_t>(), A);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

/* ---- Nonzero split ------------------------------------------------------------------------------------ */

template <class Offset>
__global__ void mark_ends(uint32_t *row_ends, row_range<Offset> A, int64_t nrows)
{
    const int64_t i = thread_number();
    if (i < nrows && A.length(i) > 0) {
        const int64_t last = A.end(i) - 1;
        atomicOr(&row_ends[last / WORD], 1u << last % WORD);
    }
}

/* rows: as the partition has it. */
template <class Offset>
__global__ void find_slice_rows(uint32_t *slice_rows, int64_t nslices, const Offset *row_ptr, int64_t nrows,
    const uint32_t *rows, int64_t nonempty_rows)
{
    const int64_t slice = thread_number();
    if (slice < nslices) {
        /* The first offset above the slice's first entry ends its row. */
        const int64_t row = first_at_least(row_ptr + 1, nrows, slice * TORC_SLICE_NNZ + 1);
        slice_rows[slice] = static_cast<uint32_t>(rows ? first_at_least(rows, nonempty_rows, row) : row);
    }
}

template <class Offset>
__global__ void write_spanning_rows(
    torc_split_row *spanning_rows, const uint32_t *rows, int64_t count, row_range<Offset> A)
{
    const int64_t t = thread_number();
    if (t < count) {
        const int64_t row = rows[t];
        spanning_rows[t] = {row, A.first_slice(row), A.last_slice(row) + 1};
    }
}

template <class Offset>
torc_status cut_slices(
    torc_device *device, const torc_partition *partition, int64_t nrows, row_range<Offset> A)
{
    const int64_t nonempty_rows = nrows - partition->statistics.empty_rows;
    const int64_t nslices = partition->nslices, nspanning = partition->nspanning_rows;
    if (nslices == 0) {
        return TORC_SUCCESS;
    }
    const size_t bytes = static_cast<size_t>(nslices) * (TORC_SLICE_NNZ / 8);
    TORC_TRY_CUDA(device, cudaMemsetAsync(partition->row_ends, 0, bytes, device->stream));
    mark_ends<<<blocks_for(nrows), THREADS, 0, device->stream>>>(partition->row_ends, A, nrows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    find_slice_rows<<<blocks_for(nslices), THREADS, 0, device->stream>>>(
        partition->slice_rows, nslices, A.row_ptr, nrows, partition->rows, nonempty_rows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    if (nspanning > 0) {
        scratch rows(device);
        TORC_TRY(rows.allocate(static_cast<size_t>(nspanning) * sizeof(uint32_t)));
        TORC_TRY(list(
            device, rows.as<uint32_t>(), nrows, is_in_slices<Offset>{A, TORC_HEAVY_SLICES + 1, INT64_MAX}));
        TORC_TRY(list(device, rows.as<uint32_t>() + partition->nheavy_rows, nrows,
            is_in_slices<Offset>{A, 2, TORC_HEAVY_SLICES}));
        write_spanning_rows<<<blocks_for(nspanning), THREADS, 0, device->stream>>>(
            partition->spanning_rows, rows.as<uint32_t>(), nspanning, A);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    return TORC_SUCCESS;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

template <class Offset>
__global__ void mark_present(uint8_t *present, row_range<Offset> A, int64_t nrows)
{
    const int64_t i = thread_number();
    if (i < nrows) {
        present[i] = A.length(i) > 0;
    }
}

template <class Offset>
torc_status cut_rows(torc_device *device, const torc_partition *partition, const torc_device_csr *A)
{
    const row_range<Offset> rows{static_cast<const Offset *>(A->row_ptr)};
    if (partition->present) {
        mark_present<<<blocks_for(A->nrows), THREADS, 0, device->stream>>>(
            partition->present, rows, A->nrows);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    if (partition->segments) {
        TORC_TRY(cut_long_rows(device, partition, A->nrows, rows));
    }
    if (partition->rows) {
        const int64_t nonempty_rows = A->nrows - partition->statistics.empty_rows;
        TORC_TRY(list(device, partition->rows, A->nrows, is_filled<Offset>{rows, true}));
        TORC_TRY(list(device, partition->rows + nonempty_rows, A->nrows, is_filled<Offset>{rows, false}));
    }
    return partition->slice_rows ? cut_slices(device, partition, A->nrows, rows) : TORC_SUCCESS;
}

} // namespace

torc_status torc_cuda_measure(
    torc_device *device, torc_partition *rows, torc_window *windows, const torc_device_csr *A)
{
    TORC_ENTER(device);
    try {
        return A->wide_offsets ? measure_all<uint64_t>(device, rows, windows, A)
                               : measure_all<uint32_t>(device, rows, windows, A);
    } catch (...) {
        torc_device_note(device, "measure", "an exception in CUB");
        return TORC_DEVICE_ERROR;
    }
}

torc_status torc_cuda_cut_rows(torc_device *device, const torc_partition *rows, const torc_device_csr *A)
{
    TORC_ENTER(device);
    if (A->nrows == 0) {
        return TORC_SUCCESS;
    }
    try {
        return A->wide_offsets ? cut_rows<uint64_t>(device, rows, A) : cut_rows<uint32_t>(device, rows, A);
    } catch (...) {
        torc_device_note(device, "cut_rows", "an exception in CUB");
        return TORC_DEVICE_ERROR;
    }
}
