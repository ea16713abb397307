/* tile_blocks.cuh: the first half of the plan of tiles: A cut into pieces, blocks of these, and which columns
 * a block shares. Part of tile_csr.cu, which tells the whole.
 *
 * Columns of a block are counted; those named by TORC_TILE_SHARERS entries or more are shared, and ranked: by
 * the logarithm of that number, the most named first, then by number. */
#ifndef TORC_TILE_BLOCKS_CUH
#define TORC_TILE_BLOCKS_CUH

#include "scratch.cuh"

namespace torc
{

constexpr int WARP = 32, BLOCK = 1024; /* threads, of kernels that have a block a block of rows */
constexpr int CLASSES = 16;            /* of columns, by how often they are named */

/* A row, or every step-th entry of a long one. */
struct piece {
    uint32_t begin, end, step, owner;

    __device__ uint32_t count() const
    {
        return (end - begin + step - 1) / step;
    }
};

/* What kernels share. */
struct shape {
    const uint32_t *row_ptr, *col_idx;
    const piece *pieces;
    uint32_t *ranks; /* of each block, of each column: 1 + its rank; 0: it is not shared */
    int64_t nrows, ncols, npieces, nblocks, height; /* pieces of a block */

    __device__ int64_t first_piece(int64_t block) const
    {
        return block * height;
    }
    __device__ int64_t end_piece(int64_t block) const
    {
        return min((block + 1) * height, npieces);
    }
    __device__ uint32_t *ranks_of(int64_t block) const
    {
        return ranks + block * ncols;
    }
};

/* ---- Pieces ------------------------------------------------------------------------------------------- */

inline __device__ uint32_t pieces_of(uint32_t entries)
{
    return entries > TORC_TILE_PIECE ? (entries + TORC_TILE_PIECE - 1) / TORC_TILE_PIECE : 1;
}

static __global__ void __launch_bounds__(THREADS)
    count_pieces(uint32_t *counts, const uint32_t *row_ptr, int64_t nrows)
{
    const int64_t i = thread_number();
    if (i <= nrows) {
        counts[i] = i < nrows ? pieces_of(row_ptr[i + 1] - row_ptr[i]) : 0;
    }
}

static __global__ void __launch_bounds__(THREADS)
    list_pieces(piece *pieces, const uint32_t *first, const uint32_t *row_ptr, int64_t nrows)
{
    const int64_t i = thread_number();
    if (i >= nrows) {
        return;
    }
    const uint32_t begin = row_ptr[i], end = row_ptr[i + 1], count = pieces_of(end - begin);
    for (uint32_t q = 0; q < count; q++) {
        const uint32_t number = first[i] + q;
        const uint32_t owner = end - begin > TORC_SEGMENT_NNZ ? number | TORC_TILE_IS_PARTIAL
                               : end > begin                  ? static_cast<uint32_t>(i)
                                                              : static_cast<uint32_t>(i) | TORC_TILE_IS_EMPTY;
        pieces[number] = {begin + q, end, count, owner};
    }
}

static __global__ void __launch_bounds__(THREADS) list_split_rows(
    torc_split_row *split_rows, const torc_split_row *in_segments, const uint32_t *first, int64_t count)
{
    const int64_t t = thread_number();
    if (t < count) {
        const int64_t row = in_segments[t].row;
        split_rows[t] = {row, first[row], first[row + 1]};
    }
}

/* ---- Shared columns ----------------------------------------------------------------------------------- */

/* Into ranks: how many entries of each block name a column. */
static __global__ void __launch_bounds__(BLOCK) count_columns(shape s)
{
    uint32_t *counts = s.ranks_of(blockIdx.x);
    for (int64_t p = s.first_piece(blockIdx.x) + threadIdx.x / WARP; p < s.end_piece(blockIdx.x);
         p += BLOCK / WARP) {
        const piece own = s.pieces[p];
        for (uint32_t n = threadIdx.x % WARP; n < own.count(); n += WARP) {
            atomicAdd(&counts[s.col_idx[own.begin + n * own.step]], 1u);
        }
    }
}

/* The class of a column, the most named first; CLASSES: it is not shared. */
inline __device__ int class_of(uint32_t count)
{
    return count < TORC_TILE_SHARERS ? CLASSES : CLASSES - 1 - min(CLASSES - 1, 31 - __clz(count));
}

/* Counts become ranks. */
static __global__ void __launch_bounds__(BLOCK) rank_columns(shape s, uint32_t *ncolumns)
{
    __shared__ uint32_t before[CLASSES], of_warp[BLOCK / WARP][CLASSES];
    uint32_t *ranks = s.ranks_of(blockIdx.x);
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (threadIdx.x < CLASSES) {
        before[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int64_t first = 0; first < s.ncols; first += BLOCK) {
        const int64_t k = first + threadIdx.x;
        const int own = k < s.ncols ? class_of(ranks[k]) : CLASSES;
        const unsigned same = __match_any_sync(~0u, own);
        if (own < CLASSES && lane == __ffs(same) - 1) {
            atomicAdd(&before[own], __popc(same));
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        for (uint32_t &count : before) {
            const uint32_t own = count;
            count = sum;
            sum += own;
        }
        ncolumns[blockIdx.x] = sum;
    }
    for (int64_t first = 0; first < s.ncols; first += BLOCK) {
        if (lane < CLASSES) {
            of_warp[warp][lane] = 0;
        }
        __syncwarp();
        const int64_t k = first + threadIdx.x;
        const int own = k < s.ncols ? class_of(ranks[k]) : CLASSES;
        const unsigned same = __match_any_sync(~0u, own);
        if (own < CLASSES && lane == __ffs(same) - 1) {
            of_warp[warp][own] = __popc(same);
        }
        __syncthreads();
        if (threadIdx.x < CLASSES) { /* counts of warps become what comes before them */
            uint32_t sum = before[threadIdx.x];
            for (auto &counts : of_warp) {
                const uint32_t count = counts[threadIdx.x];
                counts[threadIdx.x] = sum;
                sum += count;
            }
            before[threadIdx.x] = sum;
        }
        __syncthreads();
        if (k < s.ncols) {
            ranks[k] = own < CLASSES ? 1 + of_warp[warp][own] + __popc(same & ((1u << lane) - 1)) : 0;
        }
        __syncthreads();
    }
}

static __global__ void __launch_bounds__(BLOCK) list_columns(shape s, torc_tiles plan)
{
    const uint32_t *ranks = s.ranks_of(blockIdx.x);
    uint32_t *columns = plan.columns + static_cast<int64_t>(plan.tile_begin[blockIdx.x]) * TORC_TILE_COLUMNS;
    for (int64_t k = threadIdx.x; k < s.ncols; k += BLOCK) {
        if (ranks[k] > 0) {
            columns[ranks[k] - 1] = static_cast<uint32_t>(k);
        }
    }
}

} // namespace torc

#endif
