/* sequential_reduction.cuh: the reduction policy: how a group combines the entries it owns. Read by nvcc and
 * by NVRTC.
 *
 * Sequential: a thread owns `Vector` columns and folds the entries in their order. The lanes of a group read
 * the next entries of A together, one a lane, coalesced, and hand them round by shuffles; the rows of B that
 * FLIGHT entries name are loaded before the first of them is used. Where fewer are left the last entry is
 * loaded again, from cache, and not folded: no padding that could bring in a NaN or a wrong term. Stride: the
 * entries are every Stride-th one.
 */
#ifndef TORC_SEQUENTIAL_REDUCTION_CUH
#define TORC_SEQUENTIAL_REDUCTION_CUH

#include "bits.cuh"
#include "operand_access.cuh"

namespace torc
{

/* Threads of one warp that work together. Groups of a warp run on their own: each shuffle names only the
 * threads of its group. */
template <int Lanes>
struct lane_group {
    int lane;
    unsigned mask;

    __device__ explicit lane_group(unsigned thread) : lane(thread % Lanes)
    {
        const unsigned first = thread % 32 - lane;
        mask = (Lanes == 32 ? ~0u : (1u << Lanes % 32) - 1) << first;
    }

    template <class T>
    __device__ T broadcast(T x, int from) const
    {
        if constexpr (Lanes == 1) {
            return x;
        } else if constexpr (__is_class(T) || __is_union(T)) {
            uint32_t words[(sizeof(T) + 3) / 4];
            memcpy(words, &x, sizeof(T));
#pragma unroll
            for (uint32_t &word : words) {
                word = __shfl_sync(mask, word, from, Lanes);
            }
            memcpy(&x, words, sizeof(T));
            return x;
        } else {
            return static_cast<T>(__shfl_sync(mask, x, from, Lanes));
        }
    }

    __device__ bool any(bool x) const
    {
        return __any_sync(mask, x);
    }
};

/* Presence: an operand of B's bitmap; not an array where every element of B is present. */
template <class Monoid, class Multiply, class A, class B, class Presence, int Lanes, int Vector, int Stride,
    bool CachesRows>
struct sequential_reduction {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    static constexpr bool reads_k = B::is_array || Presence::is_array || Multiply::is_positional;

    /* Rows of B in flight: 4 loads of up to 16 bytes a thread. Reasoned: with 2048 threads on a
     * multiprocessor that is 128 KiB under way. */
    static constexpr int FLIGHT = 4;
    static constexpr int SLOTS = CachesRows ? 32 / Lanes : Lanes < FLIGHT ? FLIGHT / Lanes : 1;
    static constexpr int BATCH = Lanes * SLOTS;

    lane_group<Lanes> group;
    A a;                      /* from the first entry on */
    const uint32_t *row_of_b; /* likewise */
    B b;                      /* from the thread's first column on */
    Presence presence;        /* likewise */
    int64_t ldb;
    int64_t i, j;                  /* the row, and that column */
    fragment<bool, Vector> wanted; /* columns whose result matters */

    /* Entry t of the batch sits in slot t / Lanes of lane t % Lanes. */
    struct batch {
        X value[SLOTS];
        uint32_t row_of_b[SLOTS];
    };

    /* The group's part of shared memory, where its lanes put a batch for all of them to read. */
    struct cache {
        fragment<X, BATCH> value;
        fragment<uint32_t, BATCH> row_of_b;
    };

    static __device__ cache *own_cache()
    {
        constexpr int GROUPS = TORC_BLOCK_THREADS / (Lanes * Stride);
        __shared__ alignas(16) unsigned char memory[CachesRows ? GROUPS * sizeof(cache) : 16];
        return reinterpret_cast<cache *>(memory) + threadIdx.x / Lanes;
    }

    __device__ void put(const batch &entries) const
    {
        cache *to = own_cache();
        __syncwarp(group.mask);
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            to->value.value[s * Lanes + group.lane] = entries.value[s];
            to->row_of_b.value[s * Lanes + group.lane] = entries.row_of_b[s];
        }
        __syncwarp(group.mask);
    }

    /* Entries begin .. begin+BATCH-1; the last of all, count-1, stands in for those beyond. */
    __device__ batch load_batch(int begin, int count) const
    {
        batch loaded;
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            const int next = begin + s * Lanes + group.lane, t = next < count ? next : count - 1;
            loaded.value[s] = a.load(t * Stride).value[0];
            loaded.row_of_b[s] = reads_k ? row_of_b[t * Stride] : 0;
        }
        return loaded;
    }

    __device__ T multiply(X x, Y y, int64_t k, int64_t column) const
    {
        if constexpr (Multiply::is_positional) {
            return Multiply::at(i, k, column);
        } else {
            return Multiply::multiply(x, y);
        }
    }

    /* Fold entries t .. t+FLIGHT-1, which are in the batch, those below count. */
    __device__ void fold(fragment<T, Vector> &partial, fragment<bool, Vector> &present, const batch &entries,
        int t, int count) const
    {
        X x[FLIGHT];
        fragment<Y, Vector> y[FLIGHT];
        fragment<bool, Vector> is_there[FLIGHT];
        uint32_t k[FLIGHT];
        fragment<X, FLIGHT> cached;
        fragment<uint32_t, FLIGHT> cached_k;
        if constexpr (CachesRows) {
            const cache *from = own_cache();
            cached = *reinterpret_cast<const fragment<X, FLIGHT> *>(&from->value.value[t % BATCH]);
            cached_k =
                *reinterpret_cast<const fragment<uint32_t, FLIGHT> *>(&from->row_of_b.value[t % BATCH]);
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            if constexpr (CachesRows) {
                x[u] = cached.value[u];
                k[u] = cached_k.value[u];
                y[u] = b.load_row(k[u], ldb);
                is_there[u] = presence.load_row(k[u], ldb);
                continue;
            }
            const int slot = SLOTS == 1 ? 0 : u / Lanes, from = (t + u) % Lanes;
            x[u] = A::is_array ? group.broadcast(entries.value[slot], from) : entries.value[slot];
            k[u] = reads_k ? group.broadcast(entries.row_of_b[slot], from) : 0;
            y[u] = b.load_row(k[u], ldb);
            is_there[u] = presence.load_row(k[u], ldb);
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            if (t + u < count) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    if (!Presence::is_array || is_there[u].value[v]) {
                        const T term = multiply(x[u], y[u].value[v], k[u], j + v);
                        const bool is_first =
                            !Monoid::has_start && (Presence::is_array ? !present.value[v] : t + u == 0);
                        partial.value[v] = is_first ? term : Monoid::add(partial.value[v], term);
                        if constexpr (Presence::is_array) {
                            present.value[v] = true;
                        }
                    }
                }
            }
        }
    }

    __device__ bool is_complete(const fragment<bool, Vector> &present) const
    {
        bool lacks_one = false;
#pragma unroll
        for (int v = 0; v < Vector; v++) {
            lacks_one = lacks_one || (wanted.value[v] && !present.value[v]);
        }
        return !group.any(lacks_one);
    }

    /* The result of the first count entries, count above 0, and in which columns they have terms; the
     * identity elsewhere. */
    __device__ fragment<T, Vector> reduce(fragment<bool, Vector> &present, int count) const
    {
        fragment<T, Vector> partial;
        partial.fill(Monoid::start());
        present.fill(!Presence::is_array);
        if constexpr (Monoid::takes_one && !Presence::is_array) {
            count = 1;
        }
        batch entries;
#pragma unroll 1 /* unrolled further it spills registers */
        for (int t = 0; t < count; t += FLIGHT) {
            if (t % BATCH == 0) {
                entries = load_batch(t, count);
                if constexpr (CachesRows) {
                    put(entries);
                }
            }
            fold(partial, present, entries, t, count);
            if constexpr (Monoid::takes_one && Presence::is_array) {
                if (is_complete(present)) {
                    break;
                }
            }
        }
        if constexpr (Presence::is_array) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                partial.value[v] = present.value[v] ? partial.value[v] : Monoid::identity();
            }
        }
        return partial;
    }
};

} // namespace torc

#endif
