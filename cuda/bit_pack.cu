/* bit_pack.cu: dense values to words of 64 booleans a row, and back. Compulsory traffic: every value and
 * every word moved once.
 *
 * Row-major: a thread moves RUN adjacent columns, by 16-byte accesses where rows are aligned to them.
 * Booleans in rows of whole words without gaps between them are one array: a thread moves EACH runs of it.
 * Column-major: a thread moves the 64 columns of a word, so that a warp moves 32 adjacent rows of each, or of
 * aligned booleans 4 x 32; no transpose is formed.
 */
#include "cuda_device.h"
#include "operand_access.cuh"

namespace
{

constexpr int THREADS = 256, WORD = TORC_WORD_COLUMNS, RUN = 16, RUNS = WORD / RUN, EACH = 4;
constexpr int MAX_GRID_Y = 65535;
using torc::boolean;
using torc::caster;
using torc::fragment;

/* What one launch moves: X's shape, and words a row. aligned: runs of X start at multiples of 16 bytes. */
struct layout {
    int64_t nrows, ncols, ld, words;
    bool aligned;
};

/* A row-major X: a run to a thread; a block has whole rows, or a part of one. */
struct run_place {
    int64_t row, run; /* run: in the row */

    static __host__ __device__ int rows_a_block(int64_t words)
    {
        return words * RUNS < THREADS ? THREADS / static_cast<int>(words * RUNS) : 1;
    }

    static __host__ __device__ int64_t blocks_a_row(int64_t words)
    {
        return (words * RUNS + THREADS - 1) / THREADS;
    }

    __device__ explicit run_place(const layout &x)
    {
        if (x.words * RUNS < THREADS) {
            const int runs = static_cast<int>(x.words) * RUNS, rows = THREADS / runs;
            const int in_block = threadIdx.x / runs;
            row = in_block < rows ? static_cast<int64_t>(blockIdx.x) * rows + in_block : x.nrows;
            run = threadIdx.x % runs;
        } else {
            const unsigned blocks = static_cast<unsigned>(blocks_a_row(x.words));
            row = blockIdx.x / blocks;
            run = static_cast<int64_t>(blockIdx.x % blocks) * THREADS + threadIdx.x;
        }
    }

    __device__ bool is_inside(const layout &x) const
    {
        return row < x.nrows && run < x.words * RUNS;
    }
};

/* Of four bytes: 1 where it is not 0. */
__device__ uint32_t truth_of(uint32_t bytes)
{
    return (((bytes & 0x7f7f7f7fu) + 0x7f7f7f7fu) | bytes) >> 7 & 0x01010101u;
}

/* A run of booleans. */
using packable = fragment<uint32_t, RUN / 4>;

/* The bits of a run: a product moves those of four bytes side by side. */
__device__ unsigned pack_run(const packable &stored)
{
    unsigned run = 0;
#pragma unroll
    for (int q = 0; q < RUN / 4; q++) {
        run |= (truth_of(stored.value[q]) * 0x10204080u >> 28) << 4 * q;
    }
    return run;
}

/* A product puts copies of four bits 7 apart, so that each is at the bottom of a byte. */
__device__ packable unpack_run(unsigned run)
{
    packable unpacked;
#pragma unroll
    for (int q = 0; q < RUN / 4; q++) {
        unpacked.value[q] = (run >> 4 * q & 0xf) * 0x00204081u & 0x01010101u;
    }
    return unpacked;
}

__global__ void __launch_bounds__(THREADS) pack_array(uint16_t *words, const boolean *values, int64_t runs)
{
    const int64_t first = static_cast<int64_t>(blockIdx.x) * (THREADS * EACH) + threadIdx.x;
    packable stored[EACH]; /* all loaded before the first is used */
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (first + i * THREADS < runs) {
            stored[i] = reinterpret_cast<const packable *>(values)[first + i * THREADS];
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (first + i * THREADS < runs) {
            words[first + i * THREADS] = static_cast<uint16_t>(pack_run(stored[i]));
        }
    }
}

__global__ void __launch_bounds__(THREADS) unpack_array(uint8_t *values, const uint16_t *words, int64_t runs)
{
    const int64_t first = static_cast<int64_t>(blockIdx.x) * (THREADS * EACH) + threadIdx.x;
    uint16_t packed[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (first + i * THREADS < runs) {
            packed[i] = words[first + i * THREADS];
        }
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (first + i * THREADS < runs) {
            reinterpret_cast<packable *>(values)[first + i * THREADS] = unpack_run(packed[i]);
        }
    }
}

template <class Stored>
__global__ void __launch_bounds__(THREADS) pack_rows(uint16_t *words, const Stored *values, layout x)
{
    const run_place at(x);
    if (!at.is_inside(x)) {
        return;
    }
    const int64_t column = at.run * RUN;
    const Stored *from = values + at.row * x.ld + column;
    unsigned run = 0;
    if (x.aligned && column + RUN <= x.ncols) {
        const auto stored = *reinterpret_cast<const fragment<Stored, RUN> *>(from);
#pragma unroll
        for (int j = 0; j < RUN; j++) {
            run |= static_cast<unsigned>(caster<bool>::cast(stored.value[j])) << j;
        }
    } else {
#pragma unroll
        for (int j = 0; j < RUN; j++) {
            run |= static_cast<unsigned>(column + j < x.ncols && caster<bool>::cast(from[j])) << j;
        }
    }
    words[at.row * x.words * RUNS + at.run] = static_cast<uint16_t>(run);
}

__global__ void __launch_bounds__(THREADS) unpack_rows(uint8_t *values, const uint16_t *words, layout x)
{
    const run_place at(x);
    if (!at.is_inside(x)) {
        return;
    }
    const int64_t column = at.run * RUN;
    uint8_t *to = values + at.row * x.ld + column;
    const unsigned run = words[at.row * x.words * RUNS + at.run];
    if (x.aligned && column + RUN <= x.ncols) {
        *reinterpret_cast<packable *>(to) = unpack_run(run);
    } else {
#pragma unroll
        for (int j = 0; j < RUN; j++) {
            if (column + j < x.ncols) {
                to[j] = run >> j & 1;
            }
        }
    }
}

template <class Stored>
__global__ void __launch_bounds__(THREADS) pack_columns(uint64_t *words, const Stored *values, layout x)
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

__global__ void __launch_bounds__(THREADS) unpack_columns(uint8_t *values, const uint64_t *words, layout x)
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

/* QUAD adjacent rows of column-major booleans are a word of memory; x.nrows is a multiple of that. */
constexpr int QUAD = 4, BYTE = 8;

__device__ int columns_of_word(const layout &x, int64_t w)
{
    const int64_t left = x.ncols - w * WORD;
    return left < WORD ? static_cast<int>(left) : WORD;
}

__global__ void __launch_bounds__(THREADS) pack_quads(uint64_t *words, const uint8_t *values, layout x)
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

__global__ void __launch_bounds__(THREADS) unpack_quads(uint8_t *values, const uint64_t *words, layout x)
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

layout layout_of(const torc_dense *X)
{
    const uint64_t steps = reinterpret_cast<uintptr_t>(X->data) | X->ld * torc_type_size(X->type);
    return {X->nrows, X->ncols, X->ld, (X->ncols + WORD - 1) / WORD, steps % 16 == 0};
}

bool is_of_bytes(const torc_dense *X)
{
    return torc_type_size(X->type) == 1;
}

/* Is X one array of aligned runs, as its words are? */
bool is_one_array(const torc_dense *X, const layout &x)
{
    return X->order == TORC_ROW_MAJOR && is_of_bytes(X) && x.aligned && x.ld == x.ncols &&
           x.ncols % WORD == 0;
}

/* Rows of X in whole quads: the others, three at most, are moved one by one. */
int64_t rows_in_quads(const torc_dense *X)
{
    const bool has_quads = is_of_bytes(X) && (reinterpret_cast<uintptr_t>(X->data) | X->ld) % QUAD == 0;
    return has_quads ? X->nrows / QUAD * QUAD : 0;
}

unsigned blocks_of_runs(int64_t runs)
{
    return static_cast<unsigned>((runs + THREADS * EACH - 1) / (THREADS * EACH));
}

dim3 grid_of_rows(const layout &x)
{
    const int64_t rows = run_place::rows_a_block(x.words);
    return dim3(static_cast<unsigned>((x.nrows + rows - 1) / rows * run_place::blocks_a_row(x.words)));
}

dim3 grid_of_columns(const layout &x, int rows_a_thread)
{
    const int64_t rows = THREADS * rows_a_thread, tall = x.words < MAX_GRID_Y ? x.words : MAX_GRID_Y;
    return dim3(static_cast<unsigned>((x.nrows + rows - 1) / rows), static_cast<unsigned>(tall));
}

template <class Stored>
void pack(torc_device *device, uint64_t *words, const torc_dense *X)
{
    layout x = layout_of(X);
    const Stored *values = static_cast<const Stored *>(X->data);
    if (is_one_array(X, x)) {
        const int64_t runs = x.nrows * x.words * RUNS;
        pack_array<<<blocks_of_runs(runs), THREADS, 0, device->stream>>>(
            reinterpret_cast<uint16_t *>(words), static_cast<const boolean *>(X->data), runs);
        return;
    }
    if (X->order == TORC_ROW_MAJOR) {
        pack_rows<<<grid_of_rows(x), THREADS, 0, device->stream>>>(
            reinterpret_cast<uint16_t *>(words), values, x);
        return;
    }
    const int64_t whole = rows_in_quads(X);
    x.nrows = whole;
    if (whole > 0) {
        pack_quads<<<grid_of_columns(x, QUAD), THREADS, 0, device->stream>>>(
            words, static_cast<const uint8_t *>(X->data), x);
    }
    x.nrows = X->nrows - whole;
    if (x.nrows > 0) {
        pack_columns<<<grid_of_columns(x, 1), THREADS, 0, device->stream>>>(
            words + whole * x.words, values + whole, x);
    }
}

void unpack(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    layout x = layout_of(X);
    uint8_t *values = static_cast<uint8_t *>(X->data);
    if (is_one_array(X, x)) {
        const int64_t runs = x.nrows * x.words * RUNS;
        unpack_array<<<blocks_of_runs(runs), THREADS, 0, device->stream>>>(
            values, reinterpret_cast<const uint16_t *>(words), runs);
        return;
    }
    if (X->order == TORC_ROW_MAJOR) {
        unpack_rows<<<grid_of_rows(x), THREADS, 0, device->stream>>>(
            values, reinterpret_cast<const uint16_t *>(words), x);
        return;
    }
    const int64_t whole = rows_in_quads(X);
    x.nrows = whole;
    if (whole > 0) {
        unpack_quads<<<grid_of_columns(x, QUAD), THREADS, 0, device->stream>>>(values, words, x);
    }
    x.nrows = X->nrows - whole;
    if (x.nrows > 0) {
        unpack_columns<<<grid_of_columns(x, 1), THREADS, 0, device->stream>>>(
            values + whole, words + whole * x.words, x);
    }
}

} // namespace

torc_status torc_cuda_pack_bits(torc_device *device, uint64_t *words, const torc_dense *X)
{
    TORC_ENTER(device);
    if (X->nrows == 0 || X->ncols == 0) {
        return TORC_SUCCESS;
    }
    switch (X->type) {
    case TORC_BOOL:
    case TORC_INT8:
    case TORC_UINT8:
        pack<boolean>(device, words, X);
        break;
    case TORC_INT16:
    case TORC_UINT16:
        pack<uint16_t>(device, words, X);
        break;
    case TORC_INT32:
    case TORC_UINT32:
        pack<uint32_t>(device, words, X);
        break;
    case TORC_INT64:
    case TORC_UINT64:
        pack<uint64_t>(device, words, X);
        break;
    case TORC_FP32:
        pack<float>(device, words, X);
        break;
    case TORC_FP64:
        pack<double>(device, words, X);
        break;
    case TORC_FC32:
        pack<torc::complex<float>>(device, words, X);
        break;
    case TORC_FC64:
        pack<torc::complex<double>>(device, words, X);
        break;
    default:
        return TORC_UNSUPPORTED;
    }
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}

torc_status torc_cuda_unpack_bits(torc_device *device, const torc_dense *X, const uint64_t *words)
{
    TORC_ENTER(device);
    if (X->nrows == 0 || X->ncols == 0) {
        return TORC_SUCCESS;
    }
    unpack(device, X, words);
    TORC_TRY_CUDA(device, cudaGetLastError());
    return TORC_SUCCESS;
}
