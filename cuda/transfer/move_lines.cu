/* move_lines.cu: lines between the device and pinned host memory, moved by a kernel that reaches over the
 * bus: of many lines those that matter, and lines too short for the copy engines, at their speed from 128
 * bytes on (bench/results/2026-11-21-h200-bus.txt).
 *
 * A thread moves words of 16, 8 or 4 bytes, IN_FLIGHT at once, neighbours adjacent ones. Requests to read
 * wait among what is written, on the way to the host: the two directions share it by the number of their
 * blocks. */
#include "scratch.cuh"

namespace
{

constexpr int MOVERS = 512, IN_FLIGHT = 4;              /* threads a block; words a thread */
constexpr int BLOCKS_TO_READ = 32, BLOCKS_TO_WRITE = 8; /* either alone fills the bus */

template <class Word>
__global__ void __launch_bounds__(MOVERS) move(torc_lines lines, int64_t count)
{
    const int64_t words = static_cast<int64_t>(lines.width / sizeof(Word)), total = count * words;
    const int64_t stride = static_cast<int64_t>(gridDim.x) * MOVERS;
    const char *from = static_cast<const char *>(lines.from);
    char *to = static_cast<char *>(lines.to);
    for (int64_t first = static_cast<int64_t>(blockIdx.x) * MOVERS + threadIdx.x; first < total;
         first += IN_FLIGHT * stride) {
        Word word[IN_FLIGHT];
        int64_t line[IN_FLIGHT], offset[IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++) {
            const int64_t at = first + i * stride;
            if (at < total) {
                line[i] = at / words;
                offset[i] = (at - line[i] * words) * static_cast<int64_t>(sizeof(Word));
                line[i] = lines.chosen ? lines.chosen[line[i]] : line[i];
                word[i] = *reinterpret_cast<const Word *>(
                    from + line[i] * static_cast<int64_t>(lines.from_pitch) + offset[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < IN_FLIGHT; i++) {
            if (first + i * stride < total) {
                *reinterpret_cast<Word *>(to + line[i] * static_cast<int64_t>(lines.to_pitch) + offset[i]) =
                    word[i];
            }
        }
    }
}

/* What everything about the lines is a multiple of. */
size_t alignment(const torc_lines *lines)
{
    const size_t bits = lines->width | lines->to_pitch | lines->from_pitch |
                        reinterpret_cast<uintptr_t>(lines->to) | reinterpret_cast<uintptr_t>(lines->from);
    return bits & -bits;
}

} // namespace

bool torc_lines_suit_kernel(const torc_lines *lines)
{
    constexpr size_t NARROWEST = 64, WIDEST = 256; /* of lines that all go */
    return alignment(lines) >= 4 && lines->width >= NARROWEST && (lines->chosen || lines->width < WIDEST);
}

torc_status torc_lines_move(torc_device *device, const torc_lines *lines, cudaStream_t stream, bool is_sent)
{
    const int64_t count = static_cast<int64_t>(lines->chosen ? lines->nchosen : lines->height);
    const int blocks = is_sent ? BLOCKS_TO_READ : BLOCKS_TO_WRITE;
    if (count == 0) {
        return TORC_SUCCESS;
    }
    switch (alignment(lines)) {
    case 4:
        move<uint32_t><<<blocks, MOVERS, 0, stream>>>(*lines, count);
        break;
    case 8:
        move<uint64_t><<<blocks, MOVERS, 0, stream>>>(*lines, count);
        break;
    default:
        move<uint4><<<blocks, MOVERS, 0, stream>>>(*lines, count);
        break;
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}
