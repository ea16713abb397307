/* prediction.c: the model and the one table of its constants.
 *
 *     memory    A once a panel of columns, C once
 *     gather    nnz times a panel of a row of B, in sectors
 *     lines     nnz times the lines of a panel of a row of B; lines of A, the fewer the wider a group is
 *     threads   for each row of a group's panel: begin it, and take its entries, 4 at a time, each way a
 *               share; rows of a warp wait for its longest. At least what the longest row or segment takes
 *
 * The terms are added: the sum predicts the order of kernels better than the largest of them does. An H200
 * runs 2048 threads on each of 132 multiprocessors. */
#include "prediction.h"
#include <math.h>

enum { WARP = 32, FLIGHT = 4, THREADS = 2048, SECTOR = 32, LINE = 128, H200_MULTIPROCESSORS = 132 };

/* Fitted by torc-fit to bench/results/ (see there); one NVIDIA H200. */
const torc_rates torc_measured_rates = {
    .memory = 1.01e13,
    .gather = 2.77e13,
    .lines = 3.7e9,
    .row = 1.77e-6,
    .batch = 5.4e-7,
    .element = 8.8e-8,
    .imbalance = .68,
};

static double size_of_a(const torc_spmm_kernel *kernel)
{
    double value = kernel->a_access == TORC_ACCESS_ARRAY ? (double)torc_type_size(kernel->a_type) : 0;
    return sizeof(uint32_t) + value;
}

static double rounded_up(double bytes, double unit)
{
    return ceil(bytes / unit) * unit;
}

/* Rounds of loads that a way makes for a row. */
static double batches(double entries, double ways)
{
    return ceil(ceil(entries / ways) / FLIGHT);
}

torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    const torc_statistics *rows = problem->rows;
    double multiprocessors = problem->multiprocessors > 0 ? problem->multiprocessors : H200_MULTIPROCESSORS;
    double ncols = (double)problem->ncols, nrows = (double)rows->nrows, nnz = (double)rows->nnz;
    double lanes = kernel->shape.lanes, vector = kernel->shape.vector;
    double ways = kernel->is_uniform ? lanes : kernel->ways > 0 ? kernel->ways : 1;
    double group = kernel->is_uniform ? lanes : lanes * ways;
    double tile = kernel->is_uniform ? ncols : fmin(lanes * vector, ncols), panels = ceil(ncols / tile);
    double tile_bytes = tile * (double)problem->b_size;

    double full_rows = fmax(1, (double)(rows->nrows - rows->empty_rows));
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && problem->is_plain;
    double entries = takes_one ? 1 : nnz / full_rows, visited = takes_one ? full_rows : nnz;
    double spread = rows->deviation_row / fmax(rows->mean_row + rows->deviation_row, 1e-30);
    double waiting = takes_one ? 1 : 1 + rates->imbalance * spread * log2(WARP / group);
    double batch_seconds = rates->batch + vector * rates->element;
    double row_seconds = nrows * rates->row + full_rows * batches(entries, ways) * batch_seconds * waiting;
    double longest = takes_one ? 1 : fmin((double)rows->max_row, TORC_SEGMENT_NNZ);
    double longest_seconds = rates->row + batches(longest, ways) * batch_seconds;

    double lines = ceil(tile_bytes / LINE) + size_of_a(kernel) / sizeof(uint32_t) / group;
    torc_prediction t = {
        .memory =
            (panels * visited * size_of_a(kernel) + nrows * ncols * (double)problem->c_size) / rates->memory,
        .gather = panels * visited * rounded_up(tile_bytes, SECTOR) / rates->gather,
        .lines = panels * visited * lines / (rates->lines * multiprocessors),
        .threads = fmax(panels * row_seconds * group / (THREADS * multiprocessors), longest_seconds),
    };
    t.seconds = t.memory + t.gather + t.lines + t.threads;
    return t;
}
