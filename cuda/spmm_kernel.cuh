/* spmm_kernel.cuh: C = A (+).(x) B, the composition of a partition, a reduction and an access policy over a
 * semiring. Read by nvcc and by NVRTC; spmm_args.h says what the arguments hold.
 *
 * The caller may rely on: every element of C inside nrows x ncols is written once and none is read; nothing
 * outside is touched; rows without entries receive the monoid's identity; any ncols, aligned as torc_shape
 * asks; a NaN or an infinity in B reaches only results that use it; the same bits on every run.
 *
 * main: blocks along x hold groups of threads, along y and z panels of Lanes*Vector columns, so that the
 * groups of one panel run together and its columns of B stay in L2. combine: a thread an element of a long
 * row.
 */
#ifndef TORC_SPMM_KERNEL_CUH
#define TORC_SPMM_KERNEL_CUH

#include "operators.cuh"
#include "segment_partition.cuh"
#include "sequential_reduction.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Offset, int Lanes, int Vector>
struct spmm_kernel {
    using T = typename Monoid::type;
    static_assert(A::is_present || !Multiply::reads_a, "multiply reads A, and A has no values");
    static_assert(B::is_present || !Multiply::reads_b, "multiply reads B, and B has no values");
    static_assert(Lanes >= 1 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0, "a group is part of a warp");

    static __device__ void main(const torc_spmm_args &args)
    {
        const int64_t groups_a_block = TORC_BLOCK_THREADS / Lanes;
        const int64_t panel = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t first_column = panel * (Lanes * Vector);
        const share<T> own = share_of<T, Offset>(args, blockIdx.x * groups_a_block + threadIdx.x / Lanes);
        if (!own.result || first_column >= args.ncols) {
            return; /* the whole group */
        }

        const lane_group<Lanes> group(threadIdx.x);
        const int64_t column = first_column + group.lane * Vector, last = args.ncols - Vector;
        fragment<T, Vector> result;
        if (own.count == 0) {
            result.fill(Monoid::identity());
        } else {
            /* A lane beyond the last column reads what the last one inside reads, and stores nothing. */
            const int64_t first = column < last ? column : last;
            const sequential_reduction<Monoid, Multiply, A, B, Lanes, Vector> reduction{group,
                A(args.a, own.begin), args.col_idx + own.begin, B(args.b, first), args.ldb,
                args.row_names ? args.row_names[own.row] : own.row, first};
            result = reduction.reduce(own.count);
        }
        if (column <= last) {
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
        T result = partials[row.first * args.ncols];
#pragma unroll 8
        for (int64_t segment = row.first + 1; segment < row.last; segment++) {
            result = Monoid::add(result, partials[segment * args.ncols]);
        }
        static_cast<T *>(args.c)[row.row * args.ldc + column] = result;
    }
};

} // namespace torc

#endif
