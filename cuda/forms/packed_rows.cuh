/* packed_rows.cuh: row-major values to packed booleans and back.
 *
 * A thread moves RUN adjacent columns, by accesses of 16 bytes, or 4 of booleans, where rows are aligned to
 * them. Booleans in rows of whole words without gaps between them are one array: a thread moves EACH runs of
 * it. */
#ifndef TORC_PACKED_ROWS_CUH
#define TORC_PACKED_ROWS_CUH

#include "packed_layout.cuh"

namespace torc
{

constexpr int RUN = 16, RUNS = WORD / RUN, EACH = 4;

/* A row-major X: a run to a thread; a block has whole rows, or a part of one. A row's last word may have
 * runs without columns, which have no thread. */
struct run_place {
    int64_t row, run; /* run: in the row */

    static __host__ __device__ int64_t runs_a_row(const packed_layout &x)
    {
        return (x.ncols + RUN - 1) / RUN;
    }

    static __host__ __device__ int rows_a_block(int64_t runs)
    {
        return runs < THREADS ? THREADS / static_cast<int>(runs) : 1;
    }

    static __host__ __device__ int64_t blocks_a_row(int64_t runs)
    {
        return (runs + THREADS - 1) / THREADS;
    }

    __device__ explicit run_place(const packed_layout &x)
    {
        const int64_t all = runs_a_row(x);
        if (all < THREADS) {
            const int runs = static_cast<int>(all), rows = THREADS / runs;
            const int in_block = threadIdx.x / runs;
            row = in_block < rows ? static_cast<int64_t>(blockIdx.x) * rows + in_block : x.nrows;
            run = threadIdx.x % runs;
        } else {
            const unsigned blocks = static_cast<unsigned>(blocks_a_row(all));
            row = blockIdx.x / blocks;
            run = static_cast<int64_t>(blockIdx.x % blocks) * THREADS + threadIdx.x;
        }
    }

    __device__ bool is_inside(const packed_layout &x) const
    {
        return row < x.nrows && run < runs_a_row(x);
    }
};

/* A run of booleans. */
using packable = fragment<uint32_t, RUN / QUAD>;

/* The bits of a run: a product moves those of four bytes side by side. */
inline __device__ unsigned pack_run(const packable &stored)
{
    unsigned run = 0;
#pragma unroll
    for (int q = 0; q < RUN / QUAD; q++) {
        run |= (truth_of(stored.value[q]) * 0x10204080u >> 28) << 4 * q;
    }
    return run;
}

/* A product puts copies of four bits 7 apart, so that each is at the bottom of a byte. */
inline __device__ packable unpack_run(unsigned run)
{
    packable unpacked;
#pragma unroll
    for (int q = 0; q < RUN / QUAD; q++) {
        unpacked.value[q] = (run >> 4 * q & 0xf) * 0x00204081u & 0x01010101u;
    }
    return unpacked;
}

static __global__ void __launch_bounds__(THREADS)
    pack_array(uint16_t *words, const boolean *values, int64_t runs)
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

static __global__ void __launch_bounds__(THREADS)
    unpack_array(uint8_t *values, const uint16_t *words, int64_t runs)
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

/* A run by as wide accesses as its alignment allows, 4 bytes at least, and the end of a row by bytes. left:
 * columns from there on. */
inline __device__ packable load_run(const uint8_t *from, int64_t left, int alignment)
{
    if (alignment == RUN && left >= RUN) {
        return *reinterpret_cast<const packable *>(from);
    }
    packable stored;
#pragma unroll
    for (int q = 0; q < RUN / QUAD; q++, from += QUAD, left -= QUAD) {
        uint32_t quad = 0;
        if (left >= QUAD) {
            quad = *reinterpret_cast<const uint32_t *>(from);
        } else {
            for (int j = 0; j < left; j++) {
                quad |= static_cast<uint32_t>(from[j]) << BYTE * j;
            }
        }
        stored.value[q] = quad;
    }
    return stored;
}

inline __device__ void store_run(uint8_t *to, const packable &run, int64_t left, int alignment)
{
    if (alignment == RUN && left >= RUN) {
        *reinterpret_cast<packable *>(to) = run;
        return;
    }
#pragma unroll
    for (int q = 0; q < RUN / QUAD; q++, to += QUAD, left -= QUAD) {
        if (left >= QUAD) {
            *reinterpret_cast<uint32_t *>(to) = run.value[q];
        } else {
            for (int j = 0; j < left; j++) {
                to[j] = static_cast<uint8_t>(run.value[q] >> BYTE * j);
            }
        }
    }
}

template <class Stored>
static __global__ void __launch_bounds__(THREADS)
    pack_rows(uint16_t *words, const Stored *values, packed_layout x)
{
    const run_place at(x);
    if (!at.is_inside(x)) {
        return;
    }
    const int64_t column = at.run * RUN;
    const Stored *from = values + at.row * x.ld + column;
    unsigned run = 0;
    if (sizeof(Stored) == 1 && x.alignment >= QUAD) {
        run = pack_run(load_run(reinterpret_cast<const uint8_t *>(from), x.ncols - column, x.alignment));
    } else if (x.alignment == 16 && column + RUN <= x.ncols) {
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
    uint16_t *to = words + at.row * x.words * RUNS + at.run;
    *to = static_cast<uint16_t>(run);
    if (column + RUN >= x.ncols) {
        for (int64_t rest = at.run + 1; rest % RUNS != 0; rest++) {
            *++to = 0;
        }
    }
}

static __global__ void __launch_bounds__(THREADS)
    unpack_rows(uint8_t *values, const uint16_t *words, packed_layout x)
{
    const run_place at(x);
    if (!at.is_inside(x)) {
        return;
    }
    const int64_t column = at.run * RUN;
    uint8_t *to = values + at.row * x.ld + column;
    const unsigned run = words[at.row * x.words * RUNS + at.run];
    if (x.alignment >= QUAD) {
        store_run(to, unpack_run(run), x.ncols - column, x.alignment);
    } else {
#pragma unroll
        for (int j = 0; j < RUN; j++) {
            if (column + j < x.ncols) {
                to[j] = run >> j & 1;
            }
        }
    }
}

} // namespace torc

#endif
