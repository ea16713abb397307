/* packed_columns.cuh: column-major values to packed booleans and back, without a transpose.
 *
 * A thread moves the 64 columns of a word, so that a warp moves 32 adjacent rows of each at once; of booleans
 * in aligned columns the words of four rows, so that it moves 128. */
#ifndef TORC_PACKED_COLUMNS_CUH
#define TORC_PACKED_COLUMNS_CUH

#include "packed_layout.cuh"

namespace torc
{

template <class Stored>
static __global__ void __launch_bounds__(THREADS)
    pack_columns(uint64_t *words, const Stored *values, packed_layout x)
{
    const int64_t row = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    for (int64_t w = blockIdx.y; row < x.nrows && w < x.words; w += gridDim.y) {
        const int64_t left = x.ncols - w * WORD;
        const Stored *from = values + w * WORD * x.ld + row;
        uint64_t word = 0;
#pragma unroll 16
        for (int j = 0; j < WORD; j++) {
            word |= static_cast<uint64_t>(j < left && caster<bool>::cast(from[j * x.ld])) << j;
        }
        words[row * x.words + w] = word;
    }
}

static __global__ void __launch_bounds__(THREADS)
    unpack_columns(uint8_t *values, const uint64_t *words, packed_layout x)
{
    const int64_t row = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    for (int64_t w = blockIdx.y; row < x.nrows && w < x.words; w += gridDim.y) {
        const int64_t left = x.ncols - w * WORD;
        const uint64_t word = words[row * x.words + w];
        uint8_t *to = values + w * WORD * x.ld + row;
#pragma unroll 16
        for (int j = 0; j < WORD; j++) {
            if (j < left) {
                to[j * x.ld] = word >> j & 1;
            }
        }
    }
}

inline __device__ int columns_of_word(const packed_layout &x, int64_t w)
{
    const int64_t left = x.ncols - w * WORD;
    return left < WORD ? static_cast<int>(left) : WORD;
}

/* Four rows a thread; x.nrows is a multiple of that. */
static __global__ void __launch_bounds__(THREADS)
    pack_quads(uint64_t *words, const uint8_t *values, packed_layout x)
{
    const int64_t row = (static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x) * QUAD;
    for (int64_t w = blockIdx.y; row < x.nrows && w < x.words; w += gridDim.y) {
        const int left = columns_of_word(x, w);
        const uint8_t *from = values + w * WORD * x.ld + row;
        uint64_t word[QUAD] = {};
#pragma unroll
        for (int b = 0; b < WORD; b += BYTE) {
            uint32_t bytes = 0; /* of each row: eight columns */
#pragma unroll
            for (int j = 0; j < BYTE; j++, from += x.ld) {
                if (b + j < left) {
                    bytes |= truth_of(*reinterpret_cast<const uint32_t *>(from)) << j;
                }
            }
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                word[r] |= static_cast<uint64_t>(bytes >> BYTE * r & 0xff) << b;
            }
        }
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            words[(row + r) * x.words + w] = word[r];
        }
    }
}

static __global__ void __launch_bounds__(THREADS)
    unpack_quads(uint8_t *values, const uint64_t *words, packed_layout x)
{
    const int64_t row = (static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x) * QUAD;
    for (int64_t w = blockIdx.y; row < x.nrows && w < x.words; w += gridDim.y) {
        const int left = columns_of_word(x, w);
        uint8_t *to = values + w * WORD * x.ld + row;
        uint64_t word[QUAD];
#pragma unroll
        for (int r = 0; r < QUAD; r++) {
            word[r] = words[(row + r) * x.words + w];
        }
#pragma unroll
        for (int b = 0; b < WORD; b += BYTE) {
            uint32_t bytes = 0;
#pragma unroll
            for (int r = 0; r < QUAD; r++) {
                bytes |= static_cast<uint32_t>(word[r] >> b & 0xff) << BYTE * r;
            }
#pragma unroll
            for (int j = 0; j < BYTE; j++, to += x.ld) {
                if (b + j < left) {
                    *reinterpret_cast<uint32_t *>(to) = bytes >> j & 0x01010101u;
                }
            }
        }
    }
}

} // namespace torc

#endif
