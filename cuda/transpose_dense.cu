/* transpose_dense.cu: to(j,i) = from(i,j) by tiles of TILE x TILE values through shared memory, so that both
 * sides are read and written along rows. Compulsory traffic: every value read once and written once. A value
 * of several words is moved by as many blocks, a word each. */
#include "cuda_device.h"

namespace
{

constexpr int TILE = 32, ROWS = 8;    /* a block of TILE x ROWS threads moves a tile */
constexpr unsigned MAX_WORDS = 65535; /* a value: the height of a grid */

template <class Word>
__global__ void __launch_bounds__(TILE *ROWS)
    transpose_tile(Word *to, int64_t ldto, const Word *from, int64_t ldfrom, int64_t nrows, int64_t ncols)
{
    const int64_t words = gridDim.y, word = blockIdx.y;
    __shared__ Word tile[TILE][TILE + 1]; /* + 1: a column of the tile lies in distinct banks */
    const int64_t tiles_a_row = (ncols + TILE - 1) / TILE;
    const int64_t top = blockIdx.x / tiles_a_row * TILE, left = blockIdx.x % tiles_a_row * TILE;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        const int64_t i = top + r, j = left + threadIdx.x;
        if (i < nrows && j < ncols) {
            tile[r][threadIdx.x] = from[(i * ldfrom + j) * words + word];
        }
    }
    __syncthreads();
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        const int64_t i = top + threadIdx.x, j = left + r;
        if (i < nrows && j < ncols) {
            to[(j * ldto + i) * words + word] = tile[threadIdx.x][r];
        }
    }
}

template <class Word>
torc_status transpose(torc_device *device, void *to, int64_t ldto, const void *from, int64_t ldfrom,
    int64_t nrows, int64_t ncols, size_t size)
{
    const int64_t tiles = (nrows + TILE - 1) / TILE * ((ncols + TILE - 1) / TILE);
    const dim3 grid(static_cast<unsigned>(tiles), static_cast<unsigned>(size / sizeof(Word)));
    if (grid.y > MAX_WORDS) {
        return TORC_UNSUPPORTED;
    }
    transpose_tile<Word><<<grid, dim3(TILE, ROWS), 0, device->stream>>>(
        static_cast<Word *>(to), ldto, static_cast<const Word *>(from), ldfrom, nrows, ncols);
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
