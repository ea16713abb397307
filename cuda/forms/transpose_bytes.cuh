/* transpose_bytes.cuh: the transpose of bytes, such as booleans and bitmaps, where all rows of both arrays
 * start at multiples of 4: a thread loads a block of 4 x 4 by words, turns it round in registers, and hands
 * it on by words through shared memory, so that both sides are read and written along rows.
 *
 *     a0 a1 a2 a3                a0 b0 c0 d0
 *     b0 b1 b2 b3       to       a1 b1 c1 d1
 *     c0 c1 c2 c3                a2 b2 c2 d2
 *     d0 d1 d2 d3                a3 b3 c3 d3
 */
#ifndef TORC_TRANSPOSE_BYTES_CUH
#define TORC_TRANSPOSE_BYTES_CUH

#include "scratch.cuh"

namespace torc
{

constexpr int BLOCK_SIDE = 4, BLOCK_BITS = 8, LOG_BLOCKS = 8; /* of a tile: as many as threads */
static_assert(THREADS == 1 << LOG_BLOCKS, "a thread a block");

inline __device__ void turn_round(uint32_t (&x)[BLOCK_SIDE])
{
    const uint32_t ab01 = __byte_perm(x[0], x[1], 0x5140), ab23 = __byte_perm(x[0], x[1], 0x7362);
    const uint32_t cd01 = __byte_perm(x[2], x[3], 0x5140), cd23 = __byte_perm(x[2], x[3], 0x7362);
    x[0] = __byte_perm(ab01, cd01, 0x5410);
    x[1] = __byte_perm(ab01, cd01, 0x7632);
    x[2] = __byte_perm(ab23, cd23, 0x5410);
    x[3] = __byte_perm(ab23, cd23, 0x7632);
}

/* Up to four adjacent bytes. */
inline __device__ uint32_t load_bytes(const uint8_t *from, int64_t count)
{
    if (count >= BLOCK_SIDE) {
        return *reinterpret_cast<const uint32_t *>(from);
    }
    uint32_t bytes = 0;
    for (int i = 0; i < count; i++) {
        bytes |= static_cast<uint32_t>(from[i]) << BLOCK_BITS * i;
    }
    return bytes;
}

inline __device__ void store_bytes(uint8_t *to, uint32_t bytes, int64_t count)
{
    if (count >= BLOCK_SIDE) {
        *reinterpret_cast<uint32_t *>(to) = bytes;
        return;
    }
    for (int i = 0; i < count; i++) {
        to[i] = static_cast<uint8_t>(bytes >> BLOCK_BITS * i);
    }
}

/* A tile has 2^log_rows x 2^(LOG_BLOCKS-log_rows) blocks. */
static __global__ void __launch_bounds__(THREADS) transpose_byte_tile(uint8_t *to, int64_t ldto,
    const uint8_t *from, int64_t ldfrom, int64_t nrows, int64_t ncols, int log_rows)
{
    __shared__ uint32_t tile[BLOCK_SIDE * (THREADS + THREADS)]; /* a word of padding a row of one or more */
    const int log_cols = LOG_BLOCKS - log_rows, rows = 1 << log_rows, cols = 1 << log_cols, pitch = rows + 1;
    const unsigned tiles_a_row = static_cast<unsigned>((ncols + BLOCK_SIDE * cols - 1) / (BLOCK_SIDE * cols));
    const int64_t top = static_cast<int64_t>(blockIdx.x / tiles_a_row) * (BLOCK_SIDE * rows);
    const int64_t left = static_cast<int64_t>(blockIdx.x % tiles_a_row) * (BLOCK_SIDE * cols);
    {
        const int r = threadIdx.x >> log_cols, c = threadIdx.x & (cols - 1);
        const int64_t row = top + r * BLOCK_SIDE, column = left + c * BLOCK_SIDE;
        uint32_t block[BLOCK_SIDE] = {};
#pragma unroll
        for (int i = 0; i < BLOCK_SIDE; i++) {
            if (row + i < nrows) {
                block[i] = load_bytes(from + (row + i) * ldfrom + column, ncols - column);
            }
        }
        turn_round(block);
#pragma unroll
        for (int i = 0; i < BLOCK_SIDE; i++) {
            tile[(c * BLOCK_SIDE + i) * pitch + r] = block[i];
        }
    }
    __syncthreads();
    const int r = threadIdx.x & (rows - 1), c = threadIdx.x >> log_rows;
    const int64_t row = top + r * BLOCK_SIDE, column = left + c * BLOCK_SIDE;
#pragma unroll
    for (int i = 0; i < BLOCK_SIDE; i++) {
        if (column + i < ncols) {
            store_bytes(to + (column + i) * ldto + row, tile[(c * BLOCK_SIDE + i) * pitch + r], nrows - row);
        }
    }
}

inline bool has_byte_blocks(const void *to, int64_t ldto, const void *from, int64_t ldfrom)
{
    const uint64_t starts = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from);
    return (starts | ldto | ldfrom) % BLOCK_SIDE == 0;
}

inline void queue_byte_tiles(cudaStream_t stream, void *to, int64_t ldto, const void *from, int64_t ldfrom,
    int64_t nrows, int64_t ncols)
{
    const int64_t narrow = nrows < ncols ? nrows : ncols;
    int log_narrow = 0; /* of blocks */
    while (log_narrow < LOG_BLOCKS / 2 && int64_t(BLOCK_SIDE) << log_narrow < narrow) {
        log_narrow++;
    }
    const int log_rows = nrows < ncols ? log_narrow : LOG_BLOCKS - log_narrow;
    const int64_t rows = int64_t(BLOCK_SIDE) << log_rows, cols = int64_t(BLOCK_SIDE)
                                                                 << (LOG_BLOCKS - log_rows);
    const int64_t tiles = (nrows + rows - 1) / rows * ((ncols + cols - 1) / cols);
    transpose_byte_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
        static_cast<uint8_t *>(to), ldto, static_cast<const uint8_t *>(from), ldfrom, nrows, ncols, log_rows);
}

} // namespace torc

#endif
