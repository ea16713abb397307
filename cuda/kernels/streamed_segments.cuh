/* streamed_segments.cuh: the reduction policy of a nonzero split for the narrowest C: a block of two warps
 * streams TORC_STREAM_SLICES adjacent slices of A through shared memory. Read by nvcc and by NVRTC.
 *
 *     lanes    0 1 2 .. 31 | 0 1 2 .. 31 | ..     read A and B and multiply: adjacent lanes, adjacent entries
 *     terms    a a a b b b b b c d d d d d d ..   in shared memory
 *     lanes    |    0    |    1    |    2    |    add up: a run of RUN terms each
 *
 * Adjacent lanes ask for adjacent entries of A and for the rows of B that these name, which in many matrices
 * lie side by side too, so that a line is asked for once: CSR-Stream of Greathouse and Daga, Efficient Sparse
 * Matrix-Vector Multiplication on GPUs Using the CSR Storage Format (SC 2014). Runs of equal length, and a
 * scan of what is open after them, are those of Merrill and Garland, Merge-Based Parallel Sparse
 * Matrix-Vector Multiplication (SC 2016). Sums of rows take the place of the terms, in the order of rows, and
 * go to C side by side. Terms are added in their order.
 *
 * Few warps with many loads each, and little shared memory, leave L1 to B. Measured on an H200, N = 1: runs
 * of 8 terms in blocks of eight warps take up to 29 % longer in fp64, and at best 2 % less in fp32.
 */
#ifndef TORC_STREAMED_SEGMENTS_CUH
#define TORC_STREAMED_SEGMENTS_CUH

#include "nonzero_split.cuh"
#include "operators.cuh"
#include "segment_scan.cuh"
#include "sparse_row_access.cuh"

namespace torc
{

template <class Monoid, class Multiply, class A, class B, class Update, int Vector>
struct streamed_segments {
    using T = typename Monoid::type;
    using X = typename A::type;
    using Y = typename B::type;
    using scan = segment_scan<Monoid, 1, Vector, 32>; /* lanes are ways */
    using sums = typename scan::sums;
    static constexpr bool reads_k = B::is_array || Multiply::is_positional;
    static constexpr int WARP = 32, SIZE = sizeof(sums);
    static constexpr int NNZ = TORC_STREAM_SLICES * TORC_SLICE_NNZ / 2,
                         RUN = NNZ / WARP; /* of a warp, a lane */
    static_assert(TORC_STREAM_THREADS == 2 * WARP, "a first warp hands on to a second");
    static_assert(SIZE <= 16 && (SIZE & (SIZE - 1)) == 0, "runs are read 16 bytes at once");

    /* A gap of 16 bytes after each 128 keeps the lanes' runs out of each other's banks. */
    static constexpr int LOAD = 16 / SIZE < RUN ? 16 / SIZE : RUN, GAP = 16 / SIZE;
    static constexpr int BANKS = 128 / SIZE < WARP ? 128 / SIZE : WARP; /* terms between gaps */
    static constexpr int ROOM = NNZ + NNZ / BANKS * GAP;
    static_assert(WARP % BANKS == 0 && (RUN % BANKS == 0 || BANKS % RUN == 0), "places add up");

    /* What a warp's entries leave. */
    struct remainder {
        sums open; /* of the row that goes on, if is_open */
        bool is_open;
        int rows; /* that end */
    };

    slice_share<Monoid, Vector, Update, TORC_STREAM_SLICES> own; /* the block's */
    lane_group<WARP> group;

    __device__ explicit streamed_segments(
        const slice_share<Monoid, Vector, Update, TORC_STREAM_SLICES> &given)
        : own(given), group(threadIdx.x)
    {
    }

    static __device__ int place_of(int term)
    {
        return term + term / BANKS * GAP;
    }

    /* Entries begin + lane, begin + lane + WARP .. of A; its last one stands in for those beyond. */
    template <bool IsWhole>
    __device__ entry_flight<X, RUN> load(int64_t begin) const
    {
        entry_flight<X, RUN> entries;
        const A a(own.args.a, begin + group.lane);
        const uint32_t *columns = own.args.col_idx + begin + group.lane;
        const int64_t left = own.args.nnz - 1 - (begin + group.lane);
#pragma unroll
        for (int u = 0; u < RUN; u++) {
            const int64_t at = IsWhole || u * WARP <= left ? u * WARP : left;
            entries.row_of_b.value[u] = reads_k ? load_once(columns + at) : 0;
            entries.value.value[u] = a.load_value_once(at);
        }
        return entries;
    }

    /* The lane's terms of the warp's entries from `begin` on, the first of them in the row at `place`. */
    __device__ void multiply(sums *terms, int64_t begin, uint32_t place) const
    {
        const entry_flight<X, RUN> entries =
            begin + NNZ <= own.args.nnz ? load<true>(begin) : load<false>(begin);
        const B b(own.args.b, own.column, own.args.ldb);
        fragment<Y, Vector> y[RUN];
#pragma unroll
        for (int u = 0; u < RUN; u++) {
            y[u] = b.load_row(entries.row_of_b.value[u]);
        }
#pragma unroll
        for (int u = 0; u < RUN; u++) {
            int64_t row = 0;
            if constexpr (Multiply::is_positional) {
                const int64_t first = begin + u * WARP;
                const uint32_t ends = first < own.args.nnz ? own.ends(first) : 0;
                row = own.name_at(place + __popc(ends & ((1u << group.lane) - 1)));
                place += __popc(ends);
            }
            sums term;
#pragma unroll
            for (int v = 0; v < Vector; v++) {
                if constexpr (Multiply::is_positional) {
                    const int64_t j = own.args.first_column + own.column + v;
                    term.value[v] = Multiply::at(row, entries.row_of_b.value[u], j);
                } else {
                    term.value[v] = Multiply::multiply(entries.value.value[u], y[u].value[v]);
                }
            }
            terms[place_of(u * WARP) + place_of(group.lane)] = term;
        }
    }

    /* Rows that end in runs of lower lanes. */
    __device__ int ends_before(uint32_t ends) const
    {
        int count = __popc(ends);
#pragma unroll
        for (int step = 1; step < WARP; step *= 2) {
            const int other = group.broadcast(count, group.lane - step);
            count += group.lane >= step ? other : 0;
        }
        return count - __popc(ends);
    }

    /* Put the sums of rows that end in the place of a warp's terms. ends: of the lane's run. */
    __device__ remainder add_up(sums *terms, uint32_t ends) const
    {
        const int before = ends_before(ends), lane = group.lane;
        __syncwarp();
        fragment<sums, LOAD> run[RUN / LOAD];
#pragma unroll
        for (int u = 0; u < RUN; u += LOAD) {
            const sums *from = terms + place_of(lane * RUN) + place_of(u);
            run[u / LOAD] = *reinterpret_cast<const fragment<sums, LOAD> *>(from);
        }
        __syncwarp();
        sums open;
        int row = before;
#pragma unroll
        for (int u = 0; u < RUN; u++) {
            const sums &term = run[u / LOAD].value[u % LOAD];
            open = u > 0 && !(asked_anew(ends) >> (u - 1) & 1) ? scan::add(open, term) : term;
            if (ends >> u & 1) {
                terms[row++] = open;
            }
        }

        const uint32_t ended = __ballot_sync(group.mask, ends != 0);
        const uint32_t opened = __ballot_sync(group.mask, !(ends >> (RUN - 1) & 1));
        const scan lanes{group};
        open = lanes.open_after(open, ended, opened);
        const sums head = lanes.from_way(open, lane - 1);
        if (ends && lane > 0 && (opened >> (lane - 1) & 1)) {
            terms[before] = scan::add(head, terms[before]);
        }
        __syncwarp();
        return {lanes.from_way(open, WARP - 1), (opened >> (WARP - 1)) != 0, group.broadcast(row, WARP - 1)};
    }

    __device__ void reduce() const
    {
        alignas(16) __shared__ unsigned char memory[2][ROOM * SIZE];
        alignas(16) __shared__ unsigned char handed_on[sizeof(remainder)];
        remainder &of_first = *reinterpret_cast<remainder *>(handed_on);
        const int warp = threadIdx.x / WARP;
        sums *terms = reinterpret_cast<sums *>(memory[warp]);
        const int64_t begin = own.begin() + warp * NNZ, run = begin + group.lane * RUN;
        const bool has_entries = begin < own.args.nnz, is_entered = own.is_entered();
        uint32_t place = 0;
        remainder left = {};
        if (has_entries) {
            const uint32_t word = run < own.args.nnz ? own.ends(run) : 0;
            place = own.place_at(begin);
            multiply(terms, begin, place);
            left = add_up(terms, word >> run % own.WORD & ((1u << RUN) - 1));
        }
        if (warp == 0 && group.lane == 0) {
            of_first = left;
        }
        __syncthreads();
        if (!has_entries) {
            return;
        }
        const bool has_carry = warp == 1 && of_first.is_open;
        const bool came_in = is_entered && (warp == 0 || of_first.rows == 0);
        for (int row = group.lane; row < left.rows; row += WARP) {
            const bool is_carried_on = has_carry && row == 0;
            own.finish(place + row, came_in && row == 0,
                is_carried_on ? scan::add(of_first.open, terms[row]) : terms[row]);
        }
        if (warp == 1 && group.lane == 0 && left.is_open && own.goes_on()) {
            const bool is_whole = left.rows == 0;
            own.leave(
                came_in && is_whole, has_carry && is_whole ? scan::add(of_first.open, left.open) : left.open);
        }
    }
};

template <int Lanes, int Vector, int>
struct streamed {
    static constexpr int BLOCK = TORC_STREAM_THREADS, LANES = Lanes, VECTOR = Vector;
    static constexpr bool TAKES_MASKS = false;
    using parts = slice_parts<TORC_STREAM_SLICES>;
    static_assert(Lanes == 1, "for the narrowest C");

    template <class Product>
    static __device__ void multiply(const torc_spmm_args &args)
    {
        using P = Product;
        using reduction = streamed_segments<typename P::Monoid, typename P::Multiply, typename P::Sparse,
            typename P::Dense, typename P::Update, Vector>;
        multiply_slices<P, Lanes, Vector, BLOCK, TORC_STREAM_SLICES, BLOCK, reduction>(args, args.nslices);
    }
};

} // namespace torc

#endif
