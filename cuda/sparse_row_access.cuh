/* sparse_row_access.cuh: the access policy of a row of A: how its entries reach all lanes of a group. Read by
 * nvcc and by NVRTC.
 *
 * The lanes read the next entries together, one a lane, coalesced. Shuffled: each keeps its own and hands it
 * round. Cached: they put them into shared memory, from where every lane reads FLIGHT at once, at a quarter
 * of the instructions: the coalesced sparse-row caching (CSC) of Huang, Dai, Wang, Ding, Xie, Efficient
 * Sparse Matrix Kernels based on Adaptive Workload-Balancing and Parallel-Reduction.
 *
 * The entries are every Stride-th one of an array. Beyond the last, that one is read again.
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

template <class A, bool ReadsRow, int Lanes, int Stride, int Flight>
struct shuffled_entries {
    using X = typename A::type;
    static constexpr int SLOTS = Lanes < Flight ? Flight / Lanes : 1;
    static constexpr int BATCH = Lanes * SLOTS;

    /* Entry t of the batch sits in slot t / Lanes of lane t % Lanes. */
    X value[SLOTS];
    uint32_t row_of_b[SLOTS];

    /* Entries begin .. begin+BATCH-1 of count. */
    __device__ void load(
        const lane_group<Lanes> &group, const A &a, const uint32_t *columns, int begin, int count)
    {
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            const int next = begin + s * Lanes + group.lane, t = next < count ? next : count - 1;
            value[s] = a.load(t * Stride).value[0];
            row_of_b[s] = ReadsRow ? columns[t * Stride] : 0;
        }
    }

    /* Entries t .. t+Flight-1, which are in the batch. */
    __device__ entry_flight<X, Flight> flight(const lane_group<Lanes> &group, int t) const
    {
        entry_flight<X, Flight> entries;
#pragma unroll
        for (int u = 0; u < Flight; u++) {
            const int slot = SLOTS == 1 ? 0 : u / Lanes, from = (t + u) % Lanes;
            entries.value.value[u] = A::is_array ? group.broadcast(value[slot], from) : value[slot];
            entries.row_of_b.value[u] = ReadsRow ? group.broadcast(row_of_b[slot], from) : 0;
        }
        return entries;
    }
};

template <class A, bool ReadsRow, int Lanes, int Flight>
struct cached_entries {
    using X = typename A::type;
    static constexpr int BATCH = 32;
    static_assert(Lanes >= 8, "few groups a block, each with room in shared memory");

    struct batch {
        fragment<X, BATCH> value;
        fragment<uint32_t, BATCH> row_of_b;
    };

    static __device__ batch &own()
    {
        constexpr int GROUPS = TORC_BLOCK_THREADS / Lanes;
        __shared__ alignas(16) unsigned char memory[GROUPS * sizeof(batch)];
        return reinterpret_cast<batch *>(memory)[threadIdx.x / Lanes];
    }

    __device__ void load(
        const lane_group<Lanes> &group, const A &a, const uint32_t *columns, int begin, int count)
    {
        X value[BATCH / Lanes];
        uint32_t row_of_b[BATCH / Lanes];
#pragma unroll
        for (int s = 0; s < BATCH / Lanes; s++) {
            const int next = begin + s * Lanes + group.lane, t = next < count ? next : count - 1;
            value[s] = a.load(t).value[0];
            row_of_b[s] = ReadsRow ? columns[t] : 0;
        }
        __syncwarp(group.mask); /* all have read the batch before */
#pragma unroll
        for (int s = 0; s < BATCH / Lanes; s++) {
            own().value.value[s * Lanes + group.lane] = value[s];
            own().row_of_b.value[s * Lanes + group.lane] = row_of_b[s];
        }
        __syncwarp(group.mask);
    }

    __device__ entry_flight<X, Flight> flight(const lane_group<Lanes> &, int t) const
    {
        return {*reinterpret_cast<const fragment<X, Flight> *>(&own().value.value[t % BATCH]),
            *reinterpret_cast<const fragment<uint32_t, Flight> *>(&own().row_of_b.value[t % BATCH])};
    }
};

} // namespace torc

#endif
