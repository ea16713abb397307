#include "tile_parts.h"
#include "backend.h"
#include <math.h>

/* Each divides the number of blocks. */
static const int numbers[] = {2, 3, 4, 6, 12};

enum {
    ENOUGH_LINES = 4,   /* for blocks of whole rows: TORC_TILE_BLOCKS */
    LEAST_ENTRIES = 96, /* of a part in the mean: its sum is stored, and read once more */
    BLOCKS = TORC_TILE_BLOCKS(2),
    GROUPS = TORC_TILE_WARPS * TORC_TILE_GROUPS
};

/* How many times as long a block takes as it would if each group had as many pieces as the mean. */
static double unevenness(const torc_statistics *A, int parts)
{
    double of_group = (double)A->nrows * parts / (BLOCKS * GROUPS);
    return ceil(of_group) / of_group;
}

int64_t torc_tile_lines(const torc_spmm_kernel *kernel, int64_t ncols)
{
    return ncols / ((int64_t)kernel->shape.lanes * kernel->shape.vector);
}

int torc_tile_parts(const torc_statistics *A, int64_t lines)
{
    int chosen = 1;
    if (lines >= ENOUGH_LINES || A->nrows * lines > (int64_t)BLOCKS * TORC_TILE_ROWS) {
        return chosen;
    }
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        int parts = numbers[n];
        bool is_even = chosen == 1 || unevenness(A, parts) < .99 * unevenness(A, chosen);
        if (A->mean_row >= parts * LEAST_ENTRIES && is_even) {
            chosen = parts;
        }
    }
    return chosen;
}

/* Pieces of a part of all rows. */
static int64_t pieces_of(const torc_statistics *A, int parts)
{
    enum { MOST = 64 }; /* of a row: longer ones are few */
    static const double HALF = .5, ROOT_OF_TWO = 1.41421356237309505, EVEN = 1e-9;
    double whole = TORC_TILE_PIECE * (double)parts, more = 0;
    double unevenness = A->deviation_row / fmax(1, A->mean_row);
    double variance = log1p(unevenness * unevenness), mean = log(fmax(1, A->mean_row)) - variance / 2;
    double deviation = fmax(EVEN, sqrt(variance));                     /* of logarithms, as the mean */
    for (int n = 1; n < MOST && n * whole < (double)A->max_row; n++) { /* rows of more than n pieces */
        more += HALF * erfc((log(n * whole) - mean) / (ROOT_OF_TWO * deviation));
    }
    return A->nrows + (int64_t)(more * (double)A->nrows);
}

int64_t torc_tile_blocks(const torc_statistics *A, int parts)
{
    return torc_tile_part_blocks(pieces_of(A, parts), parts) * parts;
}
