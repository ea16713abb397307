/* spmm_kernel.cuh: C = A (+).(x) B, the composition of a partition, a reduction, an access and an update
 * policy over a semiring. Read by nvcc and by NVRTC; spmm_args.h says what the arguments hold.
 *
 * The caller may rely on: every element of C inside nrows x ncols has one writer, and is read before by that
 * one only, and only if the update asks for it; nothing outside is touched; rows without entries count as the
 * monoid's identity, absent; any ncols, aligned as torc_shape asks; a NaN or an infinity in B reaches only
 * results that use it; the same bits on every run. Rows that the mask leaves nothing of gather nothing.
 *
 * Where every column of C is the same, since B is not an array and multiply does not look at j, a row is
 * computed once, as a narrow C of one column, and spread: Spread columns a store; otherwise Spread is 0.
 *
 * main: blocks along x hold groups of threads, along y and z panels of Lanes*Vector columns, so that the
 * groups of one panel run together and its columns of B stay in L2. combine: a thread has Vector adjacent
 * elements of a long row, a block those of a heavy one.
 */
#ifndef TORC_SPMM_KERNEL_CUH
#define TORC_SPMM_KERNEL_CUH

#include "bundled_rows.cuh"
#include "column_panels.cuh"
#include "instructions.cuh"
#include "operators.cuh"
#include "parallel_reduction.cuh"
#include "parallel_segments.cuh"
#include "segment_partition.cuh"
#include "sequential_segments.cuh"
#include "shared_tiles.cuh"
#include "streamed_segments.cuh"
#include "tensor_bricks.cuh"
#include "update.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Presence, class Update, class Offset,
    int Lanes, int Vector, int Ways, int Spread, bool SplitsNonzeros, bool HasPanels, bool CachesRows,
    bool Streams, bool HasTiles, bool Bundles, int Products>
struct spmm_kernel {
    using T = typename Monoid::type;
    using reduced = typename monoid_of_sums<Monoid, Presence::is_array>::type;
    using all_parts = maybe_monoid<Monoid>; /* of a row's parts, where ways may have none */
    static_assert(A::is_present || !Multiply::reads_a, "multiply reads A, and A has no values");
    static_assert(B::is_present || !Multiply::reads_b, "multiply reads B, and B has no values");
    static constexpr int THREADS = Streams ? TORC_STREAM_THREADS : Lanes * Ways; /* of a group */
    static constexpr int SLICES = Streams ? TORC_STREAM_SLICES : 1;              /* of a group */
    static constexpr int BLOCK = Streams        ? TORC_STREAM_THREADS
                                 : HasPanels    ? TORC_PANEL_THREADS
                                 : HasTiles     ? TORC_TILE_THREADS
                                 : Products > 0 ? TORC_BRICK_THREADS
                                                : TORC_BLOCK_THREADS; /* threads of main */
    static constexpr int PARTS =
        SplitsNonzeros ? 4 : 8; /* partials in flight a thread; rows have few slices */
    static_assert(Lanes * Ways <= 32 && (Lanes * Ways & (Lanes * Ways - 1)) == 0, "part of a warp");
    static_assert(!HasPanels || Lanes == 1, "for the narrowest C");
    static_assert(!HasTiles || Lanes == TORC_TILE_LANES, "a line of a row of B");
    static_assert(!Streams || (SplitsNonzeros && Lanes == 1), "warps stream slices, for a narrow C");
    static_assert((Spread == 0 && !HasPanels && !HasTiles && !Streams && !Bundles) ||
                      (Update::is_everywhere && !Presence::is_array),
        "neither a mask nor a bitmap");
    static_assert(!HasTiles || Update::is_plain, "what the plan leaves out is added afterwards");
    static_assert(
        Products == 0 || (Update::is_everywhere && !Presence::is_array), "neither a mask nor a bitmap");
    static_assert(Spread == 0 || (Lanes == 1 && Vector == 1 && !B::is_array), "one column is spread");

    static __device__ void main(const torc_spmm_args &args)
    {
        start_dependents();
        if constexpr (HasPanels) {
            column_panels<Monoid, Multiply, A, B, Update, Offset, Vector, Ways>(args).multiply();
        } else if constexpr (HasTiles) {
            shared_tiles<Monoid, Multiply, A, B, Vector>(args).multiply();
        } else if constexpr (Products > 0) {
            multiply_bricks(args);
        } else if constexpr (SplitsNonzeros || Bundles) {
            multiply_slices(args);
        } else {
            multiply_rows(args);
        }
    }

    /* Blocks along x: groups with SLICES slices, or a bundle, each, then threads for rows without entries. */
    static __device__ void multiply_slices(const torc_spmm_args &args)
    {
        const int64_t groups_a_block = BLOCK / THREADS, slices_a_block = groups_a_block * SLICES;
        const int64_t slices = Bundles ? bundles_of(args) : args.nslices;
        const int64_t blocks = (slices + slices_a_block - 1) / slices_a_block;
        const int64_t panel = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t column = panel * (Lanes * Vector) + threadIdx.x % Lanes * Vector;
        const int64_t last = args.ncols - Vector;
        if (blockIdx.x < blocks) {
            const int64_t slice = blockIdx.x * groups_a_block + threadIdx.x / THREADS;
            if (slice * SLICES < slices && panel * (Lanes * Vector) < args.ncols) { /* the whole group */
                const slice_share<reduced, Vector, Update, SLICES> own{
                    args, slice, keep(column < last ? column : last), keep(column <= last)};
                if constexpr (Bundles) {
                    bundled_rows<reduced, Multiply, A, B, Presence, Update, Offset, Lanes, Vector>{own}
                        .reduce();
                } else if constexpr (Streams) {
                    streamed_segments<Monoid, Multiply, A, B, Update, Vector>{
                        own, lane_group<32>(threadIdx.x)}
                        .reduce();
                } else if constexpr (Ways > 1) {
                    using reduction =
                        parallel_segments<reduced, Multiply, A, B, Presence, Update, Lanes, Vector, Ways>;
                    reduction{{own}, lane_group<THREADS>(threadIdx.x)}.reduce();
                } else {
                    sequential_segments<reduced, Multiply, A, B, Presence, Update, Lanes, Vector, 4>{own}
                        .reduce();
                }
            }
            return;
        }
        const int64_t rows_a_block = TORC_EMPTY_ROWS / Lanes;
        const int64_t first = args.nonempty_rows + (blockIdx.x - blocks) * rows_a_block;
        const int64_t end = first + rows_a_block < args.nrows ? first + rows_a_block : args.nrows;
        fragment<T, Vector> identity;
        fragment<bool, Vector> absent;
        identity.fill(Monoid::identity());
        absent.fill(false);
        for (int64_t place = first + threadIdx.x / Lanes; place < end && column <= last;
             place += BLOCK / Lanes) {
            const int64_t at = args.rows[place] * args.ldc + column;
            Update::store(args, at, identity, absent, Update::template allowed<Vector>(args, at));
        }
    }

    static __device__ void multiply_bricks(const torc_spmm_args &args)
    {
        const int64_t piece = static_cast<int64_t>(blockIdx.x) * TORC_BRICK_GROUP + threadIdx.x / 32;
        if (piece < args.bricks.npieces) { /* the whole warp */
            tensor_bricks<Monoid, Multiply, A, B, Update, Lanes, Vector, Products>(args, piece).multiply();
        }
    }

    static __device__ void multiply_rows(const torc_spmm_args &args)
    {
        const int64_t groups_a_block = TORC_BLOCK_THREADS / THREADS;
        const int64_t panel = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t first_column = panel * (Lanes * Vector);
        const share<T> own = share_of<T, Offset>(args, blockIdx.x * groups_a_block + threadIdx.x / THREADS);
        if (!own.result || first_column >= args.ncols) {
            return; /* the whole group */
        }

        const lane_group<THREADS> group(threadIdx.x);
        const lane_group<Lanes> lanes(threadIdx.x);
        const int way = group.lane / Lanes;
        const int64_t column = first_column + lanes.lane * Vector, last = args.ncols - Vector;
        const int64_t at = own.row * args.ldc + column;
        fragment<bool, Vector> allowed, present;
        allowed.fill(false);
        if (column <= last) {
            allowed = Update::template allowed<Vector>(args, at);
        }
        fragment<T, Vector> result;
        if (own.count == 0 || (Update::has_mask && !group.any(any(allowed)))) {
            result.fill(Monoid::identity());
            present.fill(false);
        } else {
            /* A lane beyond the last column reads what the last one inside reads, and stores nothing. */
            const int64_t first = keep(column < last ? column : last);
            const parallel_reduction<reduced, Multiply, A, B, Presence, Lanes, Vector, Ways, CachesRows>
                reduction{group, {lanes, A(args.a, own.begin + way), args.col_idx + own.begin + way,
                                     B(args.b, first, args.ldb), Presence(args.b_bitmap, first, args.ldb),
                                     args.row_names ? args.row_names[own.row] : own.row,
                                     args.first_column + first, allowed}};
            result = values_of<reduced>(reduction.reduce(own.count), present);
        }
        if constexpr (Spread > 0) {
            fragment<T, Spread> spread;
            spread.fill(group.broadcast(result.value[0], 0));
            fragment<bool, Spread> is_there, all;
            is_there.fill(own.count > 0);
            all.fill(true);
            for (int64_t j = group.lane * Spread; j < args.ncols; j += THREADS * Spread) {
                if (Update::is_plain || own.is_segment) {
                    *reinterpret_cast<fragment<T, Spread> *>(own.result + j) = spread;
                } else {
                    Update::store(args, own.row * args.ldc + j, spread, is_there, all);
                }
            }
            return;
        }
        if (way > 0 || column > last) {
            return;
        }
        if (Update::is_plain || own.is_segment) {
            store_once(own.result + column, result);
        } else {
            Update::store(args, at, result, present, allowed);
        }
        if constexpr (Presence::is_array) {
            if (own.is_segment) {
                const T *partials = static_cast<const T *>(args.partials);
                uint8_t *bitmap = args.partial_bitmap + (own.result - partials) + column;
                *reinterpret_cast<fragment<bool, Vector> *>(bitmap) = present;
            }
        }
    }

    using parts_sums = fragment<typename all_parts::type, Vector>;

    /* Of all parts of a long row, every `step`-th from `first` on. column: of the thread's vector. */
    static __device__ parts_sums fold_parts(
        const torc_spmm_args &args, const torc_long_row &row, int64_t first, int64_t step, int64_t column)
    {
        const T *partials = static_cast<const T *>(args.partials) + column;
        parts_sums result;
        result.fill(all_parts::start());
        for (int64_t part = first; part < row.last; part += PARTS * step) {
            fragment<T, Vector> partial[PARTS];
            fragment<bool, Vector> is_there[PARTS];
#pragma unroll
            for (int u = 0; u < PARTS; u++) { /* all loaded before the first is used; the last one again */
                const int64_t next = part + u * step, in_row = next < row.last ? next : part;
                const int64_t from =
                    (SplitsNonzeros ? partial_of(in_row, in_row == row.first) : in_row) * args.ncols;
                partial[u] = *reinterpret_cast<const fragment<T, Vector> *>(partials + from);
                is_there[u].fill(true);
                if constexpr (Presence::is_array) {
                    is_there[u] = *reinterpret_cast<const fragment<bool, Vector> *>(
                        args.partial_bitmap + from + column);
                }
            }
#pragma unroll
            for (int u = 0; u < PARTS; u++) {
                if (part + u * step < row.last) {
#pragma unroll
                    for (int v = 0; v < Vector; v++) {
                        if (is_there[u].value[v]) {
                            const typename all_parts::type part(partial[u].value[v]);
                            result.value[v] = all_parts::add(result.value[v], part);
                        }
                    }
                }
            }
        }
        return result;
    }

    /* A block a row and Lanes vectors of it: the threads of a vector take the parts in turns, and a tree adds
     * up what they have, in an order that does not depend on how many columns C has. */
    static __device__ void combine_heavy(const torc_spmm_args &args, int64_t vectors, int64_t block)
    {
        /* Of large user-defined values one thread a vector takes all parts. */
        constexpr bool is_shared = sizeof(fragment<T, Vector>) <= 16;
        alignas(16) __shared__ unsigned char memory[is_shared ? TORC_BLOCK_THREADS * sizeof(parts_sums) : 16];
        auto *sums = reinterpret_cast<parts_sums *>(memory);
        const int64_t panels = (vectors + Lanes - 1) / Lanes;
        const torc_long_row row = parts_of<SLICES>(args.long_rows[block / panels]);
        const int64_t vector = block % panels * Lanes + threadIdx.x % Lanes;
        const int64_t column = (vector < vectors ? vector : vectors - 1) * Vector;
        const int way = threadIdx.x / Lanes;
        int ways = is_shared ? TORC_BLOCK_THREADS / Lanes : 1;
        while (ways / 2 >= row.last - row.first) {
            ways /= 2;
        }
        if (way >= ways) {
            return;
        }
        parts_sums result = fold_parts(args, row, row.first + way, ways, column);
        for (int step = ways / 2; step > 0; step /= 2) {
            sums[threadIdx.x] = result;
            __syncthreads();
            if (way < step) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    const auto &other = sums[threadIdx.x + step * Lanes];
                    result.value[v] = all_parts::add(result.value[v], other.value[v]);
                }
            }
            __syncthreads();
        }
        if (way == 0 && vector < vectors) {
            const int64_t at = row.row * args.ldc + column;
            store_sums(args, at, result, Update::template allowed<Vector>(args, at));
        }
    }

    static __device__ void store_sums(const torc_spmm_args &args, int64_t at, const parts_sums &result,
        const fragment<bool, Vector> &allowed)
    {
        fragment<bool, Vector> is_there;
        const fragment<T, Vector> values = values_of<Monoid>(result, is_there);
        Update::store(args, at, values, is_there, allowed);
    }

    static __device__ void combine(const torc_spmm_args &args)
    {
        wait_for_main();
        const int64_t vectors = args.ncols / Vector; /* a row */
        int64_t block = blockIdx.x, first_row = 0;
        if constexpr (SplitsNonzeros) {
            first_row = args.nheavy_rows;
            const int64_t heavy = first_row * ((vectors + Lanes - 1) / Lanes);
            if (block < heavy) {
                combine_heavy(args, vectors, block);
                return;
            }
            block -= heavy;
        }
        const int64_t which = block * TORC_BLOCK_THREADS + threadIdx.x;
        if (which >= (args.nlong_rows - first_row) * vectors) {
            return;
        }
        const torc_long_row row = parts_of<SLICES>(args.long_rows[first_row + which / vectors]);
        if (SLICES > 1 && row.last - row.first == 1) {
            return;
        }
        const int64_t column = which % vectors * Vector, at = row.row * args.ldc + column;
        const fragment<bool, Vector> allowed = Update::template allowed<Vector>(args, at);
        parts_sums result;
        result.fill(all_parts::start());
        if (any(allowed)) {
            result = fold_parts(args, row, row.first, 1, column);
        }
        store_sums(args, at, result, allowed);
    }
};

} // namespace torc

#endif
