/* sequential_reduction.cuh: the reduction policy: how a group combines the entries it owns. Read by nvcc and
 * by NVRTC.
 *
 * Sequential: a thread owns `Vector` columns and folds the entries in their order; the rows of B that FLIGHT
 * entries name are loaded before the first of them is used. Where fewer are left the last entry is loaded
 * again, from cache, and not folded: no padding that could bring in a NaN or a wrong term.
 */
#ifndef TORC_SEQUENTIAL_REDUCTION_CUH
#define TORC_SEQUENTIAL_REDUCTION_CUH

#include "bits.cuh"
#include "dense_row_access.cuh"
#include "maybe.cuh"
#include "sparse_row_access.cuh"

namespace torc
{

/* Monoid: over maybe where Presence is an array. */
template <class Monoid, class Multiply, class A, class B, class Presence, int Lanes, int Vector, int Stride,
    bool CachesRows>
struct sequential_reduction {
    using T = typename value_in<typename Monoid::type>::type;
    using sums = fragment<typename Monoid::type, Vector>;
    using X = typename A::type;
    using Y = typename B::type;
    static constexpr bool reads_k = B::is_array || Presence::is_array || Multiply::is_positional;

    /* Rows of B in flight: 4 loads of up to 16 bytes a thread. Reasoned: with 2048 threads on a
     * multiprocessor that is 128 KiB under way. */
    static constexpr int FLIGHT = 4;

    /* Shuffled rows of fp32 with 8 bytes of B a lane take 9 % less so in the mean, up to 20 %; cached ones
     * with 16 bytes 2 % less, but 1 % more with 8 (bench/results/2026-11-27-h100-loads.txt). */
    static constexpr bool LOADS_HERE = !CachesRows || sizeof(typename B::vector) == 16;

    template <bool IsCached, class Unused = void>
    struct entries_of {
        using type = shuffled_entries<A, reads_k, Lanes, Stride, FLIGHT>;
    };
    template <class Unused>
    struct entries_of<true, Unused> {
        static_assert(Stride == 1, "the rows of a sequential reduction");
        using type = cached_entries<A, reads_k, Lanes, FLIGHT>;
    };

    lane_group<Lanes> group;
    A a;                           /* from the first entry on */
    const uint32_t *row_of_b;      /* likewise */
    B b;                           /* from the thread's first column on */
    Presence presence;             /* likewise */
    int64_t i, j;                  /* the row, and that column */
    fragment<bool, Vector> wanted; /* columns whose result matters */

    __device__ T multiply(X x, Y y, int64_t k, int64_t column) const
    {
        if constexpr (Multiply::is_positional) {
            return Multiply::at(i, k, column);
        } else {
            return Multiply::multiply(x, y);
        }
    }

    /* Fold the entries of a flight, the first `left` of them; the first is number t. */
    __device__ void fold(sums &partial, const entry_flight<X, FLIGHT> &entries, int t, int left) const
    {
        const auto &x = entries.value.value;
        const auto &k = entries.row_of_b.value;
        dense_rows<B, Presence, Vector, FLIGHT, Presence::is_array && Monoid::takes_one, false, LOADS_HERE>
            rows;
        rows.load(b, presence, entries.row_of_b, lacks_one(partial) ? ~0u : 0);
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            if (u < left) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    if (rows.has(u, v)) {
                        const typename Monoid::type term{multiply(x[u], rows.y[u].value[v], k[u], j + v)};
                        const bool is_first = !Monoid::has_start && t + u == 0;
                        partial.value[v] = is_first ? term : Monoid::add(partial.value[v], term);
                    }
                }
            }
        }
    }

    /* More terms matter to a wanted column. */
    __device__ bool lacks_one(const sums &partial) const
    {
        bool lacks_one = !Presence::is_array;
        if constexpr (Presence::is_array) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                const bool is_done = Monoid::takes_one && partial.value[v].is_there;
                lacks_one = lacks_one || (wanted.value[v] && !is_done);
            }
        }
        return lacks_one;
    }

    /* The sums of the first count entries, count above 0. */
    __device__ sums reduce(int count) const
    {
        sums partial;
        partial.fill(Monoid::start());
        if constexpr (Monoid::takes_one && !Presence::is_array) {
            count = 1;
        }
        typename entries_of<CachesRows>::type entries{group, a, row_of_b, count};
#pragma unroll 1 /* unrolled further it spills registers */
        for (int t = 0; t < count; t += FLIGHT) {
            if (t % entries.BATCH == 0) {
                entries.request(t);
                entries.receive(t);
            }
            fold(partial, entries.flight(t % entries.BATCH), t, count - t);
            if constexpr (Monoid::takes_one && Presence::is_array) {
                if (!group.any(lacks_one(partial))) {
                    break;
                }
            }
        }
        return partial;
    }
};

} // namespace torc

#endif
