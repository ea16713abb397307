#include "brick_height.h"
#include <math.h>

/* What a further block of rows adds, in bricks of one. Of fp32 by three products, band, N = 128, vectors of
 * 16 bytes: windows of 16 and 32 rows took 1.48 and 2.41 times as long a brick as those of 8
 * (bench/results/2026-11-24-h200-brick-windows.txt), .49 a block with what it takes to end a window. Those of
 * 8 rows take 12 % less since. There a block of tf32 added .66 and of fp64 .79, when taller windows did not
 * load ahead, as they do now. One number for all: an operand has one plan. */
static const double FURTHER_BLOCK = .56;

/* Windows that taller ones leave at least, of a warp each: 8 on a multiprocessor of an H200. Reasoned, not
 * measured. */
enum { LEAST_WINDOWS = 1024 };

static double windows_of(const torc_statistics *A, int height)
{
    return ceil((double)A->nrows / (TORC_BRICK_ROWS * height));
}

/* Where the footprint of taller windows is not known, their blocks are taken to share nothing. */
double torc_brick_columns(const torc_statistics *A, int height)
{
    double footprint = A->brick_footprints[torc_height_index(height)];
    int known = footprint > 0 ? height : 1;
    return (double)A->nnz *
           fmax(1. / (TORC_BRICK_ROWS * known), A->brick_footprints[torc_height_index(known)]);
}

double torc_brick_count(const torc_statistics *A, int height)
{
    double spare = windows_of(A, height) * (TORC_BRICK_COLUMNS - 1) / 2;
    return (torc_brick_columns(A, height) + spare) / TORC_BRICK_COLUMNS;
}

double torc_brick_cost(int height)
{
    return 1 + FURTHER_BLOCK * (height - 1);
}

int torc_brick_height(const torc_statistics *A)
{
    int best = 1;
    for (int height = 2; height <= TORC_BRICK_MOST_HEIGHT && windows_of(A, height) >= LEAST_WINDOWS;
         height *= 2) {
        double time = torc_brick_count(A, height) * torc_brick_cost(height);
        best = time < torc_brick_count(A, best) * torc_brick_cost(best) ? height : best;
    }
    return best;
}
