/* block_rows.cuh: the family of a row split that gives a long row a whole block, for matrices that are waited
 * for because of a few such rows. Read by nvcc and by NVRTC.
 *
 *     blocks    0 .. nsegments-1    a long row each, or a piece of one
 *               then                groups of Lanes * Ways threads, a row each; nothing to do for a long one
 *
 * The ways of TORC_PIECE_GROUPS groups take turns in the entries of a piece. Each group combines its own by
 * shuffles, then the lanes of the first way those of the groups, from shared memory: together one tree over
 * all ways, which is the same however many lanes a way has. A group is a warp; where it is left with fewer
 * lanes, for a part of C's columns, some threads of the block have nothing to do.
 */
#ifndef TORC_BLOCK_ROWS_CUH
#define TORC_BLOCK_ROWS_CUH

#include "row_split.cuh"

namespace torc
{

template <class Product, int Lanes, int Vector, int Ways>
struct block_row {
    using Monoid = typename Product::Monoid;
    using Presence = typename Product::Presence;
    using Update = typename Product::Update;
    using A = typename Product::Sparse;
    using B = typename Product::Dense;
    using T = typename Monoid::type;
    using reduced = typename monoid_of_sums<Monoid, Presence::is_array>::type;
    using sums = fragment<typename reduced::type, Vector>;
    static constexpr int THREADS = Lanes * Ways, GROUPS = TORC_PIECE_GROUPS, ALL = GROUPS * Ways;
    using reduction = parallel_reduction<reduced, typename Product::Multiply, A, B, Presence, Lanes, Vector,
        Ways, false, ALL>;

    /* Of the groups' sums, as a tree over all ways goes on. In threads of the first group's first way. */
    static __device__ sums add_groups(const sums *of_group, int count)
    {
        sums own[GROUPS];
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
            own[g] = of_group[g * Lanes];
        }
#pragma unroll
        for (int step = 1; step < GROUPS; step *= 2) {
#pragma unroll
            for (int g = 0; g < GROUPS; g += 2 * step) {
                if ((g + step) * Ways < count) {
#pragma unroll
                    for (int v = 0; v < Vector; v++) {
                        own[g].value[v] = reduced::add(own[g].value[v], own[g + step].value[v]);
                    }
                }
            }
        }
        return own[0];
    }

    static __device__ void multiply(const torc_spmm_args &args)
    {
        alignas(16) __shared__ unsigned char memory[GROUPS * Lanes * sizeof(sums)];
        const int64_t span = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t first_column = span * (Lanes * Vector);
        const int number = threadIdx.x / THREADS; /* of the group */
        if (first_column >= args.ncols) {
            return;
        }
        const share<T> own = share_of_segment<T>(args, blockIdx.x, blockIdx.x < args.nsplit_segments);
        const lane_group<THREADS> group(threadIdx.x);
        const lane_group<Lanes> lanes(threadIdx.x);
        const int way = threadIdx.x / Lanes;
        const int64_t column = first_column + lanes.lane * Vector, last = args.ncols - Vector;
        fragment<bool, Vector> allowed, present;
        allowed.fill(false);
        if (column <= last) {
            allowed = Update::template allowed<Vector>(args, own.row * args.ldc + column);
        }
        const bool is_wanted = !Update::has_mask || group.any(any(allowed)); /* for all groups alike */
        auto *of_group = reinterpret_cast<sums *>(memory) + lanes.lane;
        if (is_wanted && number < GROUPS) {
            /* A lane beyond the last column reads what the last one inside reads, and stores nothing. */
            const int64_t first = keep(column < last ? column : last);
            const reduction reduce{group,
                {lanes, A(args.a, own.begin + way), args.col_idx + own.begin + way,
                    B(args.b, first, args.ldb), Presence(args.b_bitmap, first, args.ldb),
                    args.row_names ? args.row_names[own.row] : own.row, args.first_column + first, allowed},
                number * Ways};
            const sums partial = reduce.reduce(own.count);
            if (way % Ways == 0) {
                of_group[number * Lanes] = partial;
            }
        }
        __syncthreads();
        if (way > 0 || column > last) {
            return;
        }
        fragment<T, Vector> result;
        result.fill(Monoid::identity());
        present.fill(false);
        if (is_wanted) {
            result = values_of<reduced>(add_groups(of_group, own.count), present);
        }
        store_vector<Update, Presence>(args, own, column, result, present, allowed);
    }
};

template <int Lanes, int Vector, int Ways>
struct block_rows {
    static constexpr int BLOCK = TORC_BLOCK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = true;
    using parts = segment_parts;

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using T = typename Product::Monoid::type;
        constexpr int THREADS = Lanes * Ways; /* of a group */
        if (blockIdx.x < args.nsegments) {
            block_row<Product, Lanes, Vector, Ways>::multiply(args);
            return;
        }
        const int64_t group =
            (blockIdx.x - args.nsegments) * (TORC_BLOCK_THREADS / THREADS) + threadIdx.x / THREADS;
        row_split<Product, Lanes, Vector, Ways, false, 0>::multiply(
            args, share_of_row<T, typename Product::Offset, TORC_SHORT_ROW>(args, group));
    }
};

} // namespace torc

#endif
