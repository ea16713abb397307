/* slice_partition.cuh: the partition policy of a nonzero split: a group owns a slice, TORC_SLICE_NNZ
 * consecutive entries of A, whatever rows they are of; or Slices adjacent ones, as if they were one. Read by
 * nvcc and by NVRTC.
 *
 *     entries of a slice      . . a|b b b b b|c|d d d d d d .
 *                             row a began in the slice before, row d goes on in the next
 *
 * A row that begins and ends in the slice goes to C. What the slice has of the row that came in, and of the
 * one that goes on, is a row of partials each; the combining kernel folds them in the order of slices: the
 * merge-based SpMM of Yang, Buluc, Owens, Design Principles for Sparse Matrix Multiplication on the GPU
 * (Euro-Par 2018), with its carry-out, where a bit an entry says what ends and thus no row offset is read.
 * Every group has the same work, every result one writer.
 */
#ifndef TORC_SLICE_PARTITION_CUH
#define TORC_SLICE_PARTITION_CUH

#include "maybe.cuh"
#include "segment_partition.cuh"
#include "spmm_args.h"
#include "update.cuh"

namespace torc
{

/* Where a slice's partials of a row are. is_first: of the slices that the row lies in; else it came in. */
inline __device__ int64_t partial_of(int64_t slice, bool is_first)
{
    return 2 * slice + is_first;
}

/* The parts of a row: runs of Slices slices that it lies in. Where that is one, the row has no partials. Few
 * rows lie in many. */
template <int Slices>
struct slice_parts {
    static constexpr int IN_FLIGHT = 4; /* of a thread that combines them */
    static constexpr bool HAS_HEAVY_ROWS = true, MAY_BE_WHOLE = Slices > 1;

    static __device__ torc_split_row parts_of(const torc_split_row &row)
    {
        return {row.row, row.first / Slices, (row.last - 1) / Slices + 1};
    }

    static __device__ int64_t place_of(int64_t part, bool is_first)
    {
        return partial_of(part, is_first);
    }
};

/* Monoid: that of the reduction. */
template <class Monoid, int Vector, class Update, int Slices = 1>
struct slice_share {
    using sums = fragment<typename Monoid::type, Vector>;
    using T = typename value_in<typename Monoid::type>::type;
    static constexpr bool may_be_absent = value_in<typename Monoid::type>::may_be_absent;
    static constexpr bool is_plain = Update::is_plain && !may_be_absent;
    static constexpr int NNZ = Slices * TORC_SLICE_NNZ, WORD = 32; /* entries */
    static_assert(TORC_SLICE_NNZ % WORD == 0, "a slice has whole words of row_ends");

    const torc_spmm_args &args;
    int64_t slice;
    int64_t column; /* the thread's first one */
    bool stores;    /* or it only keeps the others company */

    __device__ int64_t begin() const
    {
        return slice * NNZ;
    }

    /* There are entries after these. */
    __device__ bool goes_on() const
    {
        return args.nnz - begin() > NNZ;
    }

    /* The place of the row that `entry` is in, the first of a slice. */
    __device__ uint32_t place_at(int64_t entry) const
    {
        return args.slice_rows[entry / TORC_SLICE_NNZ];
    }

    /* The word that knows of entry `from`: its bit p % WORD says that entry p of A is the last of its row. */
    __device__ uint32_t ends(int64_t from) const
    {
        return args.row_ends[from / WORD];
    }

    /* Of the entries from `from` on that lie in its word. */
    __device__ uint32_t ends_from(int64_t from) const
    {
        return ends(from) >> from % WORD;
    }

    /* Its first row came in from the slice before. */
    __device__ bool is_entered() const
    {
        return slice > 0 && !(ends(begin() - 1) >> (WORD - 1));
    }

    /* place: counts rows that have entries. */
    __device__ uint32_t row_of_a(uint32_t place) const
    {
        return args.rows ? args.rows[place] : place;
    }

    /* Of C. */
    __device__ uint32_t row_at(uint32_t place) const
    {
        return static_cast<uint32_t>(row_of_c(args, row_of_a(place)));
    }

    /* What positional operators take for i there; beyond the last place, something. */
    __device__ int64_t name_at(uint32_t place) const
    {
        const int64_t row = row_at(place < args.nonempty_rows ? place : args.nonempty_rows - 1);
        return args.row_names ? args.row_names[row] : row;
    }

    /* Of `count` entries, at most WORD, those whose results the mask lets the thread store, as bits. ends: of
     * them; place: of the first one's row. */
    __device__ uint32_t wanted(uint32_t ends, uint32_t place, int count) const
    {
        uint32_t wanted = 0, before = 0;
        const uint32_t all = ~0u >> (WORD - count);
        for (; before != all && place < args.nonempty_rows; place++) { /* a row a round */
            const uint32_t upto = (ends ^ (ends - 1)) & all;
            const int64_t at = row_at(place) * args.ldc + column;
            wanted |= any(Update::template allowed<Vector>(args, at)) ? upto & ~before : 0;
            before = upto;
            ends &= ends - 1;
        }
        return wanted;
    }

    /* Partials of the row that came in. */
    __device__ T *entered() const
    {
        return static_cast<T *>(args.partials) + partial_of(slice, false) * args.ncols;
    }

    __device__ void store(T *to, const fragment<T, Vector> &result) const
    {
        if (stores) {
            store_once(to, result);
        }
    }

    /* A row of partials. */
    __device__ void store_partial(T *row, const sums &result) const
    {
        fragment<bool, Vector> is_there;
        store(row + column, values_of<Monoid>(result, is_there));
        if constexpr (may_be_absent) {
            if (stores) {
                uint8_t *bitmap = args.partial_bitmap + (row - static_cast<T *>(args.partials)) + column;
                *reinterpret_cast<fragment<bool, Vector> *>(bitmap) = is_there;
            }
        }
    }

    /* A row of C, whole. */
    __device__ void store_row(uint32_t row, const sums &result) const
    {
        const int64_t at = row * args.ldc + column;
        fragment<bool, Vector> is_there;
        const fragment<T, Vector> values = values_of<Monoid>(result, is_there);
        if constexpr (is_plain) {
            store(static_cast<T *>(args.c) + at, values);
        } else if (stores) {
            Update::store(args, at, values, is_there, Update::template allowed<Vector>(args, at));
        }
    }

    /* The row at `place` ends here; the part of it that is in the slice. */
    __device__ void finish(uint32_t place, bool came_in, const sums &result) const
    {
        if (came_in) {
            store_partial(entered(), result);
        } else {
            store_row(row_at(place), result);
        }
    }

    /* The slice ends within a row. came_in: that row is the one that came in. */
    __device__ void leave(bool came_in, const sums &result) const
    {
        store_partial(static_cast<T *>(args.partials) + partial_of(slice, !came_in) * args.ncols, result);
    }
};

} // namespace torc

#endif
