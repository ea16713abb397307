/* write_rows.cu: rows of this device's memory, listed, one after another into memory of another device.
 *
 * A thread moves words of 16 bytes or what rows allow, IN_FLIGHT at once, neighbours adjacent ones. So each
 * byte is read once, crosses NVLink, and is written once where it is needed. A quarter of the device writes
 * 320 of the 350 GB/s that all of it does, also of rows of 128 bytes, and leaves the rest to the work beside
 * it (bench/results/2026-11-26-h100-x2-writes.txt). */
#include "device_exchange.h"

namespace
{

constexpr int WRITERS = 512, IN_FLIGHT = 4, BLOCKS = 32; /* threads a block; words a thread; blocks */

template <class Word>
__global__ void __launch_bounds__(WRITERS) write_rows(torc_exchange_rows rows)
{
    const int64_t words = static_cast<int64_t>(rows.width / sizeof(Word)), total = rows.count * words;
    const int64_t stride = static_cast<int64_t>(gridDim.x) * WRITERS;
    const char *from = static_cast<const char *>(rows.from);
    char *to = static_cast<char *>(rows.to);
    for (int64_t first = static_cast<int64_t>(blockIdx.x) * WRITERS + threadIdx.x; first < total;
         first += IN_FLIGHT * stride) {
        Word word[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++) {
            const int64_t at = first + i * stride;
            if (at < total) {
                const int64_t row = at / words;
                word[i] =
                    reinterpret_cast<const Word *>(from + rows.list[row] * rows.from_pitch)[at - row * words];
            }
        }
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++) {
            const int64_t at = first + i * stride;
            if (at < total) {
                const int64_t row = at / words;
                reinterpret_cast<Word *>(to + row * static_cast<int64_t>(rows.to_pitch))[at - row * words] =
                    word[i];
            }
        }
    }
}

template <class Word>
void launch(const torc_exchange_rows *rows, cudaStream_t stream)
{
    write_rows<Word><<<BLOCKS, WRITERS, 0, stream>>>(*rows);
}

} // namespace

torc_status torc_device_write_rows(torc_device *device, const torc_exchange_rows *rows, cudaStream_t stream)
{
    if (rows->count == 0 || rows->width == 0) {
        return TORC_SUCCESS;
    }
    const size_t bits = rows->width | rows->to_pitch | rows->from_pitch |
                        reinterpret_cast<uintptr_t>(rows->to) | reinterpret_cast<uintptr_t>(rows->from);
    switch (torc_word_size(bits)) {
    case 1:
        launch<uint8_t>(rows, stream);
        break;
    case 2:
        launch<uint16_t>(rows, stream);
        break;
    case 4:
        launch<uint32_t>(rows, stream);
        break;
    case 8:
        launch<uint64_t>(rows, stream);
        break;
    default:
        launch<uint4>(rows, stream);
        break;
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}
