/* build_dense.cu: a dense array from entries and their positions. No two have the same position, so that
 * nothing depends on the order of threads. */
#include "scratch.cuh"

using namespace torc;

namespace
{

__global__ void __launch_bounds__(THREADS)
    set_present(uint8_t *bitmap, const uint64_t *positions, int64_t count)
{
    const int64_t e = thread_number();
    if (e < count) {
        bitmap[positions[e]] = 1;
    }
}

/* Values as `words` of one kind each: opaque types have any number of bytes. */
template <class Word>
__global__ void __launch_bounds__(THREADS)
    set_values(Word *to, const Word *values, int words, bool iso, const uint64_t *positions, int64_t count)
{
    const int64_t e = thread_number();
    if (e < count) {
        const uint64_t first = positions[e] * words, from = iso ? 0 : e * words;
        for (int w = 0; w < words; w++) {
            to[first + w] = values[from + w];
        }
    }
}

template <class Word>
void launch_values(cudaStream_t stream, const torc_build_args *s)
{
    set_values<<<blocks_for(s->count), THREADS, 0, stream>>>(static_cast<Word *>(s->to),
        static_cast<const Word *>(s->values), static_cast<int>(s->value_size / sizeof(Word)), s->iso,
        s->positions, s->count);
}

} // namespace

torc_status torc_cuda_build(torc_device *device, const torc_build_args *s)
{
    TORC_ENTER(device);
    TORC_TRY_CUDA(device, cudaMemsetAsync(s->bitmap, 0, static_cast<size_t>(s->cells), device->stream));
    if (s->count == 0) {
        return TORC_SUCCESS;
    }
    set_present<<<blocks_for(s->count), THREADS, 0, device->stream>>>(s->bitmap, s->positions, s->count);
    if (s->to) {
        const bool is_wide = s->value_size % 8 == 0, is_single = s->value_size % 4 == 0;
        (is_wide        ? launch_values<uint64_t>
            : is_single ? launch_values<uint32_t>
                        : launch_values<uint8_t>)(device->stream, s);
    }
    TORC_TRY_CUDA(device, cudaPeekAtLastError());
    return TORC_SUCCESS;
}
