/* list_columns.cu: which columns of a CSR matrix have entries: each entry marks its column, and the marked
 * ones are selected. All who mark a column store the same. */
#include "scratch.cuh"
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace
{

using torc::blocks_for;
using torc::scratch;
using torc::thread_number;
using torc::THREADS;

__global__ void __launch_bounds__(THREADS) mark(uint8_t *has_entries, const uint32_t *col_idx, int64_t nnz)
{
    const int64_t p = thread_number();
    if (p < nnz) {
        has_entries[col_idx[p]] = 1;
    }
}

torc_status list(torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A)
{
    const thrust::counting_iterator<uint32_t> numbers(0);
    const size_t ncols = static_cast<size_t>(A->ncols);
    scratch marks(device), selected(device), workspace(device);
    size_t size = 0;
    TORC_TRY(marks.allocate(ncols));
    TORC_TRY(selected.allocate(sizeof *count));
    TORC_TRY_CUDA(device, cub::DeviceSelect::Flagged(nullptr, size, numbers, marks.as<uint8_t>(), columns,
                              selected.as<int64_t>(), A->ncols, device->stream));
    TORC_TRY(workspace.allocate(size));
    TORC_TRY_CUDA(device, cudaMemsetAsync(marks.as<void>(), 0, ncols, device->stream));
    if (A->nnz > 0) {
        mark<<<blocks_for(A->nnz), THREADS, 0, device->stream>>>(marks.as<uint8_t>(), A->col_idx, A->nnz);
        TORC_TRY_CUDA(device, cudaGetLastError());
    }
    TORC_TRY_CUDA(device, cub::DeviceSelect::Flagged(workspace.as<void>(), size, numbers, marks.as<uint8_t>(),
                              columns, selected.as<int64_t>(), A->ncols, device->stream));
    return torc_cuda_download(device, count, selected.as<void>(), sizeof *count);
}

} // namespace

torc_status torc_cuda_list_columns(
    torc_device *device, uint32_t *columns, int64_t *count, const torc_device_csr *A)
{
    TORC_ENTER(device);
    *count = 0;
    try {
        return A->ncols > 0 ? list(device, columns, count, A) : TORC_SUCCESS;
    } catch (...) {
        torc_device_note(device, "list_columns", "an exception in CUB");
        return TORC_DEVICE_ERROR;
    }
}
