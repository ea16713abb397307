/* transpose_dense.cu: to(j,i) = from(i,j) by tiles of TILE values through shared memory, so that both sides
 * are read and written along rows. Compulsory traffic: every value read once and written once. A value of
 * several words is moved by as many blocks, a word each.
 *
 * A tile is 32 x 32 values, or, of an array that is narrower one way, as wide as that and longer the other
 * way: no thread is idle for want of columns, and what is narrow is written without gaps.
 */
#include "cuda_device.h"

namespace
{

constexpr int TILE = 1024, SIDE = 32, THREADS = 256, EACH = TILE / THREADS;
constexpr int LEAST_SIDE = 2;         /* one row or one column is the same array */
constexpr unsigned MAX_WORDS = 65535; /* a value: the height of a grid */
constexpr int MAX_PADDED_TILE = TILE + TILE / LEAST_SIDE;

/* Both sides powers of two, their product TILE. */
struct tile_shape {
    int log_rows, log_cols;
};

/* Words between rows of a tile, beyond its columns: threads that read a column of it, or parts of several,
 * find them in distinct banks. */
template <class Word>
constexpr __device__ int padding(int rows)
{
    const int at_once = sizeof(Word) < 4 ? 32 : 128 / static_cast<int>(sizeof(Word));
    return rows < at_once ? at_once / rows : 1;
}

template <class Word>
__global__ void __launch_bounds__(THREADS) transpose_tile(
    Word *to, int64_t ldto, const Word *from, int64_t ldfrom, int64_t nrows, int64_t ncols, tile_shape shape)
{
    __shared__ Word tile[MAX_PADDED_TILE];
    const int64_t words = gridDim.y, word = blockIdx.y;
    const int rows = 1 << shape.log_rows, cols = 1 << shape.log_cols, pitch = cols + padding<Word>(rows);
    const unsigned tiles_a_row = static_cast<unsigned>((ncols + cols - 1) >> shape.log_cols);
    const int64_t top = static_cast<int64_t>(blockIdx.x / tiles_a_row) << shape.log_rows;
    const int64_t left = static_cast<int64_t>(blockIdx.x % tiles_a_row) << shape.log_cols;
    Word moved[EACH]; /* all loaded before the first is stored */
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int e = i * THREADS + threadIdx.x, r = e >> shape.log_cols, c = e & (cols - 1);
        if (top + r < nrows && left + c < ncols) {
            moved[i] = from[((top + r) * ldfrom + left + c) * words + word];
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int e = i * THREADS + threadIdx.x, r = e >> shape.log_cols, c = e & (cols - 1);
        tile[r * pitch + c] = moved[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const int e = i * THREADS + threadIdx.x, c = e >> shape.log_rows, r = e & (rows - 1);
        if (top + r < nrows && left + c < ncols) {
            to[((left + c) * ldto + top + r) * words + word] = tile[r * pitch + c];
        }
    }
}

/* log2 of the side of a tile that covers `extent` of values, 2 to 32 of them. */
int log_side(int64_t extent)
{
    int log = 1;
    while (1 << log < SIDE && 1 << log < extent) {
        log++;
    }
    return log;
}

tile_shape shape_of(int64_t nrows, int64_t ncols)
{
    constexpr int LOG_TILE = 10;
    static_assert(1 << LOG_TILE == TILE && LEAST_SIDE == 2, "sides are powers of two");
    if (nrows < ncols) {
        return {log_side(nrows), LOG_TILE - log_side(nrows)};
    }
    return {LOG_TILE - log_side(ncols), log_side(ncols)};
}

template <class Word>
torc_status transpose(torc_device *device, void *to, int64_t ldto, const void *from, int64_t ldfrom,
    int64_t nrows, int64_t ncols, size_t size)
{
    const tile_shape shape = shape_of(nrows, ncols);
    const int64_t rows = 1 << shape.log_rows, cols = 1 << shape.log_cols;
    const int64_t tiles = (nrows + rows - 1) / rows * ((ncols + cols - 1) / cols);
    const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(size / sizeof(Word)));
    if (grid.y > MAX_WORDS) {
        return TORC_UNSUPPORTED;
    }
    transpose_tile<Word><<<grid, THREADS, 0, device->stream>>>(
        static_cast<Word *>(to), ldto, static_cast<const Word *>(from), ldfrom, nrows, ncols, shape);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

} // namespace

torc_status torc_cuda_transpose_dense(torc_device *device, void *to, int64_t ldto, const void *from,
    int64_t ldfrom, int64_t nrows, int64_t ncols, size_t size)
{
    TORC_ENTER(device);
    if (nrows == 0 || ncols == 0) {
        return TORC_SUCCESS;
    }
    switch (torc_word_size(size)) {
    case 1:
        return transpose<uint8_t>(device, to, ldto, from, ldfrom, nrows, ncols, size);
    case 2:
        return transpose<uint16_t>(device, to, ldto, from, ldfrom, nrows, ncols, size);
    case 4:
        return transpose<uint32_t>(device, to, ldto, from, ldfrom, nrows, ncols, size);
    case 8:
        return transpose<uint64_t>(device, to, ldto, from, ldfrom, nrows, ncols, size);
    default:
        return transpose<ulonglong2>(device, to, ldto, from, ldfrom, nrows, ncols, size);
    }
}
