/* parallel_reduction.cuh: the reduction policy for a narrow C: a group combines several entries of A at once.
 * Read by nvcc and by NVRTC.
 *
 *     thread      0 .. Lanes-1     the columns of entries 0, Ways, 2 Ways ...    way 0
 *                 then Lanes more  of entries 1, Ways + 1 ...                    way 1
 *                 ...
 *
 * Each way is a sequential reduction of every Ways-th entry, so that adjacent ways read adjacent entries; a
 * shuffle tree combines the ways in a fixed order: the parallel reduction of Huang et al. with vector loads,
 * the tree across the ways only. A way without entries takes no part. One way is the sequential reduction.
 *
 * The ways of a block may be more than those of its groups: then a group combines its own, some of All.
 */
#ifndef TORC_PARALLEL_REDUCTION_CUH
#define TORC_PARALLEL_REDUCTION_CUH

#include "sequential_reduction.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Presence, int Lanes, int Vector, int Ways,
    bool CachesRows, int All = Ways>
struct parallel_reduction {
    using sums = fragment<typename Monoid::type, Vector>;

    lane_group<Lanes * Ways> group;
    sequential_reduction<Monoid, Multiply, A, B, Presence, Lanes, Vector, All, CachesRows>
        own;        /* from entry way() on */
    int before = 0; /* ways of earlier groups */

    __device__ int way() const
    {
        return before + group.lane / Lanes;
    }

    /* As sequential_reduction has it, in the threads of the group's first way. */
    __device__ sums reduce(int count) const
    {
        sums partial;
        if constexpr (All == 1) {
            partial = own.reduce(count);
        } else {
            partial.fill(Monoid::start());
            if (way() < count) {
                partial = own.reduce((count - way() + All - 1) / All);
            }
        }
        if constexpr (!Monoid::takes_one || Presence::is_array) {
#pragma unroll
            for (int step = 1; step < Ways; step *= 2) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    const auto other = group.broadcast(partial.value[v], group.lane ^ step * Lanes);
                    if (way() + step < count) {
                        partial.value[v] = Monoid::add(partial.value[v], other);
                    }
                }
            }
        }
        return partial;
    }
};

} // namespace torc

#endif
