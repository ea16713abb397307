/* sequential_segments.cuh: the reduction policy of a nonzero split, sequential: threads own columns and walk
 * adjacent entries in their order; where a row ends it is handed on and the next begins. Read by nvcc and by
 * NVRTC.
 *
 * Walks begin at multiples of FLIGHT entries, so FLIGHT columns and values of A are read at once, by all
 * lanes of a group from the same address; the rows of B that they name are loaded before the first of them is
 * used, across ends of rows.
 */
#ifndef TORC_SEQUENTIAL_SEGMENTS_CUH
#define TORC_SEQUENTIAL_SEGMENTS_CUH

#include "operators.cuh"
#include "slice_partition.cuh"
#include "sparse_row_access.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, int Vector, int Flight>
struct sequential_segments {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    using sums = fragment<T, Vector>;
    static constexpr bool reads_k = B::is_array || Multiply::is_positional;
    static constexpr int FLIGHT = Flight, WORD = slice_share<T, Vector>::WORD;

    slice_share<T, Vector> own;

    /* Entries p .. p+FLIGHT-1 of A; its last one stands in for those beyond. */
    __device__ entry_flight<X, FLIGHT> load(int64_t p) const
    {
        using columns = operand<uint32_t, uint32_t, reads_k ? access_array : access_none, FLIGHT>;
        entry_flight<X, FLIGHT> loaded;
        if (p + FLIGHT <= own.args.nnz) {
            loaded.value = typename A::template wide<FLIGHT>(own.args.a, p).load(0);
            loaded.row_of_b = columns(own.args.col_idx, p).load(0);
            return loaded;
        }
#pragma unroll
        for (int u = 0; u < FLIGHT; u++) {
            const int64_t q = p + u < own.args.nnz ? p + u : own.args.nnz - 1;
            loaded.value.value[u] = A(own.args.a, q).load(0).value[0];
            loaded.row_of_b.value[u] = reads_k ? own.args.col_idx[q] : 0;
        }
        return loaded;
    }

    __device__ T multiply(X x, Y y, uint32_t place, int64_t k, int64_t j) const
    {
        if constexpr (Multiply::is_positional) {
            return Multiply::at(own.name_at(place), k, j);
        } else {
            return Multiply::multiply(x, y);
        }
    }

    /* Walk `count` entries from `begin` on, as far as there are as many, the first of them in the row at
     * `place`. end_row (place, sum): a row ends, sum is what was walked of it. Returns whether a row is open
     * at the end, and what was walked of that in `open`. What stands in for entries beyond the last of A is
     * walked too: the last one ends its row, so no result has them. */
    template <class EndRow>
    __device__ bool walk(sums &open, int64_t begin, int count, uint32_t place, EndRow end_row) const
    {
        const B b(own.args.b, own.column, own.args.ldb);
        const int64_t left = own.args.nnz - begin;
        const bool is_whole = left >= count;
        count = is_whole ? count : static_cast<int>(left);
        bool is_open = false;
        uint32_t ends = 0;
        open.fill(Monoid::start());
#pragma unroll 1
        for (int t = 0; t < count; t += FLIGHT, ends >>= FLIGHT) {
            if (t % WORD == 0) {
                ends = own.ends(begin + t) >> begin % WORD;
            }
            const entry_flight<X, FLIGHT> entries = load(begin + t);
            fragment<Y, Vector> y[FLIGHT];
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
                y[u] = b.load_row(entries.row_of_b.value[u]);
            }
#pragma unroll
            for (int u = 0; u < FLIGHT; u++) {
#pragma unroll
                for (int v = 0; v < Vector; v++) {
                    const T term = multiply(entries.value.value[u], y[u].value[v], place,
                        entries.row_of_b.value[u], own.args.first_column + own.column + v);
                    const bool is_first = !Monoid::has_start && !is_open;
                    open.value[v] = is_first ? term : Monoid::add(open.value[v], term);
                }
                is_open = true;
                if (ends >> u & 1) {
                    end_row(place, open);
                    open.fill(Monoid::start());
                    is_open = false;
                    place++;
                }
            }
        }
        return is_open && is_whole;
    }

    __device__ void reduce() const
    {
        bool came_in = own.is_entered();
        sums open;
        const bool is_open = walk(open, own.begin(), TORC_SLICE_NNZ, own.place_at(own.begin()),
            [&](uint32_t place, const sums &sum) {
                own.finish(place, came_in, sum);
                came_in = false;
            });
        if (is_open) {
            own.leave(came_in, open);
        }
    }
};

} // namespace torc

#endif
