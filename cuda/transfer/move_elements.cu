/* move_elements.cu: single elements from anywhere in device memory into one piece, and back: those that a
 * program reads and writes one by one. Few: a thread moves a byte. */
#include "scratch.cuh"

using namespace torc;

namespace
{

__global__ void __launch_bounds__(THREADS)
    gather(char *to, const char *from, const uint64_t *offsets, int64_t bytes, int64_t size)
{
    const int64_t at = thread_number();
    if (at < bytes) {
        to[at] = from[offsets[at / size] + static_cast<uint64_t>(at % size)];
    }
}

__global__ void __launch_bounds__(THREADS)
    scatter(char *to, const char *from, const uint64_t *offsets, int64_t bytes, int64_t size)
{
    const int64_t at = thread_number();
    if (at < bytes) {
        to[offsets[at / size] + static_cast<uint64_t>(at % size)] = from[at];
    }
}

/* Offsets, and elements behind them. */
torc_status place(scratch &space, torc_device *device, const uint64_t *offsets, size_t count, size_t size)
{
    TORC_TRY(space.allocate(count * (sizeof *offsets + size)));
    return torc_cuda_upload(device, space.as<void>(), offsets, count * sizeof *offsets);
}

} // namespace

torc_status torc_cuda_gather(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    const auto bytes = static_cast<int64_t>(count * size);
    TORC_ENTER(device);
    scratch space(device);
    TORC_TRY(place(space, device, offsets, count, size));
    char *elements = space.as<char>() + count * sizeof *offsets;
    gather<<<blocks_for(bytes), THREADS, 0, device->stream>>>(
        elements, static_cast<const char *>(from), space.as<uint64_t>(), bytes, static_cast<int64_t>(size));
    TORC_TRY_CUDA(device, cudaPeekAtLastError());
    return torc_cuda_download(device, to, elements, count * size);
}

torc_status torc_cuda_scatter(
    torc_device *device, void *to, const void *from, const uint64_t *offsets, size_t count, size_t size)
{
    const auto bytes = static_cast<int64_t>(count * size);
    TORC_ENTER(device);
    scratch space(device);
    TORC_TRY(place(space, device, offsets, count, size));
    char *elements = space.as<char>() + count * sizeof *offsets;
    TORC_TRY(torc_cuda_upload(device, elements, from, count * size));
    scatter<<<blocks_for(bytes), THREADS, 0, device->stream>>>(
        static_cast<char *>(to), elements, space.as<uint64_t>(), bytes, static_cast<int64_t>(size));
    TORC_TRY_CUDA(device, cudaPeekAtLastError());
    return TORC_SUCCESS;
}
