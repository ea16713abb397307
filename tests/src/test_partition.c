/* The partition of rows, without arithmetic: every entry has one owner in either split, and the statistics
 * are the naive ones. */
#include "partition.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

/* Each entry is owned once: by its row if that is short, else by a segment of it. */
static void check_cover(
    const torc_partition *partition, const int64_t *row_ptr, int64_t nrows, const char *name)
{
    unsigned char *owners = calloc((size_t)row_ptr[nrows] + 1, 1);
    int64_t long_rows = 0, segments = 0;
    cr_assert(owners);
    for (int64_t i = 0; i < nrows; i++) {
        if (row_ptr[i + 1] - row_ptr[i] <= TORC_SEGMENT_NNZ) {
            for (int64_t p = row_ptr[i]; p < row_ptr[i + 1]; p++) {
                owners[p]++;
            }
            continue;
        }
        cr_assert(long_rows < partition->nlong_rows, "%s: row %ld is long and not listed", name, i);
        torc_split_row listed = partition->long_rows[long_rows++];
        cr_assert(listed.row == i && listed.first == segments, "%s: long row %ld", name, i);
        for (int64_t s = listed.first; s < listed.last; s++, segments++) {
            torc_segment segment = partition->segments[s];
            cr_assert(segment.begin < segment.end && segment.end - segment.begin <= TORC_SEGMENT_NNZ,
                "%s: segment %ld has %ld entries", name, s, segment.end - segment.begin);
            cr_assert(segment.begin >= row_ptr[i] && segment.end <= row_ptr[i + 1],
                "%s: segment %ld leaves row %ld", name, s, i);
            for (int64_t p = segment.begin; p < segment.end; p++) {
                owners[p]++;
            }
        }
    }
    cr_assert(long_rows == partition->nlong_rows && segments == partition->nsegments,
        "%s: segments or long rows that belong to no row", name);
    for (int64_t p = 0; p < row_ptr[nrows]; p++) {
        cr_assert(owners[p] == 1, "%s: entry %ld has %d owners", name, p, owners[p]);
    }
    free(owners);
}

/* Each entry of a row that is too long for a group has one piece: those of split rows first, rows that are
 * one piece after them. */
static void check_pieces(
    const torc_partition *partition, const int64_t *row_ptr, int64_t nrows, const char *name)
{
    int64_t split = 0, piece = 0, alone = partition->nsplit_pieces;
    for (int64_t i = 0; i < nrows; i++) {
        int64_t begin = row_ptr[i], end = row_ptr[i + 1];
        if (end - begin <= TORC_SHORT_ROW) {
            continue;
        }
        if (end - begin <= TORC_PIECE_NNZ) {
            cr_assert(alone < partition->npieces, "%s: row %ld has no piece", name, i);
            torc_segment only = partition->pieces[alone++];
            cr_assert(only.row == i && only.begin == begin && only.end == end, "%s: row %ld", name, i);
            continue;
        }
        cr_assert(split < partition->npieced_rows, "%s: row %ld is split and not listed", name, i);
        torc_split_row listed = partition->pieced_rows[split++];
        cr_assert(listed.row == i && listed.first == piece, "%s: split row %ld", name, i);
        for (int64_t p = begin; p < end; p += TORC_PIECE_NNZ) {
            torc_segment part = partition->pieces[piece++];
            int64_t stop = p + TORC_PIECE_NNZ < end ? p + TORC_PIECE_NNZ : end;
            cr_assert(part.row == i && part.begin == p && part.end == stop, "%s: row %ld at %ld", name, i, p);
        }
        cr_assert(listed.last == piece, "%s: pieces of row %ld", name, i);
    }
    cr_assert(
        split == partition->npieced_rows && piece == partition->nsplit_pieces && alone == partition->npieces,
        "%s: pieces or rows that are nobody's", name);
}

/* Each entry is in the row that its slice and the ends before it say, rows are listed once, and the rows that
 * lie in several slices are known. */
static void check_slices(
    const torc_partition *partition, const int64_t *row_ptr, int64_t nrows, const char *name)
{
    int64_t nnz = row_ptr[nrows], nonempty = nrows - partition->statistics.empty_rows, place = 0;
    int64_t heavy = 0, spanning = partition->nheavy_rows;
    cr_assert(partition->nslices == (nnz + TORC_SLICE_NNZ - 1) / TORC_SLICE_NNZ, "%s: slices", name);
    for (int64_t t = 0; t < nrows; t++) {
        int64_t row = partition->rows[t];
        cr_assert(row < nrows && (row_ptr[row + 1] > row_ptr[row]) == (t < nonempty), "%s: row %ld", name, t);
        cr_assert(t == 0 || t == nonempty || partition->rows[t - 1] < row, "%s: rows ascend at %ld", name, t);
    }
    for (int64_t p = 0; p < nnz; p++) {
        int64_t slice = p / TORC_SLICE_NNZ, row = partition->rows[place];
        cr_assert(p % TORC_SLICE_NNZ || partition->slice_rows[slice] == place, "%s: slice %ld", name, slice);
        cr_assert(row_ptr[row] <= p && p < row_ptr[row + 1], "%s: entry %ld in row %ld", name, p, row);
        bool ends = partition->row_ends[p / 32] >> p % 32 & 1;
        cr_assert(ends == (p + 1 == row_ptr[row + 1]), "%s: the end at entry %ld", name, p);
        int64_t first = row_ptr[row] / TORC_SLICE_NNZ;
        if (ends && first != slice) {
            int64_t *next = slice + 1 - first > TORC_HEAVY_SLICES ? &heavy : &spanning;
            cr_assert(*next < partition->nspanning_rows, "%s: row %ld spans and is not listed", name, row);
            torc_split_row listed = partition->spanning_rows[(*next)++];
            cr_assert(listed.row == row && listed.first == first && listed.last == slice + 1,
                "%s: spanning row %ld", name, row);
        }
        place += ends;
    }
    cr_assert(place == nonempty, "%s: %ld rows end", name, place);
    cr_assert(
        heavy == partition->nheavy_rows && spanning == partition->nspanning_rows, "%s: rows listed", name);
}

static void check_statistics(
    const torc_partition *partition, const int64_t *row_ptr, int64_t nrows, int64_t ncols, const char *name)
{
    const torc_statistics *s = &partition->statistics;
    double mean = nrows > 0 ? (double)row_ptr[nrows] / (double)nrows : 0, squares = 0;
    int64_t empty = 0, longest = 0;
    for (int64_t i = 0; i < nrows; i++) {
        int64_t length = row_ptr[i + 1] - row_ptr[i];
        empty += length == 0;
        longest = length > longest ? length : longest;
        squares += ((double)length - mean) * ((double)length - mean);
        cr_assert(partition->present[i] == (length > 0), "%s: presence of row %ld", name, i);
    }
    double deviation = nrows > 0 ? sqrt(squares / (double)nrows) : 0;
    cr_assert(s->nrows == nrows && s->ncols == ncols && s->nnz == row_ptr[nrows], "%s: shape", name);
    cr_assert(s->empty_rows == empty && s->max_row == longest, "%s: extremes", name);
    cr_assert(s->mean_row == mean, "%s: mean %g, not %g", name, s->mean_row, mean);
    /* Two formulas for one number: they cancel differently, by rounding errors of squares of at most max_row.
     */
    cr_assert(fabs(s->deviation_row - deviation) <= 1e-6 * (double)(longest + 1), "%s: deviation %g, not %g",
        name, s->deviation_row, deviation);
}

static void check(const int64_t *lengths, int64_t nrows, const char *name)
{
    int64_t *row_ptr = calloc((size_t)nrows + 2, sizeof *row_ptr);
    uint32_t *narrow = calloc((size_t)nrows + 1, sizeof *narrow);
    cr_assert(row_ptr && narrow);
    for (int64_t i = 0; i < nrows; i++) {
        row_ptr[i + 1] = row_ptr[i] + lengths[i];
        narrow[i + 1] = (uint32_t)row_ptr[i + 1];
    }
    for (int bits = 32; bits <= 64; bits += 32) {
        torc_partition partition;
        const void *offsets = bits == 32 ? (const void *)narrow : row_ptr;
        cr_assert(torc_partition_build(&partition, offsets, bits, nrows, 123456) == TORC_SUCCESS);
        check_cover(&partition, row_ptr, nrows, name);
        check_pieces(&partition, row_ptr, nrows, name);
        cr_assert(torc_partition_slice(&partition, offsets, bits, nrows) == TORC_SUCCESS);
        check_slices(&partition, row_ptr, nrows, name);
        check_statistics(&partition, row_ptr, nrows, 123456, name);
        torc_partition_free(&partition);
        cr_assert(!partition.present && !partition.segments && !partition.slice_rows);
    }
    free(row_ptr);
    free(narrow);
}

Test(partition, covers_every_entry_of_ugly_rows_once)
{
    static const int64_t ugly[] = {
        0, 1, 31, 64, 65, 127, 128, 129, 511, 512, 513, 1024, 1025, 4096, 4100, 100000};
    enum { COUNT = sizeof ugly / sizeof ugly[0] };
    char name[64];
    check(ugly, 0, "no rows");
    check(ugly, COUNT, "all of them");
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "one row of %ld", ugly[i]);
        check(&ugly[i], 1, name);
        for (int j = 0; j < COUNT; j++) {
            int64_t rows[] = {0, ugly[i], ugly[j], 0};
            snprintf(name, sizeof name, "rows of 0, %ld, %ld, 0", ugly[i], ugly[j]);
            check(rows, 4, name);
        }
    }
}

Test(partition, covers_every_entry_of_random_rows_once)
{
    enum { MAX_ROWS = 400 };
    for (uint64_t number = 0; number < 100; number++) {
        uint64_t seed = number;
        int64_t lengths[MAX_ROWS], nrows = random_below(&seed, MAX_ROWS);
        for (int64_t i = 0; i < nrows; i++) {
            static const int64_t bounds[] = {1, 4, 600, 3000}; /* empty, short, around the limit, long */
            lengths[i] = random_below(&seed, bounds[random_below(&seed, 4)]);
        }
        char name[32];
        snprintf(name, sizeof name, "seed %lu", (unsigned long)number);
        check(lengths, nrows, name);
    }
}

Test(partition, reads_offsets_beyond_31_and_32_bits)
{
    /* A window of two rows, far along a matrix that would not fit in memory. */
    const int64_t start = INT64_C(4294967296) - 600;
    const int64_t wide[] = {start, start + 1300, start + 1300};
    const uint32_t narrow[] = {3000000000u, 3000000513u, 3000000514u};
    torc_partition partition;
    cr_assert(torc_partition_build(&partition, wide, 64, 2, 1) == TORC_SUCCESS);
    cr_assert(partition.nlong_rows == 1 && partition.nsegments == 3);
    cr_expect(partition.statistics.nnz == start + 1300 && partition.statistics.empty_rows == 1);
    cr_expect(partition.segments[2].begin == start + 1024 && partition.segments[2].end == start + 1300);
    torc_partition_free(&partition);

    cr_assert(torc_partition_build(&partition, narrow, 32, 2, 1) == TORC_SUCCESS);
    cr_assert(partition.nlong_rows == 1 && partition.nsegments == 2);
    cr_expect(partition.statistics.nnz == 3000000514 && partition.statistics.max_row == 513);
    cr_expect(partition.segments[1].begin == 3000000512 && partition.segments[1].end == 3000000513);
    torc_partition_free(&partition);
}
