/* bundled_rows.cuh: the partition policy of a row split for short rows: a group owns TORC_BUNDLE_ROWS
 * adjacent rows that have entries and walks them as if they were a slice of a nonzero split. Read by nvcc and
 * by NVRTC.
 *
 *     rows of a group       |a a|b|c c c|d d|              as they lie in A
 *     rows of B             a0 a1 b0 c0   c1 c2 d0 d1      FLIGHT at a time, across ends of rows
 *
 * A row of its own has too few entries to hide the way from its offsets by its entries to rows of B. A slice
 * has so many rows that those under way at once do not fit into L2 any more, where neighbouring rows name the
 * same rows of B. Measured on an H200, a road grid, N = 128, fp32: slices read 1.94 GB from memory, single
 * rows 1.05, and wait (bench/results/2026-11-21-h200-bundles.txt).
 */
#ifndef TORC_BUNDLED_ROWS_CUH
#define TORC_BUNDLED_ROWS_CUH

#include "nonzero_split.cuh"
#include "segment_partition.cuh"

namespace torc
{

/* slice: the bundle's number, so that what slice_share says of a slice's entries does not hold. end: of the
 * bundle's, which may begin and end within a word. */
template <class Monoid, int Vector, class Update>
struct bundle_share : slice_share<Monoid, Vector, Update> {
    int64_t end;

    /* Of the bundle's entries from `from` on, WORD at most. */
    __device__ uint32_t ends_from(int64_t from) const
    {
        constexpr int WORD = bundle_share::WORD;
        const int64_t left = end - from;
        const bool reaches_over = from % WORD + left > WORD;
        const uint32_t word = this->ends(from), next = reaches_over ? this->ends(from + WORD) : 0;
        const uint32_t ends = __funnelshift_r(word, next, static_cast<uint32_t>(from));
        return left < WORD ? ends & ((1u << left) - 1) : ends;
    }
};

template <class Monoid, class Multiply, class A, class B, class Presence, class Update, class Offset,
    int Lanes, int Vector>
struct bundled_rows {
    using share = bundle_share<Monoid, Vector, Update>;
    using walker = sequential_segments<Monoid, Multiply, A, B, Presence, Update, Lanes, Vector, 4, share>;
    static_assert(walker::CACHES, "a bundle begins anywhere, and entries read directly are aligned");
    static constexpr int ROWS = TORC_BUNDLE_ROWS;

    slice_share<Monoid, Vector, Update> own;

    __device__ void reduce() const
    {
        const Offset *row_ptr = static_cast<const Offset *>(own.args.row_ptr);
        const int64_t first = own.slice * ROWS, left = own.args.nonempty_rows - first;
        const int64_t last = first + (left < ROWS ? left : ROWS) - 1;
        const int64_t begin = row_ptr[own.row_of_a(static_cast<uint32_t>(first))];
        const int64_t end = row_ptr[own.row_of_a(static_cast<uint32_t>(last)) + 1];
        typename share::sums open;
        walker{{own, end}}.walk(open, begin, static_cast<int>(end - begin), static_cast<uint32_t>(first),
            [&](uint32_t place, const typename share::sums &sum) { own.store_row(own.row_at(place), sum); });
    }
};

template <int Lanes, int Vector, int>
struct bundles {
    static constexpr int BLOCK = TORC_BLOCK_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = false;
    using parts = segment_parts;

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        using reduction = bundled_rows<typename P::Monoid, typename P::Multiply, typename P::Sparse,
            typename P::Dense, typename P::Presence, typename P::Update, typename P::Offset, Lanes, Vector>;
        const int64_t count = (args.nonempty_rows + TORC_BUNDLE_ROWS - 1) / TORC_BUNDLE_ROWS;
        multiply_slices<P, Lanes, Vector, Lanes, 1, BLOCK, reduction>(args, count);
    }
};

} // namespace torc

#endif
