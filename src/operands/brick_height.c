#include "brick_height.h"
#include <math.h>

/* What the second block of rows adds, in bricks of one: a brick of 16 rows took 1.29 to 1.43 times as long as
 * one of 8 in fp32 by three products, and 1.43 to 1.66 times in tf32 (N = 128, vectors of 16 bytes;
 * bench/results/2026-11-26-h200-brick-windows.txt). With this, and one height for both, the faster one is
 * taken for all five matrices there. */
static const double FURTHER_BLOCK = .45;

/* Of fewer rows, all windows of 8 are on an H200 at once, which has room for 2112 warps: taller ones would be
 * fewer, and each take longer. Reasoned, not measured. */
enum { LEAST_ROWS = 2048 * TORC_BRICK_ROWS };

double torc_brick_columns(const torc_statistics *A, int height)
{
    double footprint = height == 1 ? A->brick_footprint : A->tall_brick_footprint;
    return (double)A->nnz * fmax(1. / (TORC_BRICK_ROWS * height), footprint);
}

double torc_brick_count(const torc_statistics *A, int height)
{
    double windows = ceil((double)A->nrows / (TORC_BRICK_ROWS * height));
    double spare = windows * (TORC_BRICK_COLUMNS - 1) / 2;
    return (torc_brick_columns(A, height) + spare) / TORC_BRICK_COLUMNS;
}

double torc_brick_cost(int height)
{
    return height == 1 ? 1 : 1 + FURTHER_BLOCK;
}

int torc_brick_height(const torc_statistics *A, torc_type type)
{
    bool is_taller_faster =
        torc_brick_count(A, 2) * torc_brick_cost(2) < torc_brick_count(A, 1) * torc_brick_cost(1);
    return type != TORC_FP64 && A->nrows >= LEAST_ROWS && is_taller_faster ? 2 : 1;
}
