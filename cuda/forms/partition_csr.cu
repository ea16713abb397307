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
    /* The parts of at most `most` entries that a row is cut into if it has more than `least`; else 0. */
    __device__ int64_t parts(int64_t i, int64_t least, int64_t most) const
    {
        return length(i) > least ? (length(i) + most - 1) / most : 0;
    }
    __device__ int64_t slices(int64_t i) const
    {
        return length(i) > 0 ? last_slice(i) + 1 - first_slice(i) : 0;
    }
};

/* ---- Measures ----------------------------------------------------------------------------------------- */

struct measures {
    int64_t empty_rows, max_row, long_rows, segments, pieced_rows, pieces, split_pieces, spanning_rows,
        heavy_rows;
    double squares;
};

struct add_measures {
    __host__ __device__ measures operator()(const measures &x, const measures &y) const
    {
        return {x.empty_rows + y.empty_rows, x.max_row > y.max_row ? x.max_row : y.max_row,
            x.long_rows + y.long_rows, x.segments + y.segments, x.pieced_rows + y.pieced_rows,
            x.pieces + y.pieces, x.split_pieces + y.split_pieces, x.spanning_rows + y.spanning_rows,
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
        const int64_t length = rows.length(i), pieces = rows.parts(i, TORC_SHORT_ROW, TORC_PIECE_NNZ);
        const int64_t segments = rows.parts(i, TORC_SEGMENT_NNZ, TORC_SEGMENT_NNZ);
        const double square = static_cast<double>(length) * static_cast<double>(length);
        own = add_measures()(
            own, {length == 0, length, segments > 0, segments, pieces > 1, pieces, pieces > 1 ? pieces : 0,
                     rows.slices(i) > 1, rows.slices(i) > TORC_HEAVY_SLICES, square});
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
    partition->npieces = all.pieces;
    partition->nsplit_pieces = all.split_pieces;
    partition->npieced_rows = all.pieced_rows;
    partition->nslices = (A->nnz + TORC_SLICE_NNZ - 1) / TORC_SLICE_NNZ;
    partition->nspanning_rows = all.spanning_rows;
    partition->nheavy_rows = all.heavy_rows;
    return TORC_SUCCESS;
}

/* ---- Lists of rows ------------------------------------------------------------------------------------ */

template <class Offset>
struct is_between {
    row_range<Offset> rows;
    int64_t above, most;
    __device__ bool operator()(int64_t i) const
    {
        return rows.length(i) > above && rows.length(i) <= most;
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

/* Rows of more than `least` entries, cut into parts of at most `most`: first those of rows that have several.
 */
struct row_cut {
    int64_t least, most;
    int64_t nsplit_rows, nrows; /* that have several parts; that are cut or one part */
    torc_segment *parts;
    torc_split_row *split_rows;
};

template <class Offset>
__global__ void count_parts(int64_t *counts, const uint32_t *rows, row_cut cut, row_range<Offset> A)
{
    const int64_t t = thread_number();
    if (t < cut.nrows) {
        counts[t] = A.parts(rows[t], cut.least, cut.most);
    }
}

/* A block a row. firsts: of its parts. */
template <class Offset>
__global__ void __launch_bounds__(THREADS)
    write_parts(row_cut cut, const uint32_t *rows, const int64_t *firsts, row_range<Offset> A)
{
    const int64_t row = rows[blockIdx.x], first = firsts[blockIdx.x];
    const int64_t count = A.parts(row, cut.least, cut.most);
    for (int64_t p = threadIdx.x; p < count; p += THREADS) {
        const int64_t begin = A.begin(row) + p * cut.most;
        cut.parts[first + p] = {row, begin, p + 1 < count ? begin + cut.most : A.end(row)};
    }
    if (threadIdx.x == 0 && blockIdx.x < cut.nsplit_rows) {
        cut.split_rows[blockIdx.x] = {row, first, first + count};
    }
}

template <class Offset>
torc_status cut_long_rows(torc_device *device, const row_cut &cut, int64_t nrows, row_range<Offset> A)
{
    scratch rows(device), firsts(device), workspace(device);
    size_t size = 0;
    if (cut.nrows == 0) {
        return TORC_SUCCESS;
    }
    TORC_TRY(rows.allocate(static_cast<size_t>(cut.nrows) * sizeof(uint32_t)));
    TORC_TRY(firsts.allocate(static_cast<size_t>(cut.nrows) * sizeof(int64_t)));
    if (cut.nsplit_rows > 0) {
        TORC_TRY(list(device, rows.as<uint32_t>(), nrows, is_between<Offset>{A, cut.most, INT64_MAX}));
    }
    if (cut.nrows > cut.nsplit_rows) {
        TORC_TRY(list(device, rows.as<uint32_t>() + cut.nsplit_rows, nrows,
            is_between<Offset>{A, cut.least, cut.most}));
    }
    count_parts<<<blocks_for(cut.nrows), THREADS, 0, device->stream>>>(
        firsts.as<int64_t>(), rows.as<uint32_t>(), cut, A);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY_CUDA(device, cub::DeviceScan::ExclusiveSum(nullptr, size, firsts.as<int64_t>(),
                              firsts.as<int64_t>(), cut.nrows, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cub::DeviceScan::ExclusiveSum(workspace.as<void>(), size, firsts.as<int64_t>(),
                              firsts.as<int64_t>(), cut.nrows, device->stream));
    write_parts<<<static_cast<unsigned>(cut.nrows), THREADS, 0, device->stream>>>(
        cut, rows.as<uint32_t>(), firsts.as<int64_t>(), A);
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
        const row_cut cut{TORC_SEGMENT_NNZ, TORC_SEGMENT_NNZ, partition->nlong_rows, partition->nlong_rows,
            partition->segments, partition->long_rows};
        TORC_TRY(cut_long_rows(device, cut, A->nrows, rows));
    }
    if (partition->pieces) {
        const int64_t alone = partition->npieces - partition->nsplit_pieces;
        const row_cut cut{TORC_SHORT_ROW, TORC_PIECE_NNZ, partition->npieced_rows,
            partition->npieced_rows + alone, partition->pieces, partition->pieced_rows};
        TORC_TRY(cut_long_rows(device, cut, A->nrows, rows));
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
