/* shared_tiles.cuh: the partition and reduction of a row split whose rows share rows of B: a block keeps
 * those that several of its rows name in shared memory, tile by tile. Read by nvcc and by NVRTC.
 *
 *                      tile 0: the columns most named      tile 1: less named
 *     block   row 17     x x xx x xx                         x    x
 *             row 4      xx x x  xx                            x   x          x: an entry of a shared column
 *             row 99     x xx   x x                          x
 *
 * A block has TORC_TILE_ROWS rows, or parts of rows, at most, and a span of columns, 128 bytes of a row, or
 * several one after another (TORC_TILE_GOES_ON). Its last warps copy a tile's rows of B into one of two
 * buffers, while the others work on the tile in the other: each has 32 rows, a group of TORC_TILE_LANES
 * threads 8 of them, a thread 16 bytes of each in registers. It takes them up slot by slot, a step at a time:
 * 4 entries of a row of each group, fewer where the row has no more. A step is the same for all lanes of a
 * group, so A's entries pass through shared memory too, a batch of steps at once, the next one on its way to
 * L2. Warps meet the others at a tile's end alone, through barriers, and may be a tile ahead. spmm_args.h
 * draws the plan, tile_csr.cu makes it.
 *
 * Each entry costs 128 bytes of shared memory's bandwidth in place of as many of L2's. Measured on an H200, N
 * = 128, fp32: 200,000 rows of 500 in 50,000 columns take 3.3 ms instead of 5.0
 * (bench/results/2026-11-21-h200-reuse.txt, of a prototype).
 *
 * The sum of a row, or of a piece of a long one, goes to C as it is; what the plan left out is added to it by
 * another launch. So a row whose entries all are left out gets what the monoid starts from.
 */
#ifndef TORC_SHARED_TILES_CUH
#define TORC_SHARED_TILES_CUH

#include "lane_group.cuh"
#include "operand_access.cuh"
#include "operators.cuh"
#include "segment_partition.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, int Vector>
struct shared_tiles {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    using values = fragment<typename A::stored, TORC_TILE_STEP>; /* of a step of a group */
    using row_of_b = fragment<typename B::stored, Vector>;
    static constexpr int WARP = 32, SLOTS = TORC_TILE_SLOTS, LINE = TORC_TILE_LINE;
    static constexpr int SPAN = TORC_TILE_LANES * Vector; /* columns */
    static constexpr int STAGES = 2, TILE = TORC_TILE_COLUMNS * LINE;
    static constexpr uint32_t FIRST = TORC_TILE_IS_ENTRY, SECOND = FIRST << 16; /* of two positions */
    static constexpr uint32_t FACTORS = 0x80000080; /* of both, a byte each, as dp2a has it */
    static constexpr int STEP_POSITIONS = TORC_TILE_POSITIONS / TORC_TILE_BATCH;
    static constexpr int STEP_VALUES = A::is_array ? TORC_TILE_GROUPS * sizeof(values) : 0;
    static constexpr int BATCH_VALUES = TORC_TILE_BATCH * STEP_VALUES; /* bytes */
    static constexpr int CHUNKS = BATCH_VALUES / (WARP * 16);          /* of a lane */
    static_assert((FACTORS & 0xff) == LINE && FACTORS >> 24 == LINE, "a position counts lines");
    static_assert(B::is_array && !Monoid::takes_one && !Multiply::is_positional, "all entries read B");
    static_assert(Monoid::has_start, "sums begin before their first term is known");
    static_assert(sizeof(row_of_b) == 16 && sizeof(fragment<T, Vector>) == 16, "a line of 8 lanes");
    static_assert(!A::is_array || STEP_VALUES % 64 == 0, "values of 4 bytes, or of 8");
    static_assert(STAGES * TILE + TORC_TILE_WARPS * (TORC_TILE_POSITIONS + BATCH_VALUES) + STAGES * 16 ==
                      TORC_TILE_SHARED_BYTES(A::is_array ? static_cast<int>(sizeof(typename A::stored)) : 0),
        "what a block is given");

    /* Where things are in shared memory. */
    struct room {
        uint32_t tiles, positions, values, full, empty;

        __device__ room()
            : tiles(shared_address(dynamic_shared())), positions(tiles + STAGES * TILE),
              values(positions + TORC_TILE_WARPS * TORC_TILE_POSITIONS),
              full(values + TORC_TILE_WARPS * BATCH_VALUES), empty(full + STAGES * 8)
        {
        }
    };

    const torc_spmm_args &args;
    room shared;
    int warp, lane;
    uint32_t first_tile, ntiles;
    int64_t first_column;           /* of the span at hand */
    typename A::stored every_value; /* of A, where it is no array */

    __device__ explicit shared_tiles(const torc_spmm_args &given)
        : args(given), warp(threadIdx.x / WARP), lane(threadIdx.x % WARP),
          first_tile(args.tiles.tile_begin[blockIdx.x]),
          ntiles(args.tiles.tile_begin[blockIdx.x + 1] - first_tile),
          first_column((static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y) * SPAN), every_value()
    {
        if constexpr (A::is_present && !A::is_array) {
            every_value = *static_cast<const typename A::stored *>(args.a);
        }
    }

    /* The first column of C that the lane has: beyond the last vector it reads what that one reads. */
    __device__ int64_t column() const
    {
        return first_column + lane % TORC_TILE_LANES * Vector;
    }

    /* Blocks of a launch have the spans by turns: the block's next one, if there is one. */
    __device__ bool next_span()
    {
        if constexpr (!TORC_TILE_GOES_ON(Vector)) {
            return false;
        }
        first_column += static_cast<int64_t>(gridDim.z) * gridDim.y * SPAN;
        return first_column < args.ncols;
    }

    /* ---- Tiles -------------------------------------------------------------------------------------- */

    /* A warp of those that fill has a share of each tile's rows; 8 lanes copy one. `filled`: tiles of spans
     * before this one. */
    __device__ void fill_tiles(uint32_t filled) const
    {
        constexpr int SHARE = TORC_TILE_COLUMNS / TORC_TILE_FILLERS, HELD = SHARE / WARP, ROWS = 4;
        const int own = (warp - TORC_TILE_WARPS) * SHARE, sub = lane / TORC_TILE_LANES;
        const int64_t last = args.ncols - Vector;
        const B b(args.b, column() < last ? column() : last, args.ldb);
        const uint32_t *columns =
            args.tiles.columns + static_cast<int64_t>(first_tile) * TORC_TILE_COLUMNS + own + lane;
        const uint32_t to = shared.tiles + (own + sub) * LINE + lane % TORC_TILE_LANES * 16;
        int left = static_cast<int>(args.tiles.ncolumns[blockIdx.x]) - own - sub;
        for (uint32_t t = filled; t < filled + ntiles; t++) {
            const uint32_t stage = t % STAGES;
            uint32_t held[HELD];
#pragma unroll
            for (int h = 0; h < HELD; h++) {
                held[h] = columns[h * WARP];
            }
            if (t >= STAGES) {
                wait_for_phase(shared.empty + stage * 8, t / STAGES - 1);
            }
#pragma unroll
            for (int i = 0; i < SHARE / ROWS; i++) {
                const uint32_t k = __shfl_sync(~0u, held[i * ROWS / WARP], i * ROWS % WARP + sub);
                if (i * ROWS < left) {
                    copy_async_16(to + stage * TILE + i * (ROWS * LINE), b.row(k));
                }
            }
            arrive_with_copies(shared.full + stage * 8);
            columns += TORC_TILE_COLUMNS;
            left -= TORC_TILE_COLUMNS;
        }
    }

    /* ---- Entries ------------------------------------------------------------------------------------ */

    /* A step's entries of the group: their values, and their rows of B from `line` on. */
    __device__ void fold_step(fragment<T, Vector> &sum, uint4 (&lines)[2], uint32_t positions,
        uint32_t from_values, uint32_t line) const
    {
        const uint2 pairs = load_shared<uint2>(positions);
        values x;
        if constexpr (A::is_array) {
            uint4 chunks[sizeof(values) / 16];
#pragma unroll
            for (int c = 0; c < static_cast<int>(sizeof(values) / 16); c++) {
                chunks[c] = load_shared<uint4>(from_values + c * 16);
            }
            memcpy(&x, chunks, sizeof x);
        } else {
            x.fill(every_value);
        }
        load_line<FIRST>(lines[0], pairs.x, line);
        load_line<SECOND>(lines[1], pairs.x, line);
        fold<FIRST>(sum, x.value[0], lines[0], pairs.x);
        load_line<FIRST>(lines[0], pairs.y, line);
        fold<SECOND>(sum, x.value[1], lines[1], pairs.x);
        load_line<SECOND>(lines[1], pairs.y, line);
        fold<FIRST>(sum, x.value[2], lines[0], pairs.y);
        fold<SECOND>(sum, x.value[3], lines[1], pairs.y);
    }

    template <uint32_t Which>
    static __device__ void load_line(uint4 &to, uint32_t pair, uint32_t line)
    {
        load_shared_if<Which>(
            to, Which == FIRST ? __dp2a_lo(pair, FACTORS, line) : __dp2a_hi(pair, FACTORS, line), pair);
    }

    template <uint32_t Which>
    static __device__ void fold(
        fragment<T, Vector> &sum, const typename A::stored &x, const uint4 &line, uint32_t pair)
    {
        row_of_b y;
        memcpy(&y, &line, sizeof y);
        if (bits_of<Which>(pair)) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                sum.value[v] = Monoid::add(
                    sum.value[v], Multiply::multiply(caster<X>::cast(x), caster<Y>::cast(y.value[v])));
            }
        }
    }

    /* The warp's next batch to shared memory, the one after it to L2. */
    __device__ void take_batch(const unsigned char *&batches) const
    {
        constexpr int LINES = (TORC_TILE_POSITIONS + BATCH_VALUES) / LINE;
        const uint2 positions = __ldg(reinterpret_cast<const uint2 *>(batches) + lane);
        uint4 chunks[CHUNKS > 0 ? CHUNKS : 1];
#pragma unroll
        for (int c = 0; c < CHUNKS; c++) {
            chunks[c] =
                __ldg(reinterpret_cast<const uint4 *>(batches + TORC_TILE_POSITIONS) + c * WARP + lane);
        }
        batches += args.tiles.batch_size;
        if (lane < LINES) {
            prefetch(batches + lane * LINE);
        }
        __syncwarp(); /* all lanes are done with the batch before */
        store_shared(shared.positions + warp * TORC_TILE_POSITIONS + lane * 8, positions);
#pragma unroll
        for (int c = 0; c < CHUNKS; c++) {
            store_shared(shared.values + warp * BATCH_VALUES + (c * WARP + lane) * 16, chunks[c]);
        }
        __syncwarp();
    }

    __device__ void fold_tiles(fragment<T, Vector> (&sums)[SLOTS], uint32_t folded) const
    {
        const torc_tiles &plan = args.tiles;
        const int group = lane / TORC_TILE_LANES;
        const auto *steps = reinterpret_cast<const uint2 *>(plan.steps) +
                            static_cast<int64_t>(first_tile) * TORC_TILE_WARPS +
                            static_cast<int64_t>(warp) * ntiles;
        const unsigned char *batches =
            plan.batches + plan.batch_begin[blockIdx.x * TORC_TILE_WARPS + warp] * plan.batch_size;
        /* Of the batch at hand the group reads positions from `positions | at % TORC_TILE_POSITIONS` on, at
         * the k-th step at = k * STEP_POSITIONS; values lie as much further on as they are larger. */
        const uint32_t positions = keep(shared.positions + warp * TORC_TILE_POSITIONS + group * 8);
        const uint32_t from_values = shared.values + warp * BATCH_VALUES + group * sizeof(values) -
                                     positions * (STEP_VALUES / STEP_POSITIONS);
        uint32_t at = 0;
        uint4 lines[2] = {};
        take_batch(batches);
        for (uint32_t t = folded; t < folded + ntiles; t++) {
            const uint32_t stage = t % STAGES;
            /* What positions say is counted from TORC_TILE_IS_ENTRY on. */
            const uint32_t line =
                shared.tiles + stage * TILE + lane % TORC_TILE_LANES * 16 - TORC_TILE_IS_ENTRY * LINE;
            const uint2 counts = __ldg(steps + (t - folded));
            wait_for_phase(shared.full + stage * 8, t / STAGES);
#pragma unroll
            for (int j = 0; j < SLOTS; j++) {
                const uint32_t count = (j < 4 ? counts.x : counts.y) >> j % 4 * 8 & 0xff; /* of steps */
#pragma unroll 1
                for (uint32_t end = at + count * STEP_POSITIONS; at != end;) {
                    const uint32_t here = at % TORC_TILE_POSITIONS | positions;
                    fold_step(
                        sums[j], lines, here, here * (STEP_VALUES / STEP_POSITIONS) + from_values, line);
                    at += STEP_POSITIONS;
                    if (at % TORC_TILE_POSITIONS == 0) { /* the batch is done */
                        take_batch(batches);
                    }
                }
            }
            /* Lane 0 arrives for all: their reads come before, by __syncwarp. compute-sanitizer's racecheck
             * does not see that, and reports hazards of the other lanes where rows are uneven (H200, CUDA
             * 13.0); if each lane arrives it reports none. */
            __syncwarp();
            if (lane == 0) {
                arrive(shared.empty + stage * 8);
            }
        }
    }

    __device__ void store_rows(const fragment<T, Vector> (&sums)[SLOTS]) const
    {
        const uint32_t *owners = args.tiles.owners + static_cast<int64_t>(blockIdx.x) * TORC_TILE_ROWS +
                                 (threadIdx.x / TORC_TILE_LANES) * SLOTS;
        if (column() >= args.ncols) {
            return;
        }
#pragma unroll
        for (int j = 0; j < SLOTS; j++) {
            const uint32_t owner = owners[j], row = owner & ~(TORC_TILE_IS_PARTIAL | TORC_TILE_IS_EMPTY);
            if (owner == TORC_TILE_NOBODY) {
                continue;
            }
            fragment<T, Vector> sum = sums[j];
            if (owner & TORC_TILE_IS_EMPTY) {
                sum.fill(Monoid::identity());
            }
            T *to = owner & TORC_TILE_IS_PARTIAL ? static_cast<T *>(args.partials) + row * args.ncols
                                                 : static_cast<T *>(args.c) + row_of_c(args, row) * args.ldc;
            *reinterpret_cast<fragment<T, Vector> *>(to + column()) = sum;
        }
    }

    __device__ void multiply()
    {
        if (threadIdx.x == 0) {
            for (int stage = 0; stage < STAGES; stage++) {
                begin_barrier(shared.full + stage * 8, WARP * TORC_TILE_FILLERS);
                begin_barrier(shared.empty + stage * 8, TORC_TILE_WARPS);
            }
        }
        __syncthreads();
        uint32_t done = 0; /* tiles of the spans so far */
        if (warp >= TORC_TILE_WARPS) {
            do {
                fill_tiles(done);
                done += ntiles;
            } while (next_span());
            return;
        }
        do {
            fragment<T, Vector> sums[SLOTS];
#pragma unroll
            for (int j = 0; j < SLOTS; j++) {
                sums[j].fill(Monoid::start());
            }
            fold_tiles(sums, done);
            store_rows(sums);
            done += ntiles;
        } while (next_span());
    }
};

template <int Lanes, int Vector, int>
struct tiles {
    static constexpr int BLOCK = TORC_TILE_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = false;
    using parts = segment_parts;
    static_assert(Lanes == TORC_TILE_LANES, "a line of a row of B");

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        static_assert(P::Update::is_plain, "what the plan leaves out is added afterwards");
        shared_tiles<typename P::Monoid, typename P::Multiply, typename P::Sparse, typename P::Dense, Vector>(
            args)
            .multiply();
    }
};

} // namespace torc

#endif
