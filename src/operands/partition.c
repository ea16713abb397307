#include "partition.h"
#include "offsets.h"
#include <math.h>
#include <stdlib.h>

/* Where the matrix begins and ends: a window of rows need not begin at 0. */
typedef struct matrix {
    const void *row_ptr;
    int bits;
    int64_t nrows, ncols;
} matrix;

static int64_t offset(const matrix *A, int64_t i)
{
    return torc_offset(A->row_ptr, A->bits, i);
}

/* The slices that a row of at least one entry lies in. */
static int64_t slices_of(int64_t begin, int64_t end)
{
    return (end - 1) / TORC_SLICE_NNZ + 1 - begin / TORC_SLICE_NNZ;
}

/* The parts of at most `most` entries that a row is cut into if it has more than `least`; else 0. */
static int64_t parts_of(int64_t length, int64_t least, int64_t most)
{
    return length > least ? (length + most - 1) / most : 0;
}

static void measure(torc_partition *partition, const matrix *A)
{
    int64_t empty_rows = 0, max_row = 0;
    double squares = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        int64_t begin = offset(A, i), end = offset(A, i + 1), length = end - begin;
        squares += (double)length * (double)length;
        empty_rows += length == 0;
        max_row = length > max_row ? length : max_row;
        int64_t segments = parts_of(length, TORC_SEGMENT_NNZ, TORC_SEGMENT_NNZ);
        int64_t pieces = parts_of(length, TORC_SHORT_ROW, TORC_PIECE_NNZ);
        partition->nlong_rows += segments > 0;
        partition->nsegments += segments;
        partition->npieced_rows += pieces > 1;
        partition->npieces += pieces;
        partition->nsplit_pieces += pieces > 1 ? pieces : 0;
        partition->nspanning_rows += length > 0 && slices_of(begin, end) > 1;
        partition->nheavy_rows += length > 0 && slices_of(begin, end) > TORC_HEAVY_SLICES;
    }
    int64_t nnz = offset(A, A->nrows);
    partition->nslices = (nnz + TORC_SLICE_NNZ - 1) / TORC_SLICE_NNZ;
    torc_statistics *s = &partition->statistics;
    *s = (torc_statistics){
        .nrows = A->nrows, .ncols = A->ncols, .nnz = nnz, .empty_rows = empty_rows, .max_row = max_row};
    if (A->nrows > 0) {
        s->mean_row = (double)nnz / (double)A->nrows;
        s->deviation_row = sqrt(fmax(0, squares / (double)A->nrows - s->mean_row * s->mean_row));
    }
}

/* Rows of more than `least` entries, cut into parts of at most `most`: first the parts of rows that have
 * several, nsplit of them. */
static void cut_long_rows(torc_segment *parts, torc_split_row *split_rows, const matrix *A, int64_t least,
    int64_t most, int64_t nsplit)
{
    int64_t part = 0, split_row = 0, alone = nsplit;
    for (int64_t i = 0; i < A->nrows; i++) {
        int64_t begin = offset(A, i), end = offset(A, i + 1), count = parts_of(end - begin, least, most);
        if (count == 1) {
            parts[alone++] = (torc_segment){i, begin, end};
        }
        if (count < 2) {
            continue;
        }
        int64_t first = part;
        for (int64_t p = begin; p < end; p += most) {
            parts[part++] = (torc_segment){i, p, end - p > most ? p + most : end};
        }
        split_rows[split_row++] = (torc_split_row){i, first, part};
    }
}

static void list_rows(torc_partition *partition, const matrix *A)
{
    int64_t with_entries = 0, without = A->nrows - partition->statistics.empty_rows;
    for (int64_t i = 0; i < A->nrows; i++) {
        bool has_entries = offset(A, i + 1) > offset(A, i);
        partition->present[i] = has_entries;
        partition->rows[has_entries ? with_entries++ : without++] = (uint32_t)i;
    }
}

static void cut_slices(torc_partition *partition, const matrix *A)
{
    int64_t place = 0, slice = 0, heavy = 0, spanning = partition->nheavy_rows; /* place: in `rows` */
    for (int64_t i = 0; i < A->nrows; i++) {
        int64_t begin = offset(A, i), end = offset(A, i + 1);
        if (end == begin) {
            continue;
        }
        partition->row_ends[(end - 1) / 32] |= UINT32_C(1) << (end - 1) % 32;
        for (; slice * TORC_SLICE_NNZ < end; slice++) {
            partition->slice_rows[slice] = (uint32_t)place;
        }
        int64_t count = slices_of(begin, end), first = begin / TORC_SLICE_NNZ;
        if (count > 1) {
            partition->spanning_rows[count > TORC_HEAVY_SLICES ? heavy++ : spanning++] =
                (torc_split_row){i, first, first + count};
        }
        place++;
    }
}

static void *array(int64_t count, size_t size)
{
    return calloc((size_t)count + 1, size);
}

void torc_partition_measure(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols)
{
    const matrix A = {row_ptr, row_ptr_bits, nrows, ncols};
    *partition = (torc_partition){.nsegments = 0};
    measure(partition, &A);
}

torc_status torc_partition_build(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows, int64_t ncols)
{
    const matrix A = {row_ptr, row_ptr_bits, nrows, ncols};
    torc_partition_measure(partition, row_ptr, row_ptr_bits, nrows, ncols);
    partition->present = array(nrows, sizeof *partition->present);
    partition->rows = array(nrows, sizeof *partition->rows);
    partition->segments = array(partition->nsegments, sizeof *partition->segments);
    partition->long_rows = array(partition->nlong_rows, sizeof *partition->long_rows);
    partition->pieces = array(partition->npieces, sizeof *partition->pieces);
    partition->pieced_rows = array(partition->npieced_rows, sizeof *partition->pieced_rows);
    if (!partition->present || !partition->rows || !partition->segments || !partition->long_rows ||
        !partition->pieces || !partition->pieced_rows) {
        torc_partition_free(partition);
        return TORC_OUT_OF_MEMORY;
    }
    list_rows(partition, &A);
    cut_long_rows(partition->segments, partition->long_rows, &A, TORC_SEGMENT_NNZ, TORC_SEGMENT_NNZ,
        partition->nsegments);
    cut_long_rows(partition->pieces, partition->pieced_rows, &A, TORC_SHORT_ROW, TORC_PIECE_NNZ,
        partition->nsplit_pieces);
    return TORC_SUCCESS;
}

torc_status torc_partition_slice(
    torc_partition *partition, const void *row_ptr, int row_ptr_bits, int64_t nrows)
{
    const matrix A = {row_ptr, row_ptr_bits, nrows, partition->statistics.ncols};
    partition->row_ends = array(partition->nslices * (TORC_SLICE_NNZ / 32), sizeof *partition->row_ends);
    partition->slice_rows = array(partition->nslices, sizeof *partition->slice_rows);
    partition->spanning_rows = array(partition->nspanning_rows, sizeof *partition->spanning_rows);
    if (!partition->row_ends || !partition->slice_rows || !partition->spanning_rows) {
        torc_partition_free(partition);
        return TORC_OUT_OF_MEMORY;
    }
    cut_slices(partition, &A);
    return TORC_SUCCESS;
}

void torc_partition_free(torc_partition *partition)
{
    free(partition->present);
    free(partition->segments);
    free(partition->long_rows);
    free(partition->pieces);
    free(partition->pieced_rows);
    free(partition->row_ends);
    free(partition->rows);
    free(partition->slice_rows);
    free(partition->spanning_rows);
    *partition = (torc_partition){.nsegments = 0};
}
