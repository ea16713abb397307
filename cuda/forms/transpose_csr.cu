/* transpose_csr.cu: T = transpose of A in CSR, columns ascending within each row of T.
 *
 *     sort the pairs (column, position) of A by column, stably: entry t of T is entry position[t] of A
 *     T.row_ptr[j]  = the first t with column[t] >= j                           (binary search)
 *     T.col_idx[t]  = the row i of A with row_ptr[i] <= position[t] < row_ptr[i+1]   (binary search)
 *     T.values[t]   = A.values[position[t]]
 *
 * Positions of A ascend row by row, so a stable sort leaves the columns of T ascending. CUB's radix sort
 * rather than cuSPARSE's Csr2csc: it is in the headers, takes values of any size, and spares the library a
 * run-time dependency of 170 MB. Scratch: 12 bytes an entry and CUB's own. src/ refuses 2^32 entries or more.
 */
#include "scratch.cuh"
#include <cub/device/device_radix_sort.cuh>

namespace
{

using namespace torc;

__global__ void fill_positions(uint32_t *position, int64_t nnz)
{
    const int64_t t = thread_number();
    if (t < nnz) {
        position[t] = static_cast<uint32_t>(t);
    }
}

template <class Offset>
__global__ void find_rows_of_t(Offset *row_ptr, int64_t nrows, const uint32_t *columns, int64_t nnz)
{
    const int64_t j = thread_number();
    if (j <= nrows) {
        row_ptr[j] = static_cast<Offset>(first_at_least(columns, nnz, j));
    }
}

/* col_idx and position may be the same array. */
template <class Offset>
__global__ void find_columns_of_t(
    uint32_t *col_idx, const uint32_t *position, int64_t nnz, const Offset *row_ptr, int64_t nrows)
{
    const int64_t t = thread_number();
    if (t < nnz) {
        /* The first offset above the position ends the row that holds it. */
        col_idx[t] =
            static_cast<uint32_t>(first_at_least(row_ptr + 1, nrows, static_cast<int64_t>(position[t]) + 1));
    }
}

/* Values of `words` words each. */
template <class Word>
__global__ void gather(Word *to, const Word *from, const uint32_t *position, int64_t nnz, int64_t words)
{
    const int64_t t = thread_number();
    if (t < nnz) {
        for (int64_t w = 0; w < words; w++) {
            to[t * words + w] = from[position[t] * words + w];
        }
    }
}

int bits_of(int64_t count)
{
    int bits = 1;
    while (bits < 32 && (int64_t{1} << bits) < count) {
        bits++;
    }
    return bits;
}

torc_status sort(torc_device *device, cub::DoubleBuffer<uint32_t> &columns,
    cub::DoubleBuffer<uint32_t> &positions, int64_t nnz, int64_t ncols)
{
    size_t size = 0;
    TORC_TRY_CUDA(device, cub::DeviceRadixSort::SortPairs(
                              nullptr, size, columns, positions, nnz, 0, bits_of(ncols), device->stream));
    scratch workspace(device);
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cub::DeviceRadixSort::SortPairs(workspace.as<void>(), size, columns, positions, nnz,
                              0, bits_of(ncols), device->stream));
    return TORC_SUCCESS;
}

torc_status find_rows(torc_device *device, const torc_device_csr *T, const uint32_t *columns)
{
    const unsigned blocks = blocks_for(T->nrows + 1);
    if (T->wide_offsets) {
        find_rows_of_t<<<blocks, THREADS, 0, device->stream>>>(
            static_cast<uint64_t *>(T->row_ptr), T->nrows, columns, T->nnz);
    } else {
        find_rows_of_t<<<blocks, THREADS, 0, device->stream>>>(
            static_cast<uint32_t *>(T->row_ptr), T->nrows, columns, T->nnz);
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

template <class Word>
torc_status gather_words(
    torc_device *device, const torc_device_csr *T, const torc_device_csr *A, const uint32_t *position)
{
    gather<<<blocks_for(A->nnz), THREADS, 0, device->stream>>>(static_cast<Word *>(T->values),
        static_cast<const Word *>(A->values), position, A->nnz,
        static_cast<int64_t>(A->value_size / sizeof(Word)));
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status gather_values(
    torc_device *device, const torc_device_csr *T, const torc_device_csr *A, const uint32_t *position)
{
    switch (torc_word_size(A->value_size)) {
    case 0:
        return TORC_SUCCESS;
    case 1:
        return gather_words<uint8_t>(device, T, A, position);
    case 2:
        return gather_words<uint16_t>(device, T, A, position);
    case 4:
        return gather_words<uint32_t>(device, T, A, position);
    case 8:
        return gather_words<uint64_t>(device, T, A, position);
    default:
        return gather_words<ulonglong2>(device, T, A, position);
    }
}

torc_status find_columns(
    torc_device *device, const torc_device_csr *T, const torc_device_csr *A, const uint32_t *position)
{
    const unsigned blocks = blocks_for(A->nnz);
    if (A->wide_offsets) {
        find_columns_of_t<<<blocks, THREADS, 0, device->stream>>>(
            T->col_idx, position, A->nnz, static_cast<const uint64_t *>(A->row_ptr), A->nrows);
    } else {
        find_columns_of_t<<<blocks, THREADS, 0, device->stream>>>(
            T->col_idx, position, A->nnz, static_cast<const uint32_t *>(A->row_ptr), A->nrows);
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status transpose(torc_device *device, const torc_device_csr *T, const torc_device_csr *A)
{
    if (A->nnz == 0) {
        return find_rows(device, T, nullptr);
    }
    const size_t size = static_cast<size_t>(A->nnz) * sizeof(uint32_t);
    scratch columns_from(device), columns_to(device), positions_to(device);
    TORC_TRY(columns_from.allocate(size));
    TORC_TRY(columns_to.allocate(size));
    TORC_TRY(positions_to.allocate(size));
    TORC_TRY_CUDA(device,
        cudaMemcpyAsync(columns_from.as<void>(), A->col_idx, size, cudaMemcpyDeviceToDevice, device->stream));
    fill_positions<<<blocks_for(A->nnz), THREADS, 0, device->stream>>>(T->col_idx, A->nnz);
    TORC_TRY_CUDA(device, cudaGetLastError());

    cub::DoubleBuffer<uint32_t> columns(columns_from.as<uint32_t>(), columns_to.as<uint32_t>());
    cub::DoubleBuffer<uint32_t> positions(T->col_idx, positions_to.as<uint32_t>());
    TORC_TRY(sort(device, columns, positions, A->nnz, A->ncols));

    TORC_TRY(find_rows(device, T, columns.Current()));
    TORC_TRY(gather_values(device, T, A, positions.Current()));
    return find_columns(device, T, A, positions.Current()); /* last: it overwrites the positions */
}

} // namespace

torc_status torc_cuda_transpose_csr(torc_device *device, const torc_device_csr *T, const torc_device_csr *A)
{
    TORC_ENTER(device);
    try {
        return transpose(device, T, A);
    } catch (...) {
        torc_device_note(device, "transpose_csr", "an exception in CUB");
        return TORC_DEVICE_ERROR;
    }
}
