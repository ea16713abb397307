/* row_split.cuh: the families of a row split that gathers rows of B: a group owns a row of A, or a segment of
 * a long one. Read by nvcc and by NVRTC.
 *
 *     rows             its entries one after another, handed round by shuffles
 *     cached_rows      the same, staged in shared memory
 *     parallel_rows    Ways entries at once
 *     uniform_rows     every column of C is the same: Ways entries at once make one column, which is spread,
 *                      Vector columns a store
 */
#ifndef TORC_ROW_SPLIT_CUH
#define TORC_ROW_SPLIT_CUH

#include "maybe.cuh"
#include "parallel_reduction.cuh"
#include "segment_partition.cuh"
#include "update.cuh"

namespace torc
{

/* A vector of what a share adds up to, from that column on: of C, where it is allowed, or of the partials. */
template <class Update, class Presence, class T, int Vector>
__device__ void store_vector(const torc_spmm_args &args, const share<T> &own, int64_t column,
    const fragment<T, Vector> &result, const fragment<bool, Vector> &present,
    const fragment<bool, Vector> &allowed)
{
    if (Update::is_plain || own.is_segment) {
        store_once(own.result + column, result);
    } else {
        Update::store(args, own.row * args.ldc + column, result, present, allowed);
    }
    if constexpr (Presence::is_array) {
        if (own.is_segment) {
            const T *partials = static_cast<const T *>(args.partials);
            uint8_t *bitmap = args.partial_bitmap + (own.result - partials) + column;
            *reinterpret_cast<fragment<bool, Vector> *>(bitmap) = present;
        }
    }
}

/* Blocks along x hold groups of threads, along y and z spans of Lanes * Vector columns, so that the groups
 * of one span run together and its columns of B stay in L2. Spread: columns a store where they are uniform;
 * else 0. */
template <class Product, int Lanes, int Vector, int Ways, bool CachesRows, int Spread>
struct row_split {
    using Monoid = typename Product::Monoid;
    using Presence = typename Product::Presence;
    using Update = typename Product::Update;
    using A = typename Product::Sparse;
    using B = typename Product::Dense;
    using T = typename Monoid::type;
    using reduced = typename monoid_of_sums<Monoid, Presence::is_array>::type;
    static constexpr int THREADS = Lanes * Ways; /* of a group */
    static_assert(THREADS <= 32 && (THREADS & (THREADS - 1)) == 0, "part of a warp");
    static_assert(Spread == 0 || (Lanes == 1 && Vector == 1 && !B::is_array), "one column is spread");

    static __device__ void multiply(const torc_spmm_args &args)
    {
        const int64_t groups_a_block = TORC_BLOCK_THREADS / THREADS;
        multiply(args,
            share_of<T, typename Product::Offset>(args, blockIdx.x * groups_a_block + threadIdx.x / THREADS));
    }

    static __device__ void multiply(const torc_spmm_args &args, const share<T> &own)
    {
        const int64_t span = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t first_column = span * (Lanes * Vector);
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
            const parallel_reduction<reduced, typename Product::Multiply, A, B, Presence, Lanes, Vector, Ways,
                CachesRows>
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
        store_vector<Update, Presence>(args, own, column, result, present, allowed);
    }
};

template <int Lanes, int Vector, int Ways, bool CachesRows, int Spread>
struct row_family {
    static constexpr int BLOCK = TORC_BLOCK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = Spread == 0;
    using parts = segment_parts;

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        row_split<Product, Lanes, Vector, Ways, CachesRows, Spread>::multiply(args);
    }
};

template <int Lanes, int Vector, int>
using rows = row_family<Lanes, Vector, 1, false, 0>;

template <int Lanes, int Vector, int>
using cached_rows = row_family<Lanes, Vector, 1, true, 0>;

template <int Lanes, int Vector, int Ways>
using parallel_rows = row_family<Lanes, Vector, Ways, false, 0>;

template <int Lanes, int Vector, int Ways>
using uniform_rows = row_family<Lanes, 1, Ways, false, Vector>;

} // namespace torc

#endif
