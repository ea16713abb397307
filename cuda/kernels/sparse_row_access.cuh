/* sparse_row_access.cuh: the access policy of entries of A, of a row or a slice: how they reach all lanes of
 * a group. Read by nvcc and by NVRTC.
 *
 * The lanes read the next batch of entries together, one a lane, coalesced. Shuffled: each keeps its own and
 * hands it round. Cached: they put them into shared memory, from where every lane reads FLIGHT at once, at a
 * quarter of the instructions: the coalesced sparse-row caching (CSC) of Huang, Dai, Wang, Ding, Xie,
 * Efficient Sparse Matrix Kernels based on Adaptive Workload-Balancing and Parallel-Reduction. Direct: every
 * lane reads FLIGHT entries at once from where they lie, aligned to as many.
 *
 * request (t): the batch that begins with entry t is on its way; receive (t): all lanes have it;
 * flight (u): FLIGHT entries from the batch's u-th on. All lanes of a group call them together.
 *
 * The entries are every Stride-th one of an array, `count` of them, at least 1. Beyond the last, that one is
 * read again.
 */
#ifndef TORC_SPARSE_ROW_ACCESS_CUH
#define TORC_SPARSE_ROW_ACCESS_CUH

#include "lane_group.cuh"
#include "operand_access.cuh"

namespace torc
{

/* Entries whose rows of B are loaded before the first is used. */
template <class X, int Flight>
struct entry_flight {
    fragment<X, Flight> value;
    fragment<uint32_t, Flight> row_of_b;
};

/* Entries, one a lane and slot: entry t sits in slot t / Lanes of lane t % Lanes. Once: L1 is left to rows of
 * B. */
template <class A, bool ReadsRow, int Lanes, int Stride, int Slots, bool Once>
struct lane_entries {
    typename A::type value[Slots];
    uint32_t row_of_b[Slots];

    __device__ void load(
        const lane_group<Lanes> &group, const A &a, const uint32_t *columns, int begin, int count)
    {
#pragma unroll
        for (int s = 0; s < Slots; s++) {
            const int next = begin + s * Lanes + group.lane, t = next < count ? next : count - 1;
            if constexpr (Once) {
                value[s] = a.load_value_once(t * Stride);
                row_of_b[s] = ReadsRow ? load_once(columns + t * Stride) : 0;
            } else {
                value[s] = a.load(t * Stride).value[0];
                row_of_b[s] = ReadsRow ? columns[t * Stride] : 0;
            }
        }
    }
};

template <class A, bool ReadsRow, int Lanes, int Stride, int Flight>
struct shuffled_entries {
    static constexpr int SLOTS = Lanes < Flight ? Flight / Lanes : 1;
    static constexpr int BATCH = Lanes * SLOTS;

    lane_group<Lanes> group;
    A a;
    const uint32_t *columns;
    int count;
    /* Measured, fp32: up to 10 % less where ways or threads share lines of A, a quarter on road at N = 1;
     * where lanes share a row 5 % more, on uniform (bench/results/2026-11-29-h200-streamed-entries.txt). */
    lane_entries<A, ReadsRow, Lanes, Stride, SLOTS, (Stride > 1 || Lanes == 1)> batch;

    __device__ void request(int begin)
    {
        batch.load(group, a, columns, begin, count);
    }

    __device__ void receive(int)
    {
    }

    __device__ entry_flight<typename A::type, Flight> flight(int t) const
    {
        entry_flight<typename A::type, Flight> entries;
#pragma unroll
        for (int u = 0; u < Flight; u++) {
            const int slot = SLOTS == 1 ? 0 : u / Lanes, from = SLOTS == 1 ? t + u : u % Lanes;
            entries.value.value[u] =
                A::is_array ? group.broadcast(batch.value[slot], from) : batch.value[slot];
            entries.row_of_b.value[u] = ReadsRow ? group.broadcast(batch.row_of_b[slot], from) : 0;
        }
        return entries;
    }
};

template <class A, bool ReadsRow, int Lanes, int Flight>
struct cached_entries {
    using X = typename A::type;
    static constexpr int BATCH = 32, SLOTS = BATCH / Lanes;
    static_assert(Lanes >= 8, "few groups a block, each with room in shared memory");

    struct batch {
        fragment<X, BATCH> value;
        fragment<uint32_t, BATCH> row_of_b;
    };
    /* Groups of a warp find theirs in different banks. Measured: bands of 54 a row, N = 32, fp32, 9 % less.
     */
    static constexpr int BYTES = sizeof(batch) + Lanes % 32 * sizeof(uint32_t);

    lane_group<Lanes> group;
    A a;
    const uint32_t *columns;
    int count;
    lane_entries<A, ReadsRow, Lanes, 1, SLOTS, true> next;

    static __device__ batch &own()
    {
        constexpr int GROUPS = TORC_BLOCK_THREADS / Lanes;
        alignas(16) __shared__ unsigned char memory[GROUPS * BYTES];
        return *reinterpret_cast<batch *>(memory + threadIdx.x / Lanes * BYTES);
    }

    __device__ void request(int begin)
    {
        next.load(group, a, columns, begin, count);
    }

    __device__ void receive(int)
    {
        __syncwarp(group.mask); /* all have read the batch before */
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            if constexpr (A::is_array) {
                own().value.value[s * Lanes + group.lane] = next.value[s];
            }
            if constexpr (ReadsRow) {
                own().row_of_b.value[s * Lanes + group.lane] = next.row_of_b[s];
            }
        }
        __syncwarp(group.mask);
    }

    __device__ entry_flight<X, Flight> flight(int t) const
    {
        entry_flight<X, Flight> entries;
        if constexpr (A::is_array) {
            entries.value = *reinterpret_cast<const fragment<X, Flight> *>(&own().value.value[t]);
        } else {
            entries.value.fill(next.value[0]);
        }
        if constexpr (ReadsRow) {
            entries.row_of_b =
                *reinterpret_cast<const fragment<uint32_t, Flight> *>(&own().row_of_b.value[t]);
        } else {
            entries.row_of_b.fill(0);
        }
        return entries;
    }
};

template <class A, bool ReadsRow, int Lanes, int Flight>
struct direct_entries {
    using X = typename A::type;
    using wide_a = typename A::template wide<Flight>;
    using wide_columns = operand<uint32_t, uint32_t, ReadsRow ? access_array : access_none, Flight>;
    static constexpr int BATCH = 32;

    lane_group<Lanes> group;
    A a;
    const uint32_t *columns;
    int count, begin = 0;

    __device__ void request(int)
    {
    }

    __device__ void receive(int from)
    {
        begin = from;
    }

    __device__ entry_flight<X, Flight> flight(int t) const
    {
        const int from = begin + t;
        if (from + Flight <= count) {
            return {wide_a(a.values, 0).load(from), wide_columns(columns, 0).load(from)};
        }
        entry_flight<X, Flight> entries;
#pragma unroll
        for (int u = 0; u < Flight; u++) {
            const int p = from + u < count ? from + u : count - 1;
            entries.value.value[u] = a.load(p).value[0];
            entries.row_of_b.value[u] = ReadsRow ? columns[p] : 0;
        }
        return entries;
    }
};

} // namespace torc

#endif
