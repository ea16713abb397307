/* combined_parts.cuh: the kernel that combines the partials of long rows, in their order: a thread has Vector
 * adjacent elements of a row, a block those of a heavy one. It may begin while main ends, and reads before
 * its turn which rows they are: main has begun, so they are there. Read by nvcc and by NVRTC.
 *
 * Parts: segment_parts, or slice_parts: where the partials of a row lie.
 */
#ifndef TORC_COMBINED_PARTS_CUH
#define TORC_COMBINED_PARTS_CUH

#include "maybe.cuh"
#include "operand_access.cuh"
#include "segment_partition.cuh"
#include "spmm_args.h"

namespace torc
{

template <class Product, int Vector, class Parts>
struct combined_parts {
    using Monoid = typename Product::Monoid;
    using Presence = typename Product::Presence;
    using Update = typename Product::Update;
    using T = typename Monoid::type;
    using all_parts = maybe_monoid<Monoid>; /* of a row's parts, where ways may have none */
    using parts_sums = fragment<typename all_parts::type, Vector>;

    /* Of all parts of a long row, every `step`-th from `first` on. column: of the thread's vector. */
    static __device__ parts_sums fold_parts(
        const torc_spmm_args &args, const torc_split_row &row, int64_t first, int64_t step, int64_t column)
    {
        const T *partials = static_cast<const T *>(args.partials) + column;
        parts_sums result;
        result.fill(all_parts::start());
        for (int64_t part = first; part < row.last; part += Parts::IN_FLIGHT * step) {
            fragment<T, Vector> partial[Parts::IN_FLIGHT];
            fragment<bool, Vector> is_there[Parts::IN_FLIGHT];
#pragma unroll
            for (int u = 0; u < Parts::IN_FLIGHT;
                 u++) { /* all loaded before the first is used; the last one again */
                const int64_t next = part + u * step, in_row = next < row.last ? next : part;
                const int64_t from = Parts::place_of(in_row, in_row == row.first) * args.ncols;
                partial[u] = *reinterpret_cast<const fragment<T, Vector> *>(partials + from);
                is_there[u].fill(true);
                if constexpr (Presence::is_array) {
                    is_there[u] = *reinterpret_cast<const fragment<bool, Vector> *>(
                        args.partial_bitmap + from + column);
                }
            }
#pragma unroll
            for (int u = 0; u < Parts::IN_FLIGHT; u++) {
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

    /* A block a row and heavy_lanes vectors of it: the threads of a vector take the parts in turns, and a
     * tree adds up what they have, in an order that does not depend on how many columns C has. */
    static __device__ void combine_heavy(const torc_spmm_args &args, int64_t vectors, int64_t block)
    {
        const int lanes = args.heavy_lanes;
        /* Of large user-defined values one thread a vector takes all parts. */
        constexpr bool is_shared = sizeof(fragment<T, Vector>) <= 16;
        alignas(16) __shared__ unsigned char memory[is_shared ? TORC_BLOCK_THREADS * sizeof(parts_sums) : 16];
        auto *sums = reinterpret_cast<parts_sums *>(memory);
        const int64_t spans = (vectors + lanes - 1) / lanes;
        const torc_split_row row = Parts::parts_of(args.split_rows[block / spans]);
        const int64_t vector = block % spans * lanes + threadIdx.x % lanes;
        const int64_t column = (vector < vectors ? vector : vectors - 1) * Vector;
        const int way = threadIdx.x / lanes;
        int ways = is_shared ? TORC_BLOCK_THREADS / lanes : 1;
        while (ways / 2 >= row.last - row.first) {
            ways /= 2;
        }
        take_turn();
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
                    const auto &other = sums[threadIdx.x + step * lanes];
                    result.value[v] = all_parts::add(result.value[v], other.value[v]);
                }
            }
            __syncthreads();
        }
        if (way == 0 && vector < vectors) {
            const int64_t at = row_of_c(args, row.row) * args.ldc + column;
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
        const int64_t vectors = args.ncols / Vector; /* a row */
        int64_t block = blockIdx.x, first_row = 0;
        if constexpr (Parts::HAS_HEAVY_ROWS) {
            first_row = args.nheavy_rows;
            const int64_t heavy = first_row * ((vectors + args.heavy_lanes - 1) / args.heavy_lanes);
            if (block < heavy) {
                combine_heavy(args, vectors, block);
                return;
            }
            block -= heavy;
        }
        const int64_t which = block * TORC_BLOCK_THREADS + threadIdx.x;
        const bool has_row = which < (args.nsplit_rows - first_row) * vectors;
        const torc_split_row row =
            Parts::parts_of(args.split_rows[has_row ? first_row + which / vectors : first_row]);
        take_turn();
        if (!has_row || (Parts::MAY_BE_WHOLE && row.last - row.first == 1)) {
            return;
        }
        const int64_t column = which % vectors * Vector, at = row_of_c(args, row.row) * args.ldc + column;
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
