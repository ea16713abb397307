/* nonzero_split.cuh: the families of a nonzero split that gathers rows of B: a group owns a slice of A. Read
 * by nvcc and by NVRTC.
 *
 *     slices             its entries one after another
 *     parallel_slices    Ways entries at once
 */
#ifndef TORC_NONZERO_SPLIT_CUH
#define TORC_NONZERO_SPLIT_CUH

#include "lane_group.cuh"
#include "parallel_segments.cuh"
#include "sequential_segments.cuh"
#include "slice_partition.cuh"

namespace torc
{

/* Blocks of Block threads along x: groups of Threads that reduce Slices slices each, then threads for rows
 * without entries. Reduction: made of a group's share, its reduce() does the rest. */
template <class Product, int Lanes, int Vector, int Threads, int Slices, int Block, class Reduction>
__device__ void multiply_slices(const torc_spmm_args &args, int64_t slices)
{
    using Monoid = typename Product::Monoid;
    using Update = typename Product::Update;
    using reduced = typename monoid_of_sums<Monoid, Product::Presence::is_array>::type;
    const int64_t groups_a_block = Block / Threads, slices_a_block = groups_a_block * Slices;
    const int64_t blocks = (slices + slices_a_block - 1) / slices_a_block;
    const int64_t span = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
    const int64_t column = span * (Lanes * Vector) + threadIdx.x % Lanes * Vector;
    const int64_t last = args.ncols - Vector;
    if (blockIdx.x < blocks) {
        const int64_t slice = blockIdx.x * groups_a_block + threadIdx.x / Threads;
        if (slice * Slices < slices && span * (Lanes * Vector) < args.ncols) { /* the whole group */
            const slice_share<reduced, Vector, Update, Slices> own{
                args, slice, keep(column < last ? column : last), keep(column <= last)};
            Reduction{own}.reduce();
        }
        return;
    }
    const int64_t rows_a_block = TORC_EMPTY_ROWS / Lanes;
    const int64_t first = args.nonempty_rows + (blockIdx.x - blocks) * rows_a_block;
    const int64_t end = first + rows_a_block < args.nrows ? first + rows_a_block : args.nrows;
    fragment<typename Monoid::type, Vector> identity;
    fragment<bool, Vector> absent;
    identity.fill(Monoid::identity());
    absent.fill(false);
    for (int64_t place = first + threadIdx.x / Lanes; place < end && column <= last; place += Block / Lanes) {
        const int64_t at = row_of_c(args, args.rows[place]) * args.ldc + column;
        Update::store(args, at, identity, absent, Update::template allowed<Vector>(args, at));
    }
}

template <int Lanes, int Vector, int>
struct slices {
    static constexpr int BLOCK = TORC_BLOCK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = true;
    using parts = slice_parts<1>;

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        using reduced = typename monoid_of_sums<typename P::Monoid, P::Presence::is_array>::type;
        using reduction = sequential_segments<reduced, typename P::Multiply, typename P::Sparse,
            typename P::Dense, typename P::Presence, typename P::Update, Lanes, Vector, 4>;
        multiply_slices<P, Lanes, Vector, Lanes, 1, BLOCK, reduction>(args, args.nslices);
    }
};

template <int Lanes, int Vector, int Ways>
struct parallel_slices {
    static constexpr int BLOCK = TORC_BLOCK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = true;
    using parts = slice_parts<1>;
    static_assert(Lanes * Ways <= 32, "part of a warp");

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        using reduced = typename monoid_of_sums<typename P::Monoid, P::Presence::is_array>::type;
        using reduction = parallel_segments<reduced, typename P::Multiply, typename P::Sparse,
            typename P::Dense, typename P::Presence, typename P::Update, Lanes, Vector, Ways>;
        multiply_slices<P, Lanes, Vector, Lanes * Ways, 1, BLOCK, reduction>(args, args.nslices);
    }
};

} // namespace torc

#endif
