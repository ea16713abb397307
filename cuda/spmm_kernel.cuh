/* spmm_kernel.cuh: C = A (+).(x) B, the composition of a partition, a reduction and an access policy over a
 * semiring. Read by nvcc and by NVRTC; spmm_args.h says what the arguments hold.
 *
 * The caller may rely on: every element of C inside nrows x ncols is written once and none is read; nothing
 * outside is touched; rows without entries receive the monoid's identity; any ncols, aligned as torc_shape
 * asks; a NaN or an infinity in B reaches only results that use it; the same bits on every run.
 *
 * Where every column of C is the same, since B is not an array and multiply does not look at j, a row is
 * computed once, as a narrow C of one column, and spread: Spread columns a store; otherwise Spread is 0.
 *
 * main: blocks along x hold groups of threads, along y and z panels of Lanes*Vector columns, so that the
 * groups of one panel run together and its columns of B stay in L2. combine: a thread an element of a long
 * row.
 */
#ifndef TORC_SPMM_KERNEL_CUH
#define TORC_SPMM_KERNEL_CUH

#include "operators.cuh"
#include "parallel_reduction.cuh"
#include "segment_partition.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Offset, int Lanes, int Vector, int Ways,
    int Spread>
struct spmm_kernel {
    using T = typename Monoid::type;
    static_assert(A::is_present || !Multiply::reads_a, "multiply reads A, and A has no values");
    static_assert(B::is_present || !Multiply::reads_b, "multiply reads B, and B has no values");
    static constexpr int THREADS = Lanes * Ways; /* of a group */
    static_assert(THREADS >= 1 && THREADS <= 32 && (THREADS & (THREADS - 1)) == 0, "part of a warp");
    static_assert(Spread == 0 || (Lanes == 1 && Vector == 1 && !B::is_array), "one column is spread");

    static __device__ void main(const torc_spmm_args &args)
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
        fragment<T, Vector> result;
        if (own.count == 0) {
            result.fill(Monoid::identity());
        } else {
            /* A lane beyond the last column reads what the last one inside reads, and stores nothing. */
            const int64_t first = column < last ? column : last;
            const parallel_reduction<Monoid, Multiply, A, B, Lanes, Vector, Ways> reduction{
                group, {lanes, A(args.a, own.begin + way), args.col_idx + own.begin + way, B(args.b, first),
                           args.ldb, args.row_names ? args.row_names[own.row] : own.row, first}};
            result = reduction.reduce(own.count);
        }
        if constexpr (Spread > 0) {
            fragment<T, Spread> spread;
            spread.fill(group.broadcast(result.value[0], 0));
            for (int64_t j = group.lane * Spread; j < args.ncols; j += THREADS * Spread) {
                *reinterpret_cast<fragment<T, Spread> *>(own.result + j) = spread;
            }
        } else if (way == 0 && column <= last) {
            *reinterpret_cast<fragment<T, Vector> *>(own.result + column) = result;
        }
    }

    static __device__ void combine(const torc_spmm_args &args)
    {
        const int64_t element = static_cast<int64_t>(blockIdx.x) * TORC_BLOCK_THREADS + threadIdx.x;
        if (element >= args.nlong_rows * args.ncols) {
            return;
        }
        const torc_long_row row = args.long_rows[element / args.ncols];
        const int64_t column = element % args.ncols;
        const T *partials = static_cast<const T *>(args.partials) + column;
        T result = Monoid::start();
#pragma unroll 8
        for (int64_t segment = row.first; segment < row.last; segment++) {
            result = Monoid::add(result, partials[segment * args.ncols]);
        }
        static_cast<T *>(args.c)[row.row * args.ldc + column] = result;
    }
};

} // namespace torc

#endif
