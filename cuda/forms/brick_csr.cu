/* brick_csr.cu: bricks made on the device, as spmm_args.h draws them.
 *
 * Entries are sorted by window, then column; a radix sort keeps rows in order. So a window's columns are
 * where the key changes, a sum over these places numbers them, and the sorted values are in the order of the
 * bits. Pieces are cut on the host, from the numbers of bricks.
 *
 * Bits alone are set atomically, and the largest value is found so: the same bricks on each run.
 */
#include "scratch.cuh"
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace
{

using namespace torc;

constexpr int COLUMNS = TORC_BRICK_COLUMNS, PAIRS = TORC_BRICK_PAIRS;
constexpr int LANES = 8; /* of a row whose entries are read */

int bits_of(int64_t count)
{
    int bits = 1;
    while (int64_t{1} << bits < count) {
        bits++;
    }
    return bits;
}

/* How keys are read: window, column, row in the window. */
struct layout {
    int row_bits, column_bits;

    layout(int height, int64_t ncols)
        : row_bits(bits_of(height * TORC_BRICK_ROWS)), column_bits(bits_of(ncols))
    {
    }
    __host__ __device__ int rows() const
    {
        return 1 << row_bits;
    }
    __device__ uint64_t key(int64_t row, uint32_t column) const
    {
        const uint64_t window = static_cast<uint64_t>(row) >> row_bits;
        return (window << column_bits | column) << row_bits | (row & (rows() - 1));
    }
    __device__ int64_t window(uint64_t key) const
    {
        return static_cast<int64_t>(key >> row_bits >> column_bits);
    }
    __device__ uint32_t column(uint64_t key) const
    {
        return static_cast<uint32_t>(key >> row_bits & ((uint64_t{1} << column_bits) - 1));
    }
    __device__ int row(uint64_t key) const
    {
        return static_cast<int>(key & (rows() - 1));
    }
    __device__ bool is_first(const uint64_t *keys, int64_t i) const
    {
        return i == 0 || keys[i] >> row_bits != keys[i - 1] >> row_bits;
    }
};

__global__ void __launch_bounds__(THREADS) list_keys(layout own, uint64_t *keys, uint32_t *entries,
    const uint32_t *row_ptr, const uint32_t *col_idx, int64_t nrows)
{
    const int64_t row = thread_number() / LANES;
    if (row >= nrows) {
        return;
    }
    for (uint32_t e = row_ptr[row] + threadIdx.x % LANES; e < row_ptr[row + 1]; e += LANES) {
        keys[e] = own.key(row, col_idx[e]);
        entries[e] = e;
    }
}

__global__ void __launch_bounds__(THREADS)
    mark_columns(layout own, uint32_t *columns, const uint64_t *keys, int64_t nnz)
{
    const int64_t i = thread_number();
    if (i < nnz) {
        columns[i] = own.is_first(keys, i);
    }
}

/* What kernels share once columns are numbered. */
struct numbering {
    const uint32_t *row_ptr, *through; /* through: columns up to a sorted entry, its own included */
    int64_t nrows;
    int window_rows;

    /* Columns of all windows before. */
    __device__ uint32_t before(int64_t window) const
    {
        const int64_t row = min(window * window_rows, nrows);
        return row_ptr[row] > 0 ? through[row_ptr[row] - 1] : 0;
    }
};

__global__ void __launch_bounds__(THREADS) count_bricks(uint32_t *bricks, numbering columns, int64_t nwindows)
{
    const int64_t w = thread_number();
    if (w < nwindows) {
        bricks[w] = (columns.before(w + 1) - columns.before(w) + COLUMNS - 1) / COLUMNS;
    }
}

/* Value: an integer of the size of A's, or char where there are none. */
template <class Value>
__global__ void __launch_bounds__(THREADS)
    lay_entries(layout own, torc_bricks to, numbering columns, const uint32_t *brick_begin,
        const uint64_t *keys, const uint32_t *entries, const Value *values, int64_t nnz)
{
    const int64_t i = thread_number();
    if (i >= nnz) {
        return;
    }
    const int64_t w = own.window(keys[i]);
    const uint32_t number = columns.through[i] - 1 - columns.before(w), place = number % COLUMNS;
    const int64_t brick = brick_begin[w] + int64_t{number / COLUMNS};
    torc_brick_pair *pairs = to.pairs + brick * PAIRS;
    atomicOr(&pairs[place / 2].bits, 1u << (place % 2 * own.rows() + own.row(keys[i])));
    if constexpr (sizeof(Value) > 1) {
        static_cast<Value *>(to.values)[i] = values[entries[i]];
    }
    if (!own.is_first(keys, i)) {
        return;
    }
    if (place % 2 == 0) {
        pairs[place / 2].first_value = static_cast<uint32_t>(i);
    }
    const bool is_last = columns.through[i] == columns.before(w + 1);
    for (uint32_t c = place; c < (is_last ? COLUMNS : place + 1); c++) {
        pairs[c / 2].column[c % 2] = own.column(keys[i]);
    }
}

/* Into *most, as bits: absolute values are in the order of their bits, NaN above infinity. */
template <class Word>
__global__ void __launch_bounds__(THREADS) find_most(Word *most, const Word *values, int64_t nnz)
{
    constexpr Word ABSOLUTE = ~Word{0} >> 1;
    Word own = 0;
    for (int64_t i = thread_number(); i < nnz; i += static_cast<int64_t>(gridDim.x) * THREADS) {
        own = max(own, values[i] & ABSOLUTE);
    }
    for (int step = 16; step > 0; step /= 2) {
        own = max(own, __shfl_xor_sync(~0u, own, step));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(most, own);
    }
}

template <class T>
torc_status allocate(T **array, torc_device *device, int64_t count)
{
    void *memory;
    const torc_status status = torc_cuda_allocate(&memory, device, static_cast<size_t>(count) * sizeof(T));
    *array = static_cast<T *>(memory);
    return status;
}

/* By the bits from the first on. */
torc_status sort(torc_device *device, cub::DoubleBuffer<uint64_t> &keys, cub::DoubleBuffer<uint32_t> &entries,
    int64_t nnz, int first_bit, int end_bit)
{
    size_t size = 0;
    scratch workspace(device);
    TORC_TRY_CUDA(device, cub::DeviceRadixSort::SortPairs(
                              nullptr, size, keys, entries, nnz, first_bit, end_bit, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cub::DeviceRadixSort::SortPairs(workspace.as<void>(), size, keys, entries, nnz,
                              first_bit, end_bit, device->stream));
    return TORC_SUCCESS;
}

/* Sums up to each of `count` numbers, itself included, in place. */
torc_status add_up(torc_device *device, uint32_t *numbers, int64_t count)
{
    size_t size = 0;
    scratch workspace(device);
    TORC_TRY_CUDA(
        device, cub::DeviceScan::InclusiveSum(nullptr, size, numbers, numbers, count, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device,
        cub::DeviceScan::InclusiveSum(workspace.as<void>(), size, numbers, numbers, count, device->stream));
    return TORC_SUCCESS;
}

/* Are windows so unlike that long ones are cut? The mean distance from the mean, in integers. */
bool is_uneven(const std::vector<uint32_t> &bricks, uint64_t total)
{
    const uint64_t windows = bricks.size();
    uint64_t distance = 0;
    for (const uint64_t own : bricks) {
        distance += own * windows > total ? own * windows - total : total - own * windows;
    }
    return distance > TORC_BRICK_IMBALANCE * windows * windows;
}

/* Windows with so many bricks each, and where these begin. */
struct cutting {
    const std::vector<uint32_t> &bricks;
    int64_t window_rows;
    std::vector<uint32_t> begin, first_partial;
    std::vector<torc_brick_piece> pieces;
    std::vector<torc_split_row> split_rows;
    uint64_t total = 0, partials = 0;
    bool cuts = false;

    uint32_t parts_of(size_t w) const
    {
        return cuts && bricks[w] > TORC_BRICK_PIECE ? (bricks[w] + TORC_BRICK_PIECE - 1) / TORC_BRICK_PIECE
                                                    : 1;
    }

    void list_split_rows(int64_t nrows)
    {
        for (size_t w = 0; w < bricks.size(); w++) {
            const uint32_t parts = parts_of(w);
            first_partial.push_back(static_cast<uint32_t>(partials));
            const int64_t first_row = static_cast<int64_t>(w) * window_rows;
            for (int64_t r = 0; parts > 1 && r < window_rows && first_row + r < nrows; r++) {
                const auto first = static_cast<int64_t>(partials + r * parts);
                split_rows.push_back({first_row + r, first, first + parts});
            }
            partials += parts > 1 ? parts * static_cast<uint64_t>(window_rows) : 0;
        }
    }

    /* The q-th pieces of a group's windows; false: there are none. */
    bool list_pieces(size_t group, uint32_t q)
    {
        bool is_any = false;
        for (size_t w = group; w < std::min<size_t>(group + TORC_BRICK_GROUP, bricks.size()); w++) {
            const uint32_t parts = parts_of(w), own = begin[w] + q * TORC_BRICK_PIECE;
            if (q < parts) {
                pieces.push_back({static_cast<uint32_t>(w), own,
                    q + 1 < parts ? own + TORC_BRICK_PIECE : begin[w] + bricks[w],
                    parts > 1 ? first_partial[w] + q : TORC_BRICK_WHOLE, parts});
                is_any = true;
            }
        }
        return is_any;
    }

    void cut(int64_t nrows)
    {
        for (const uint32_t own : bricks) {
            begin.push_back(static_cast<uint32_t>(total));
            total += own;
        }
        cuts = is_uneven(bricks, total);
        list_split_rows(nrows);
        for (size_t group = 0; group < bricks.size(); group += TORC_BRICK_GROUP) {
            for (uint32_t q = 0; list_pieces(group, q); q++) {
            }
        }
    }
};

torc_status upload_cuts(torc_device *device, torc_bricks *to, const cutting &cuts)
{
    if (cuts.partials >= TORC_BRICK_WHOLE) {
        return TORC_UNSUPPORTED;
    }
    to->nbricks = static_cast<int64_t>(cuts.total);
    to->npieces = static_cast<int64_t>(cuts.pieces.size());
    to->npartials = static_cast<int64_t>(cuts.partials);
    to->nsplit_rows = static_cast<int64_t>(cuts.split_rows.size());
    TORC_TRY(allocate(&to->pieces, device, to->npieces));
    TORC_TRY(torc_cuda_upload(
        device, to->pieces, cuts.pieces.data(), cuts.pieces.size() * sizeof(torc_brick_piece)));
    TORC_TRY(allocate(&to->split_rows, device, to->nsplit_rows));
    return torc_cuda_upload(
        device, to->split_rows, cuts.split_rows.data(), cuts.split_rows.size() * sizeof(torc_split_row));
}

template <class Word, class Float>
torc_status measure_values(torc_device *device, double *most, const torc_device_csr *A)
{
    constexpr int64_t MOST_BLOCKS = 1024;
    scratch memory(device);
    Word bits;
    Float value;
    TORC_TRY(memory.allocate(sizeof bits));
    TORC_TRY_CUDA(device, cudaMemsetAsync(memory.as<void>(), 0, sizeof bits, device->stream));
    const unsigned blocks = std::min<int64_t>(MOST_BLOCKS, blocks_for(A->nnz));
    find_most<<<blocks, THREADS, 0, device->stream>>>(
        memory.as<Word>(), static_cast<const Word *>(A->values), A->nnz);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(torc_cuda_download(device, &bits, memory.as<Word>(), sizeof bits));
    std::memcpy(&value, &bits, sizeof value);
    *most = std::isnan(value) ? INFINITY : value;
    return TORC_SUCCESS;
}

torc_status plan(torc_device *device, torc_bricks *to, const torc_device_csr *A, int height)
{
    const cudaStream_t stream = device->stream;
    const auto *row_ptr = static_cast<const uint32_t *>(A->row_ptr);
    const layout own(height, A->ncols);
    const int64_t nnz = A->nnz, nwindows = torc_ceiling(A->nrows, own.rows());
    const auto count = static_cast<size_t>(nnz);
    scratch keys_memory(device), sorted_keys(device), entries_memory(device), sorted_entries(device),
        through(device), begin(device);
    std::vector<uint32_t> bricks(nwindows);
    const size_t size = bricks.size() * sizeof(uint32_t);

    /* Entries by window and column, and these numbered. */
    TORC_TRY(keys_memory.allocate(count * sizeof(uint64_t)));
    TORC_TRY(sorted_keys.allocate(count * sizeof(uint64_t)));
    TORC_TRY(entries_memory.allocate(count * sizeof(uint32_t)));
    TORC_TRY(sorted_entries.allocate(count * sizeof(uint32_t)));
    TORC_TRY(through.allocate(count * sizeof(uint32_t)));
    TORC_TRY(begin.allocate(size));
    list_keys<<<blocks_for(A->nrows * LANES), THREADS, 0, stream>>>(
        own, keys_memory.as<uint64_t>(), entries_memory.as<uint32_t>(), row_ptr, A->col_idx, A->nrows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    cub::DoubleBuffer<uint64_t> keys(keys_memory.as<uint64_t>(), sorted_keys.as<uint64_t>());
    cub::DoubleBuffer<uint32_t> entries(entries_memory.as<uint32_t>(), sorted_entries.as<uint32_t>());
    TORC_TRY(
        sort(device, keys, entries, nnz, own.row_bits, own.row_bits + own.column_bits + bits_of(nwindows)));
    mark_columns<<<blocks_for(nnz), THREADS, 0, stream>>>(own, through.as<uint32_t>(), keys.Current(), nnz);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(add_up(device, through.as<uint32_t>(), nnz));

    /* Bricks of windows, and pieces. */
    const numbering columns{row_ptr, through.as<uint32_t>(), A->nrows, own.rows()};
    count_bricks<<<blocks_for(nwindows), THREADS, 0, stream>>>(begin.as<uint32_t>(), columns, nwindows);
    TORC_TRY_CUDA(device, cudaGetLastError());
    TORC_TRY(torc_cuda_download(device, bricks.data(), begin.as<uint32_t>(), size));
    cutting cuts{bricks, own.rows()};
    cuts.cut(A->nrows);
    TORC_TRY(upload_cuts(device, to, cuts));
    TORC_TRY(torc_cuda_upload(device, begin.as<uint32_t>(), cuts.begin.data(), size));

    /* Entries in bricks. */
    const int64_t npairs = (to->nbricks + TORC_BRICK_SPARE) * PAIRS;
    unsigned char *values;
    TORC_TRY(allocate(&to->pairs, device, npairs));
    TORC_TRY(allocate(&values, device, nnz * static_cast<int64_t>(A->value_size)));
    to->values = values;
    TORC_TRY_CUDA(device, cudaMemsetAsync(to->pairs, 0, npairs * sizeof(torc_brick_pair), stream));
    const auto lay = [&](const auto *of_a) {
        lay_entries<<<blocks_for(nnz), THREADS, 0, stream>>>(
            own, *to, columns, begin.as<uint32_t>(), keys.Current(), entries.Current(), of_a, nnz);
        return torc_device_check(device, cudaGetLastError(), "lay_entries");
    };
    if (A->value_size == sizeof(uint32_t)) {
        TORC_TRY(lay(static_cast<const uint32_t *>(A->values)));
        return measure_values<uint32_t, float>(device, &to->most, A);
    }
    if (A->value_size == sizeof(uint64_t)) {
        TORC_TRY(lay(static_cast<const uint64_t *>(A->values)));
        return measure_values<unsigned long long, double>(device, &to->most, A);
    }
    return lay(static_cast<const char *>(nullptr));
}

/* Is it for this device and of sizes that the numbers hold? */
bool is_possible(const torc_device *device, const torc_device_csr *A, torc_type type)
{
    const bool has_values = A->value_size == 0 || type == TORC_FP32 || type == TORC_FP64;
    return has_values && !A->wide_offsets && A->nnz > 0 && A->nnz < INT32_MAX &&
           device->info.compute_capability >= TORC_BRICK_CAPABILITY;
}

} // namespace

torc_status torc_cuda_plan_bricks(
    torc_device *device, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height)
{
    TORC_ENTER(device);
    *bricks = torc_bricks{};
    if (!is_possible(device, A, type)) {
        return TORC_UNSUPPORTED;
    }
    try {
        return plan(device, bricks, A, height);
    } catch (...) {
        torc_device_note(device, "plan_bricks", "an exception in CUB, or no host memory");
        return TORC_DEVICE_ERROR;
    }
}
