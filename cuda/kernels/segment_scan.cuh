/* segment_scan.cuh: what several ways of a group, each with a run of adjacent entries, leave open, added up
 * across them by shuffles: the segmented scan of a nonzero split. Read by nvcc and by NVRTC.
 */
#ifndef TORC_SEGMENT_SCAN_CUH
#define TORC_SEGMENT_SCAN_CUH

#include "lane_group.cuh"
#include "operand_access.cuh"

namespace torc
{

template <class Monoid, int Lanes, int Vector, int Ways>
struct segment_scan {
    using sums = fragment<typename Monoid::type, Vector>;

    lane_group<Lanes * Ways> group;

    __device__ int way() const
    {
        return group.lane / Lanes;
    }

    __device__ sums from_way(const sums &x, int way) const
    {
        sums y;
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            y.value[v] = group.broadcast(x.value[v], way * Lanes + group.lane % Lanes);
        }
        return y;
    }

    static __device__ sums add(const sums &x, const sums &y)
    {
        sums z;
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            z.value[v] = Monoid::add(x.value[v], y.value[v]);
        }
        return z;
    }

    /* What is open after the way, no further back than the last end of a row; terms in their order. open:
     * what the way leaves open; ended, opened: the ways where a row ends, and that leave one open, as bits.
     */
    __device__ sums open_after(sums open, uint32_t ended, uint32_t opened) const
    {
        const uint32_t upto = ended & (~0u >> (31 - way()));
        /* The first way that has part of it. */
        const int last_end = upto ? 31 - __clz(upto) : 0;
        const int first = last_end + !(opened >> last_end & 1);
#pragma unroll
        for (int step = 1; step < Ways; step *= 2) {
            const sums other = from_way(open, way() - step);
            if (way() - step >= first) {
                open = add(other, open);
            }
        }
        return open;
    }
};

} // namespace torc

#endif
