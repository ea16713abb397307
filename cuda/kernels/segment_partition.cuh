/* segment_partition.cuh: the partition policy: which entries of A a group of threads owns. Read by nvcc and
 * by NVRTC.
 *
 *     groups  0 .. nsegments-1    a segment of a long row each; the result is a row of partials
 *             then nrows          a row each; the result is that row of C; nothing to do for a long one
 *
 * Row split, with the nonzero split of Yang, Buluc and Owens at a fixed granularity for long rows. Segments
 * come first because they are the longest work and groups start in about this order. Every entry has one
 * owner and every result one writer, so nothing is zeroed and nothing is atomic.
 */
#ifndef TORC_SEGMENT_PARTITION_CUH
#define TORC_SEGMENT_PARTITION_CUH

#include "spmm_args.h"

namespace torc
{

/* Where the result of a row of A goes. */
inline __device__ int64_t row_of_c(const torc_spmm_args &args, int64_t row)
{
    return args.c_rows ? args.c_rows[row] : row;
}

/* Entries begin .. begin+count-1 of a row and where their result goes; result is NULL where there is nothing
 * to do. */
template <class T>
struct share {
    int64_t row, begin; /* row: of C */
    int count;          /* at most TORC_SEGMENT_NNZ */
    T *result;
    bool is_segment; /* of a long row: the result is a row of partials */
};

template <class T, class Offset>
__device__ share<T> share_of(const torc_spmm_args &args, int64_t group)
{
    if (group < args.nsegments) {
        const torc_segment segment = args.segments[group];
        return {row_of_c(args, segment.row), segment.begin, static_cast<int>(segment.end - segment.begin),
            static_cast<T *>(args.partials) + group * args.ncols, true};
    }
    const int64_t row = group - args.nsegments;
    if (row >= args.nrows) {
        return {0, 0, 0, nullptr, false};
    }
    const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr);
    const Offset begin = row_ptr[row], nnz = row_ptr[row + 1] - begin;
    if (nnz > TORC_SEGMENT_NNZ) {
        return {0, 0, 0, nullptr, false};
    }
    const int64_t to = row_of_c(args, row);
    return {to, static_cast<int64_t>(begin), static_cast<int>(nnz), static_cast<T *>(args.c) + to * args.ldc,
        false};
}

/* The parts of a long row: its segments, a row of partials each. */
struct segment_parts {
    static constexpr int IN_FLIGHT = 8; /* of a thread that combines them */
    static constexpr bool HAS_HEAVY_ROWS = false, MAY_BE_WHOLE = false;

    static __device__ torc_split_row parts_of(const torc_split_row &row)
    {
        return row;
    }

    static __device__ int64_t place_of(int64_t part, bool)
    {
        return part;
    }
};

} // namespace torc

#endif
