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
 */
#ifndef TORC_PARALLEL_REDUCTION_CUH
#define TORC_PARALLEL_REDUCTION_CUH

#include "sequential_reduction.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Presence, int Lanes, int Vector, int Ways,
    bool CachesRows>
struct parallel_reduction {
    using sums = fragment<typename Monoid::type, Vector>;

    lane_group<Lanes * Ways> group;
    sequential_reduction<Monoid, Multiply, A, B, Presence, Lanes, Vector, Ways, CachesRows>
        own; /* from entry way() on */

    __device__ int way() const
    {
        return group.lane / Lanes;
    }

    /* As sequential_reduction has it, in the threads of way 0. */
    __device__ sums reduce(int count) const
    {
        sums partial;
        if constexpr (Ways == 1) {
            partial = own.reduce(count);
        } else {
            partial.fill(Monoid::start());
            if (way() < count) {
                partial = own.reduce((count - way() + Ways - 1) / Ways);
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
