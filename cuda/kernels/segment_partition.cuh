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
    int count;
    T *result;
    bool is_segment; /* of a split row: the result is a row of partials */
};

/* A row of at most Most entries. */
template <class T, class Offset, int Most>
__device__ share<T> share_of_row(const torc_spmm_args &args, int64_t row)
{
    if (row >= args.nrows) {
        return {0, 0, 0, nullptr, false};
    }
    const Offset *row_ptr = static_cast<const Offset *>(args.row_ptr);
    const Offset begin = row_ptr[row], nnz = row_ptr[row + 1] - begin;
    if (nnz > Most) {
        return {0, 0, 0, nullptr, false};
    }
    const int64_t to = row_of_c(args, row);
    return {to, static_cast<int64_t>(begin), static_cast<int>(nnz), static_cast<T *>(args.c) + to * args.ldc,
        false};
}

/* A segment; is_part: of a split row. */
template <class T>
__device__ share<T> share_of_segment(const torc_spmm_args &args, int64_t number, bool is_part)
{
    const torc_segment segment = args.segments[number];
    const int64_t to = row_of_c(args, segment.row);
    T *result = is_part ? static_cast<T *>(args.partials) + number * args.ncols
                        : static_cast<T *>(args.c) + to * args.ldc;
    return {to, segment.begin, static_cast<int>(segment.end - segment.begin), result, is_part};
}

template <class T, class Offset>
__device__ share<T> share_of(const torc_spmm_args &args, int64_t group)
{
    return group < args.nsegments ? share_of_segment<T>(args, group, true)
                                  : share_of_row<T, Offset, TORC_SEGMENT_NNZ>(args, group - args.nsegments);
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
