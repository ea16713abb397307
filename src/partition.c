#include "partition.h"
#include "offsets.h"
#include <math.h>
#include <stdlib.h>

static void measure(torc_partition *partition, const void *row_ptr, int bits, int64_t nrows)
{
    torc_statistics *s = &partition->statistics;
    double squares = 0;
    for (int64_t i = 0; i < nrows; i++) {
        int64_t length = torc_offset(row_ptr, bits, i + 1) - torc_offset(row_ptr, bits, i);
        partition->present[i] = length > 0;
        s->empty_rows += length == 0;
        s->max_row = length > s->max_row ? length : s->max_row;
        squares += (double)length * (double)length;
        if (length > TORC_SEGMENT_NNZ) {
            partition->nlong_rows++;
            partition->nsegments += (length + TORC_SEGMENT_NNZ - 1) / TORC_SEGMENT_NNZ;
        }
    }
    if (nrows > 0) {
        s->mean_row = (double)s->nnz / (double)nrows;
        s->deviation_row = sqrt(fmax(0, squares / (double)nrows - s->mean_row * s->mean_row));
    }
}

static void cut_long_rows(torc_partition *partition, const void *row_ptr, int bits, int64_t nrows)
{
    int64_t segment = 0, long_row = 0;
    for (int64_t i = 0; i < nrows; i++) {
        int64_t begin = torc_offset(row_ptr, bits, i), end = torc_offset(row_ptr, bits, i + 1);
        if (end - begin <= TORC_SEGMENT_NNZ) {
            continue;
        }
        int64_t first = segment;
        for (int64_t p = begin; p < end; p += TORC_SEGMENT_NNZ) {
            int64_t stop = end - p > TORC_SEGMENT_NNZ ? p + TORC_SEGMENT_NNZ : end;
            partition->segments[segment++] = (torc_segment){i, p, stop};
        }
        partition->long_rows[long_row++] = (torc_long_row){i, first, segment};
    }
}

torc_status torc_partition_build(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols)
{
    *partition = (torc_partition){
        .statistics = {.nrows = nrows, .ncols = ncols, .nnz = torc_offset(row_ptr, row_ptr_bits, nrows)}};
    partition->present = malloc((size_t)nrows + 1);
    if (!partition->present) {
        torc_partition_free(partition);
        return TORC_OUT_OF_MEMORY;
    }
    measure(partition, row_ptr, row_ptr_bits, nrows);
    if (partition->nlong_rows == 0) {
        return TORC_SUCCESS;
    }
    partition->segments = malloc((size_t)partition->nsegments * sizeof *partition->segments);
    partition->long_rows = malloc((size_t)partition->nlong_rows * sizeof *partition->long_rows);
    if (!partition->segments || !partition->long_rows) {
        torc_partition_free(partition);
        return TORC_OUT_OF_MEMORY;
    }
    cut_long_rows(partition, row_ptr, row_ptr_bits, nrows);
    return TORC_SUCCESS;
}

void torc_partition_free(torc_partition *partition)
{
    free(partition->present);
    free(partition->segments);
    free(partition->long_rows);
    *partition = (torc_partition){0};
}
