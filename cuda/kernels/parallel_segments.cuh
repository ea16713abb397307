/* parallel_segments.cuh: the reduction policy of a nonzero split, parallel, for a narrow C: the vectorised
 * segment reduction (VSR) of Huang, Dai, Wang, Ding, Xie, Efficient Sparse Matrix Kernels based on Adaptive
 * Workload-Balancing and Parallel-Reduction, with vector loads. Read by nvcc and by NVRTC.
 *
 *     entries of a slice     a a a b b b b b c d d d d d d d
 *     ways                   |   0   |   1   |   2   |   3   |
 *     head of a way          a a a   b b b b d . . .             up to the first end of a row, if any
 *     open after a way             b         c       d d d d
 *
 * Each way walks a run of entries on its own, and finishes rows that begin and end in it. What is open after
 * a way is scanned across the ways by shuffles, no further back than the last end; a head receives what is
 * open before it. Terms are added in their order.
 */
#ifndef TORC_PARALLEL_SEGMENTS_CUH
#define TORC_PARALLEL_SEGMENTS_CUH

#include "segment_scan.cuh"
#include "sequential_segments.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Presence, class Update, int Lanes, int Vector,
    int Ways>
struct parallel_segments {
    using scan = segment_scan<Monoid, Lanes, Vector, Ways>;
    using sums = typename scan::sums;
    static constexpr int RUN = TORC_SLICE_NNZ / Ways;
    /* Of one column 8 rows of B in flight: 4 bytes each. Measured: R-MAT of scale 20, N = 1, 3 % less. */
    using walker = sequential_segments<Monoid, Multiply, A, B, Presence, Update, 1, Vector,
        Vector == 1 && RUN % 8 == 0 ? 8 : 4>;
    static_assert(RUN % walker::FLIGHT == 0, "a way owns whole flights");

    walker walks;
    lane_group<Lanes * Ways> group;

    __device__ explicit parallel_segments(const typename walker::share &own) : walks{own}, group(threadIdx.x)
    {
    }

    /* Ways as bits. */
    __device__ uint32_t ways_where(bool x) const
    {
        uint32_t threads = __ballot_sync(group.mask, x) >> (threadIdx.x % 32 - group.lane);
        uint32_t ways = 0;
        if constexpr (Lanes == 1) {
            ways = threads;
        } else {
#pragma unroll
            for (int way = 0; way < Ways; way++) {
                ways |= (threads >> way * Lanes & 1) << way;
            }
        }
        return ways;
    }

    /* Rows that end in the slice before the way's run. */
    __device__ uint32_t ends_before(int way) const
    {
        constexpr int WORD = walker::WORD, WORDS = TORC_SLICE_NNZ / WORD;
        const auto &own = walks.own;
        const auto ends =
            *reinterpret_cast<const fragment<uint32_t, WORDS> *>(own.args.row_ends + own.slice * WORDS);
        uint32_t count = 0;
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const int bits = way * RUN - w * WORD;
            count += __popc(ends.value[w] & (bits >= WORD ? ~0u : bits > 0 ? (1u << bits) - 1 : 0));
        }
        return count;
    }

    __device__ void reduce() const
    {
        const auto &own = walks.own;
        const scan ways{group};
        const int way = ways.way();
        const uint32_t place = own.place_at(own.begin()) + ends_before(way);
        sums open, head;
        bool has_end = false;
        const bool is_open =
            walks.walk(open, own.begin() + way * RUN, RUN, place, [&](uint32_t at, const sums &sum) {
                if (has_end) {
                    own.finish(at, false, sum);
                } else {
                    head = sum;
                }
                has_end = true;
            });

        const uint32_t ended = ways_where(has_end), opened = ways_where(is_open);
        const uint32_t before = ended & ((1u << way) - 1);
        open = ways.open_after(open, ended, opened);
        const sums carry = ways.from_way(open, way - 1);
        const bool has_carry = way > 0 && (opened >> (way - 1) & 1);
        const bool is_entered = own.is_entered();
        if (has_end) {
            own.finish(place, is_entered && before == 0, has_carry ? scan::add(carry, head) : head);
        }
        if (way == Ways - 1 && is_open && own.goes_on()) {
            own.leave(is_entered && ended == 0, open);
        }
    }
};

} // namespace torc

#endif
