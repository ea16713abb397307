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

/* A part of a row, or every step-th entry of a long one. */
struct piece {
    uint32_t begin, end, step, owner;
    uint32_t number; /* row by row, though blocks have them part by part */
    uint32_t block;

    __device__ uint32_t count() const
    {
        return (end - begin + step - 1) / step;
    }
};

/* What kernels share. */
struct shape {
    const uint32_t *row_ptr, *col_idx;
    const piece *pieces;
    const uint32_t *in_parts; /* the first piece of each row in each part, and the number of all */
    uint32_t *ranks;          /* of each block, of each column: 1 + its rank; 0: it is not shared */
    int64_t nrows, ncols, npieces, nblocks;
    int64_t height, part_blocks; /* pieces of a block at most, blocks of a part */

    /* Of the part of a block, and of the one after. */
    __device__ int64_t first_of_part(int64_t block, int after) const
    {
        return in_parts[(block / part_blocks + after) * nrows];
    }
    __device__ int64_t end_piece(int64_t block) const
    {
        return min(first_of_part(block, 0) + (block % part_blocks + 1) * height, first_of_part(block, 1));
    }
    __device__ int64_t first_piece(int64_t block) const
    {
        return min(first_of_part(block, 0) + block % part_blocks * height, first_of_part(block, 1));
    }
    __device__ uint32_t *ranks_of(int64_t block) const
    {
        return ranks + block * ncols;
    }
};

/* ---- Pieces ------------------------------------------------------------------------------------------- */

/* The rows that are cut, and the parts of each. */
struct row_parts {
    const uint32_t *row_ptr;
    int64_t nrows;
    int parts;

    __device__ uint32_t length(int64_t i) const
    {
        return row_ptr[i + 1] - row_ptr[i];
    }
    __device__ bool is_parted(int64_t i) const
    {
        return length(i) >= static_cast<uint32_t>(parts) * TORC_TILE_PART;
    }
    /* Where part p begins, or the part before it ends. */
    __device__ uint32_t begin(int64_t i, int p) const
    {
        const int64_t before = is_parted(i) ? static_cast<int64_t>(length(i)) * p / parts
                               : p > 0      ? length(i)
                                            : 0;
        return row_ptr[i] + static_cast<uint32_t>(before);
    }
    /* Pieces of part p. An empty row has one all the same. */
    __device__ uint32_t pieces(int64_t i, int p) const
    {
        const uint32_t entries = begin(i, p + 1) - begin(i, p);
        return p == 0 && entries == 0 ? 1 : (entries + TORC_TILE_PIECE - 1) / TORC_TILE_PIECE;
    }
};

/* Of each row in each part, part by part; of each row in all; and is it more than one? */
static __global__ void __launch_bounds__(THREADS)
    count_pieces(row_parts rows, uint32_t *in_parts, uint32_t *in_rows, uint32_t *is_split)
{
    const int64_t i = thread_number();
    if (i > rows.nrows) {
        return;
    }
    uint32_t sum = 0;
    for (int p = 0; p < rows.parts && i < rows.nrows; p++) {
        sum += in_parts[p * rows.nrows + i] = rows.pieces(i, p);
    }
    in_rows[i] = sum;
    is_split[i] = sum > 1;
    if (i == rows.nrows) {
        in_parts[rows.parts * i] = 0;
    }
}

/* The same numbers have become the first piece of each, and how many rows before it are split. */
static __global__ void __launch_bounds__(THREADS) list_pieces(row_parts rows, shape s, piece *pieces,
    const uint32_t *in_rows, const uint32_t *is_split, torc_split_row *split_rows)
{
    const int64_t i = thread_number();
    if (i >= rows.nrows) {
        return;
    }
    const uint32_t first = in_rows[i], end = in_rows[i + 1];
    uint32_t number = first;
    for (int p = 0; p < rows.parts; p++) {
        const uint32_t count = rows.pieces(i, p), at = s.in_parts[p * rows.nrows + i];
        for (uint32_t q = 0; q < count; q++, number++) {
            const uint32_t owner = end - first > 1      ? number | TORC_TILE_IS_PARTIAL
                                   : rows.length(i) > 0 ? static_cast<uint32_t>(i)
                                                        : static_cast<uint32_t>(i) | TORC_TILE_IS_EMPTY;
            const int64_t in_part = at + q - s.in_parts[p * rows.nrows];
            const auto block = static_cast<uint32_t>(p * s.part_blocks + in_part / s.height);
            pieces[at + q] = {rows.begin(i, p) + q, rows.begin(i, p + 1), count, owner, number, block};
        }
    }
    if (end - first > 1) {
        split_rows[is_split[i]] = {i, first, end};
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
