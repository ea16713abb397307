/* partition.h: which nonzeros a group of threads owns, and the statistics of the rows, from row offsets
 * alone.
 *
 * Rows of at most TORC_SEGMENT_NNZ entries are owned whole (row split). Longer ones are cut into segments of
 * TORC_SEGMENT_NNZ entries, the last one shorter (nonzero split): see cuda/spmm_args.h. The cuts depend on
 * the matrix only, never on the device, so that results have the same bits wherever they are computed.
 */
#ifndef TORC_PARTITION_H
#define TORC_PARTITION_H

#include "spmm_args.h"
#include <torc/torc.h>

typedef struct torc_partition {
    torc_statistics statistics;
    uint8_t *present;         /* nrows: 1 where a row has entries */
    torc_segment *segments;   /* nsegments, NULL if none */
    torc_long_row *long_rows; /* nlong_rows, NULL if none */
    int64_t nsegments, nlong_rows;
} torc_partition;

/* row_ptr: nrows+1 offsets of 32 or 64 bits. On error the partition is empty. */
torc_status torc_partition_build(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols);

void torc_partition_free(torc_partition *partition);

#endif
