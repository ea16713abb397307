/* sequential_segments.cuh: the reduction policy of a nonzero split, sequential: threads own columns and walk
 * adjacent entries in their order; where a row ends it is handed on and the next begins. Read by nvcc and by
 * NVRTC.
 *
 * The rows of B that FLIGHT entries name are loaded before the first of them is used, across ends of rows.
 * Where lanes walk side by side the entries are cached, and the batch after the one that is walked is on its
 * way; a flight in which no row ends is folded without a branch an entry, and one of which nothing is wanted
 * is passed over: the mask excludes it, or any has a term already.
 */
#ifndef TORC_SEQUENTIAL_SEGMENTS_CUH
#define TORC_SEQUENTIAL_SEGMENTS_CUH

#include "dense_row_access.cuh"
#include "operators.cuh"
#include "slice_partition.cuh"
#include "sparse_row_access.cuh"

namespace torc
{

/* Lanes: as many walk the same entries side by side. Monoid: over maybe where Presence is an array. */
template <class Monoid, class Multiply, class A, class B, class Presence, class Update, int Lanes, int Vector,
    int Flight, class Share = slice_share<Monoid, Vector, Update>>
struct sequential_segments {
    using share = Share;
    using T = typename share::T;
    using sums = typename share::sums;
    using X = typename A::type;
    using Y = typename B::type;
    static constexpr bool reads_k = B::is_array || Presence::is_array || Multiply::is_positional;
    static constexpr bool is_selective = Update::has_mask || (Presence::is_array && Monoid::takes_one);
    static constexpr int FLIGHT = Flight, WORD = share::WORD;
    static constexpr uint32_t IN_FLIGHT = (1u << FLIGHT) - 1;

    /* Large user-defined values have no room in shared memory. */
    static constexpr bool CACHES = Lanes >= 8 && sizeof(X) <= 16;
    template <bool IsCached, class Unused = void>
    struct entries_of {
        using type = direct_entries<A, reads_k, Lanes, FLIGHT>;
    };
    template <class Unused>
    struct entries_of<true, Unused> {
        using type = cached_entries<A, reads_k, Lanes, FLIGHT>;
    };

    share own;

    __device__ T multiply(X x, Y y, uint32_t place, int64_t k, int64_t j) const
    {
        if constexpr (Multiply::is_positional) {
            return Multiply::at(own.name_at(place), k, j);
        } else {
            return Multiply::multiply(x, y);
        }
    }

    /* No further term of the open row matters. */
    static __device__ bool is_complete(const sums &open)
    {
        bool is_complete = Presence::is_array && Monoid::takes_one;
        if constexpr (Presence::is_array && Monoid::takes_one) {
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                is_complete = is_complete && open.value[v].is_there;
            }
        }
        return is_complete;
    }

    /* Walk `count` entries from `begin` on, as far as there are as many, the first of them in the row at
     * `place`. end_row (place, sum): a row ends, sum is what was walked of it. Returns whether a row is open
     * at the end, and what was walked of that in `open`. What stands in for entries beyond the last of A is
     * walked too: the last one ends its row, so no result has them. */
    template <class EndRow>
    __device__ bool walk(sums &open, int64_t begin, int count, uint32_t place, EndRow end_row) const
    {
        const int64_t left = own.args.nnz - begin;
        const bool is_whole = left >= count;
        count = is_whole ? count : static_cast<int>(left);
        bool is_open = false;
        open.fill(Monoid::start());
        if (count <= 0) {
            return false;
        }
        B b(own.args.b, own.column, own.args.ldb);
        Presence presence(own.args.b_bitmap, own.column, own.args.ldb);
        if constexpr (Presence::is_array) {
            b.values = keep_global(b.values);
            presence.values = keep_global(presence.values);
        }
        typename entries_of<CACHES>::type all{
            lane_group<Lanes>(threadIdx.x), A(own.args.a, begin), own.args.col_idx + begin, count};
        static_assert(all.BATCH == WORD, "a word of ends for each batch");

        const auto fold = [&](const entry_flight<X, FLIGHT> &entries, uint32_t ends, uint32_t wanted) {
            dense_rows<B, Presence, Vector, FLIGHT, is_selective, Presence::is_array> rows;
            rows.load(b, presence, entries.row_of_b, wanted);
            const auto take = [&](int u) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    if (rows.has(u, v)) {
                        const typename Monoid::type term{multiply(entries.value.value[u], rows.y[u].value[v],
                            place, entries.row_of_b.value[u], own.args.first_column + own.column + v)};
                        const bool is_first = !Monoid::has_start && !is_open;
                        open.value[v] = is_first ? term : Monoid::add(open.value[v], term);
                    }
                }
                is_open = true;
            };
            if (CACHES && !(ends & IN_FLIGHT)) {
#pragma unroll
                for (int u = 0; u < FLIGHT; u++) {
                    take(u);
                }
                return;
            }
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                take(u);
                if (ends >> u & 1) {
                    end_row(place, open);
                    open.fill(Monoid::start());
                    is_open = false;
                    place++;
                }
            }
        };

        all.request(0);
        uint32_t next_ends = own.ends_from(begin);
#pragma unroll 1
        for (int word = 0; word < count; word += WORD) {
            uint32_t ends = next_ends, wanted = ~0u;
            if constexpr (Update::has_mask) {
                wanted = own.wanted(ends, place, count - word < WORD ? count - word : WORD);
            }
            all.receive(word);
            if (word + WORD < count) {
                all.request(word + WORD);
                next_ends = own.ends_from(begin + word + WORD);
            }
#pragma unroll 1
            for (int t = 0; t < WORD && word + t < count;
                 t += FLIGHT, ends >>= FLIGHT, wanted >>= is_selective ? FLIGHT : 0) {
                if (is_complete(open)) {
                    wanted &= ~(ends ^ (ends - 1)); /* up to where the row ends */
                }
                if (is_selective && !((ends | wanted) & IN_FLIGHT)) {
                    is_open = true;
                } else {
                    fold(all.flight(t), ends, wanted);
                }
            }
        }
        return is_open && is_whole;
    }

    __device__ void reduce() const
    {
        const uint32_t first = own.place_at(own.begin());
        const bool is_entered = own.is_entered(), has_names = keep(own.args.rows != nullptr);
        const bool is_reordered = keep(own.args.c_rows != nullptr);
        T *const c = static_cast<T *>(own.args.c) + own.column, *to = c;
        /* The open row's results are at to + row * ldc. */
        uint32_t row = own.row_at(first);
        if (is_entered) {
            to = own.entered() + own.column;
            row = 0;
        }
        sums open;
        const bool is_open =
            walk(open, own.begin(), TORC_SLICE_NNZ, first, [&](uint32_t place, const sums &sum) {
                if constexpr (share::is_plain) {
                    own.store(to + row * own.args.ldc, sum);
                } else if (to != c) {
                    own.store_partial(own.entered(), sum);
                } else {
                    own.store_row(row, sum);
                }
                to = c;
                row = has_names ? own.args.rows[place + 1] : place + 1;
                row = is_reordered ? own.args.c_rows[row] : row;
            });
        if (is_open) {
            own.leave(is_entered && to != c, open);
        }
    }
};

} // namespace torc

#endif
