/* spmm_kernel.cuh: C = A (+).(x) B, the composition of a partition, a reduction, an access and an update
 * policy over a semiring. Read by nvcc and by NVRTC; spmm_args.h says what the arguments hold.
 *
 * The caller may rely on: every element of C inside nrows x ncols has one writer, and is read before by that
 * one only, and only if the update asks for it; nothing outside is touched; rows without entries count as the
 * monoid's identity, absent; any ncols, aligned as torc_shape asks; a NaN or an infinity in B reaches only
 * results that use it; the same bits on every run. Groups that the mask leaves nothing to do gather nothing.
 *
 * Where every column of C is the same, since B is not an array and multiply does not look at j, a row is
 * computed once, as a narrow C of one column, and spread: Spread columns a store; otherwise Spread is 0.
 *
 * main: blocks along x hold groups of threads, along y and z panels of Lanes*Vector columns, so that the
 * groups of one panel run together and its columns of B stay in L2. combine: a thread has Vector adjacent
 * elements of a long row.
 */
#ifndef TORC_SPMM_KERNEL_CUH
#define TORC_SPMM_KERNEL_CUH

#include "operators.cuh"
#include "parallel_reduction.cuh"
#include "parallel_segments.cuh"
#include "segment_partition.cuh"
#include "sequential_segments.cuh"
#include "update.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Presence, class Update, class Offset,
    int Lanes, int Vector, int Ways, int Spread, bool SplitsNonzeros, bool CachesRows>
struct spmm_kernel {
    using T = typename Monoid::type;
    static_assert(A::is_present || !Multiply::reads_a, "multiply reads A, and A has no values");
    static_assert(B::is_present || !Multiply::reads_b, "multiply reads B, and B has no values");
    static constexpr int THREADS = Lanes * Ways; /* of a group */
    static_assert(THREADS >= 1 && THREADS <= 32 && (THREADS & (THREADS - 1)) == 0, "part of a warp");
    static_assert(
        (Ways == 1 && Spread == 0) || (Update::is_plain && !Presence::is_array), "plain products only");
    static_assert(Spread == 0 || (Lanes == 1 && Vector == 1 && !B::is_array), "one column is spread");

    static __device__ bool any(const fragment<bool, Vector> &flags)
    {
        bool any = false;
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            any = any || flags.value[v];
        }
        return any;
    }

    static __device__ void main(const torc_spmm_args &args)
    {
        if constexpr (SplitsNonzeros) {
            multiply_slices(args);
        } else {
            multiply_rows(args);
        }
    }

    /* Blocks along x: groups a slice each, then threads for rows without entries. */
    static __device__ void multiply_slices(const torc_spmm_args &args)
    {
        const int64_t groups_a_block = TORC_BLOCK_THREADS / THREADS;
        const int64_t blocks = (args.nslices + groups_a_block - 1) / groups_a_block;
        const int64_t panel = static_cast<int64_t>(blockIdx.z) * gridDim.y + blockIdx.y;
        const int64_t column = panel * (Lanes * Vector) + threadIdx.x % Lanes * Vector;
        const int64_t last = args.ncols - Vector;
        if (blockIdx.x < blocks) {
            const int64_t slice = blockIdx.x * groups_a_block + threadIdx.x / THREADS;
            if (slice < args.nslices && panel * (Lanes * Vector) < args.ncols) { /* the whole group */
                const slice_share<T, Vector> own{args, slice, column < last ? column : last, column <= last};
                if constexpr (Ways > 1) {
                    using reduction = parallel_segments<Monoid, Multiply, A, B, Lanes, Vector, Ways>;
                    reduction{{own}, lane_group<THREADS>(threadIdx.x)}.reduce();
                } else {
                    sequential_segments<Monoid, Multiply, A, B, Vector, 4>{own}.reduce();
                }
            }
            return;
        }
        const int64_t place =
            args.nonempty_rows + (blockIdx.x - blocks) * (TORC_BLOCK_THREADS / Lanes) + threadIdx.x / Lanes;
        if (place < args.nrows && column <= last) {
            fragment<T, Vector> identity;
            identity.fill(Monoid::identity());
            T *c = static_cast<T *>(args.c) + args.rows[place] * args.ldc + column;
            *reinterpret_cast<fragment<T, Vector> *>(c) = identity;
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
            const int64_t first = column < last ? column : last;
            const parallel_reduction<Monoid, Multiply, A, B, Presence, Lanes, Vector, Ways, CachesRows>
                reduction{group, {lanes, A(args.a, own.begin + way), args.col_idx + own.begin + way,
                                     B(args.b, first), Presence(args.b_bitmap, first), args.ldb,
                                     args.row_names ? args.row_names[own.row] : own.row,
                                     args.first_column + first, allowed}};
            result = reduction.reduce(present, own.count);
        }
        if constexpr (Spread > 0) {
            fragment<T, Spread> spread;
            spread.fill(group.broadcast(result.value[0], 0));
            for (int64_t j = group.lane * Spread; j < args.ncols; j += THREADS * Spread) {
                *reinterpret_cast<fragment<T, Spread> *>(own.result + j) = spread;
            }
            return;
        }
        if (way > 0 || column > last) {
            return;
        }
        if (Update::is_plain || own.is_segment) {
            *reinterpret_cast<fragment<T, Vector> *>(own.result + column) = result;
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

    static __device__ void combine(const torc_spmm_args &args)
    {
        const int64_t vectors = args.ncols / Vector; /* a row */
        const int64_t which = static_cast<int64_t>(blockIdx.x) * TORC_BLOCK_THREADS + threadIdx.x;
        if (which >= args.nlong_rows * vectors) {
            return;
        }
        const torc_long_row row = args.long_rows[which / vectors];
        const int64_t column = which % vectors * Vector, at = row.row * args.ldc + column;
        const fragment<bool, Vector> allowed = Update::template allowed<Vector>(args, at);
        const T *partials = static_cast<const T *>(args.partials) + column;
        fragment<T, Vector> result;
        fragment<bool, Vector> present;
        result.fill(Monoid::identity());
        present.fill(false);
        if (any(allowed)) { /* else there may be no partials */
#pragma unroll 16
            for (int64_t part = row.first; part < row.last; part++) {
                const int64_t from =
                    (SplitsNonzeros ? partial_of(part, part == row.first) : part) * args.ncols;
                const auto partial = *reinterpret_cast<const fragment<T, Vector> *>(partials + from);
                fragment<bool, Vector> is_there;
                is_there.fill(true);
                if constexpr (Presence::is_array) {
                    is_there = *reinterpret_cast<const fragment<bool, Vector> *>(
                        args.partial_bitmap + from + column);
                }
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    if (is_there.value[v]) {
                        result.value[v] = present.value[v] ? Monoid::add(result.value[v], partial.value[v])
                                                           : partial.value[v];
                        present.value[v] = true;
                    }
                }
            }
        }
        Update::store(args, at, result, present, allowed);
    }
};

} // namespace torc

#endif
