/* selection.c: the shape of a thread group from the width of C, and how it reduces from the lengths of rows.
 *
 * Across: a group covers the columns of C with as few threads as 16-byte accesses allow, so that a warp holds
 * many rows when C is narrow: the largest vector that divides the width and fits the alignment, then the
 * fewest lanes, at most a warp, that reach across. Reasoned, not tuned: wider loads and more rows in flight a
 * warp both raise the bytes in flight, which is what a gather of rows of B is short of.
 *
 * Along a row: few lanes leave a row to few threads. A warp then lasts as long as the longest of its many
 * rows, and its threads read 4-byte columns far apart. Ways share the row out as long as each keeps a few
 * entries; each doubling costs a shuffle and an add a column. Measured on an H200
 * (bench/results/2026-11-21-h200-ways.txt: R-MAT of scale 20 and 2^20 rows of 16): with at most 4 ways and 8
 * threads a group, 13 to 22 % less than one way at N = 1, 2, 4 and 8, 2 and 9 % at N = 16; N = 3 gains 4 % on
 * one matrix and loses 5 % on the other. 8 and more ways lose to 4 everywhere. */
#include "selection.h"

enum { WARP = 32, MAX_VECTOR = 4, VECTOR_BYTES = 16, NARROW_GROUP = 8, MAX_WAYS = 4, ENTRIES_A_WAY = 3 };

static bool vector_fits(int vector, size_t size, uint64_t alignment)
{
    size_t bytes = (size_t)vector * size;
    bool is_power_of_two = (bytes & (bytes - 1)) == 0; /* of an opaque type it need not be */
    return bytes <= VECTOR_BYTES && is_power_of_two && alignment % bytes == 0;
}

torc_shape torc_select_shape(
    int64_t ncols, size_t b_size, size_t c_size, uint64_t b_alignment, uint64_t c_alignment)
{
    int vector = MAX_VECTOR;
    while (vector > 1 && (ncols % vector != 0 || !vector_fits(vector, c_size, c_alignment) ||
                             (b_size > 0 && !vector_fits(vector, b_size, b_alignment)))) {
        vector /= 2;
    }
    int lanes = 1;
    while (lanes < WARP && (int64_t)lanes * vector < ncols) {
        lanes *= 2;
    }
    return (torc_shape){lanes, vector};
}

/* The entries that a group of `lanes` threads should combine at once. */
static int select_ways(int lanes, const torc_statistics *rows)
{
    int64_t rows_with_entries = rows->nrows - rows->empty_rows;
    int ways = 1;
    while (ways < MAX_WAYS && 2 * lanes * ways <= NARROW_GROUP &&
           2 * ways * ENTRIES_A_WAY * rows_with_entries <= rows->nnz) {
        ways *= 2;
    }
    return ways;
}

/* B is one value or unread, and no term depends on its column. */
static bool has_equal_columns(const torc_spmm_kernel *kernel)
{
    torc_multiply multiply = kernel->semiring.multiply;
    return kernel->b_access != TORC_ACCESS_ARRAY && multiply != TORC_SECONDJ && multiply != TORC_SECONDJ1;
}

void torc_select_kernel(torc_spmm_kernel *kernel, int64_t ncols, size_t b_size, size_t c_size,
    uint64_t b_alignment, uint64_t c_alignment, bool is_plain, const torc_statistics *rows)
{
    kernel->shape = torc_select_shape(ncols, b_size, c_size, b_alignment, c_alignment);
    kernel->is_uniform = is_plain && has_equal_columns(kernel);
    kernel->ways = 0;
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID;
    if (kernel->is_uniform) { /* the threads that share its one column out store it across */
        int most = takes_one ? MAX_WAYS : NARROW_GROUP, ways = takes_one ? 1 : select_ways(1, rows);
        int lanes = ways > kernel->shape.lanes ? ways : kernel->shape.lanes;
        kernel->shape.lanes = lanes < most ? lanes : most;
    } else if (is_plain && !takes_one) {
        int ways = select_ways(kernel->shape.lanes, rows);
        kernel->ways = ways > 1 ? ways : 0;
    }
}
