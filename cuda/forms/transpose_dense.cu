/* transpose_dense.cu: to(j,i) = from(i,j) by tiles of values through shared memory, so that both sides
 * are read and written along rows. Compulsory traffic: every value read once and written once. A value of
 * several words is moved by as many blocks, a word each.
 *
 * A tile is 32 values wide, or, of an array that is narrower one way, as wide as that and longer the other
 * way: no thread is idle for want of columns, and what is narrow is written without gaps.
 */
#include "transpose_bytes.cuh"

namespace
{

constexpr int LOG_THREADS = 8, THREADS = 1 << LOG_THREADS, LOG_SIDE = 5;
constexpr unsigned MAX_WORDS = 65535; /* a value: the height of a grid */

/* Values of a tile to a thread, at most: 32 bytes under way, or 8 values. */
template <class Word>
constexpr int LOG_EACH = sizeof(Word) < 8 ? 3 : 2;

/* Both sides powers of two from 2 to THREADS. */
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

/* A thread's places in an array of `1 << log_length` values a line: one, then others `step` lines on. */
struct walk {
    int line, at, step;

    __device__ explicit walk(int log_length)
        : line(threadIdx.x >> log_length), at(threadIdx.x & ((1 << log_length) - 1)),
          step(THREADS >> log_length)
    {
    }
};

template <class Word>
__global__ void __launch_bounds__(THREADS) transpose_tile(
    Word *to, int64_t ldto, const Word *from, int64_t ldfrom, int64_t nrows, int64_t ncols, tile_shape shape)
{
    constexpr int EACH = 1 << LOG_EACH<Word>, TILE = EACH * THREADS;
    __shared__ Word
        tile[TILE + TILE / 2]; /* the longest, of two columns, has half as many words of padding */
    const int64_t words = gridDim.y, word = blockIdx.y;
    const int rows = 1 << shape.log_rows, cols = 1 << shape.log_cols, pitch = cols + padding<Word>(rows);
    const unsigned tiles_a_row = static_cast<unsigned>((ncols + cols - 1) >> shape.log_cols);
    const int64_t top = static_cast<int64_t>(blockIdx.x / tiles_a_row) << shape.log_rows;
    const int64_t left = static_cast<int64_t>(blockIdx.x % tiles_a_row) << shape.log_cols;
    const int rows_left = nrows - top < rows ? static_cast<int>(nrows - top) : rows;
    const int cols_left = ncols - left < cols ? static_cast<int>(ncols - left) : cols;

    const walk in(shape.log_cols), out(shape.log_rows);
    Word moved[EACH]; /* all loaded before the first is stored */
    const Word *source = from + ((top + in.line) * ldfrom + left + in.at) * words + word;
#pragma unroll
    for (int i = 0; i < EACH; i++, source += in.step * ldfrom * words) {
        if (in.at < cols_left && in.line + i * in.step < rows_left) {
            moved[i] = *source;
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (in.line + i * in.step < rows_left) {
            tile[(in.line + i * in.step) * pitch + in.at] = moved[i];
        }
    }
    __syncthreads();
    Word *target = to + ((left + out.line) * ldto + top + out.at) * words + word;
#pragma unroll
    for (int i = 0; i < EACH; i++, target += out.step * ldto * words) {
        if (out.at < rows_left && out.line + i * out.step < cols_left) {
            *target = tile[out.at * pitch + out.line + i * out.step];
        }
    }
}

/* Of the side of a tile that covers so many values, if they are few. */
int log_side(int64_t extent)
{
    int log = 1;
    while (log < LOG_SIDE && int64_t(1) << log < extent) {
        log++;
    }
    return log;
}

template <class Word>
torc_status transpose(torc_device *device, void *to, int64_t ldto, const void *from, int64_t ldfrom,
    int64_t nrows, int64_t ncols, size_t size)
{
    constexpr int LOG_TILE = LOG_THREADS + LOG_EACH<Word>;
    const int narrow = log_side(nrows < ncols ? nrows : ncols);
    const int wide = LOG_TILE - narrow < LOG_THREADS ? LOG_TILE - narrow : LOG_THREADS;
    const tile_shape shape = nrows < ncols ? tile_shape{narrow, wide} : tile_shape{wide, narrow};
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
    if (size == 1 && torc::has_byte_blocks(to, ldto, from, ldfrom)) {
        torc::queue_byte_tiles(device->stream, to, ldto, from, ldfrom, nrows, ncols);
        TORC_TRY_CUDA(device, cudaGetLastError());
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
