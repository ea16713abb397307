/* partition.h: measuring and cutting the rows of a CSR matrix on the host, as the reference executor does.
 *
 * Row split: rows of at most TORC_SEGMENT_NNZ entries are owned whole, longer ones are cut into segments of
 * TORC_SEGMENT_NNZ entries, the last one shorter. Where blocks own long rows: rows of more than
 * TORC_SHORT_ROW entries are cut into pieces of TORC_PIECE_NNZ. Nonzero split: slices of TORC_SLICE_NNZ
 * entries, whatever their rows. See src/executor/spmm_args.h.
 */
#ifndef TORC_PARTITION_H
#define TORC_PARTITION_H

#include "backend.h"

/* Statistics and counts, no arrays. row_ptr: nrows+1 offsets of 32 or 64 bits. */
void torc_partition_measure(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols);

/* The same and, in host memory, presence and what a row split needs. On error the partition is empty. */
torc_status torc_partition_build(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols);

/* Add to a built partition what a nonzero split needs. On error the partition is empty. */
torc_status torc_partition_slice(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows);

void torc_partition_free(torc_partition *partition);

#endif
