/* prediction.c: the model and the one table of its constants.
 *
 *     memory    A once a panel of columns, C once, partials
 *     gather    nnz times a panel of a row of B, in sectors
 *     lines     nnz times the lines of a panel of a row of B; lines of A: a group of a row split reads side
 *               by side, and so do the groups of a warp where rows are short, and what streams; a way of a
 *               nonzero split reads 4 entries at once, next to another way's where there are many ways
 *     threads   for each row, or slice, of a group's panel: begin it, and take its entries, 4 at a time, each
 *               way a share. Rows of a block wait for its longest. In slices, rows end and ways are scanned.
 *               At least what the longest row, segment or slice takes by itself
 *
 * The terms are added: the sum predicts the order of kernels better than the largest of them does. An H200
 * runs 2048 threads on each of 132 multiprocessors. */
#include "prediction.h"
#include <math.h>

enum { WARP = 32, FLIGHT = 4, THREADS = 2048, SECTOR = 32, LINE = 128, H200_MULTIPROCESSORS = 132 };

/* Fitted by torc-fit to bench/results/2026-11-21-h200-candidates.csv: 94 products, every candidate, one
 * NVIDIA H200. */
const torc_rates torc_measured_rates = {
    .memory = 2.54e13,
    .gather = 1.05e14,
    .lines = 2.36e9,
    .row = 1.79e-6,
    .batch = 5.53e-7,
    .cached_batch = 3.85e-7,
    .element = 3.24e-8,
    .imbalance = 1.47,
    .scan = 3.81e-7,
    .slice_row = 1.44e-6,
    .slice_lines = 11,
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

/* Rounds of loads that a way makes for so many entries. */
static double batches(double entries, double ways)
{
    return ceil(ceil(entries / ways) / FLIGHT);
}

/* What the threads of a group make of A, and by how many threads. */
typedef struct work {
    double rows, full_rows, entries; /* entries: of a full row */
    double ways, group;
    double longest; /* entries of a row or segment */
    double spread;  /* of the lengths of rows, 0 to 1 */
} work;

/* Entries that share partials; and the share of them that one of a streaming block's warps takes. */
static double slice_of(const torc_spmm_kernel *kernel)
{
    return TORC_SLICE_NNZ * (kernel->streams ? TORC_STREAM_SLICES : 1);
}

static double warp_slice_of(const torc_spmm_kernel *kernel)
{
    return slice_of(kernel) / (kernel->streams ? TORC_STREAM_THREADS / WARP : 1);
}

static work work_of(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    const torc_statistics *rows = problem->rows;
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && problem->is_plain;
    work w = {.rows = (double)rows->nrows, .full_rows = fmax(1, (double)(rows->nrows - rows->empty_rows))};
    w.entries = takes_one ? 1 : (double)rows->nnz / w.full_rows;
    w.longest = takes_one ? 1 : fmin((double)rows->max_row, TORC_SEGMENT_NNZ);
    w.spread = takes_one || rows->deviation_row == 0
                   ? 0
                   : rows->deviation_row / (rows->mean_row + rows->deviation_row);
    w.ways = kernel->is_uniform ? kernel->shape.lanes : kernel->ways > 0 ? kernel->ways : 1;
    w.group = kernel->is_uniform ? kernel->shape.lanes : kernel->shape.lanes * w.ways;
    return w;
}

/* Seconds of its threads for a panel, were they one after another. */
static double row_split_seconds(
    double *longest, const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch =
        (kernel->caches_rows ? rates->cached_batch : rates->batch) + kernel->shape.vector * rates->element;
    double waiting = 1 + rates->imbalance * w->spread * log2(TORC_BLOCK_THREADS / w->group);
    *longest = rates->row + batches(w->longest, w->ways) * batch;
    return w->rows * rates->row + w->full_rows * batches(w->entries, w->ways) * batch * waiting;
}

static double nonzero_split_seconds(
    double *longest, const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch = rates->cached_batch + kernel->shape.vector * rates->element;
    double slice = warp_slice_of(kernel);
    *longest = rates->row + rates->scan * log2(w->ways) + batches(slice, w->ways) * batch;
    return ceil(w->full_rows * w->entries / slice) * *longest + w->rows / w->ways * rates->slice_row;
}

/* Cache lines of A that a load names, an entry. */
static double lines_of_a(const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double arrays = size_of_a(kernel) / sizeof(uint32_t);
    double share = kernel->streams ? 1. / WARP
                   : kernel->split == TORC_SPLIT_NONZEROS
                       ? rates->slice_lines * fmin(1. / FLIGHT, 1 / w->ways)
                       : fmin(1 / w->group, fmax(1, w->entries) / WARP);
    return arrays * share;
}

/* Where a slice ends within a row, a partial on either side is written and read again. */
static double partial_bytes(const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    double slices = ceil(w->full_rows * w->entries / slice_of(kernel));
    return 4 * slices * (double)problem->ncols * (double)problem->c_size;
}

torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    work w = work_of(kernel, problem);
    double multiprocessors = problem->multiprocessors > 0 ? problem->multiprocessors : H200_MULTIPROCESSORS;
    double ncols = (double)problem->ncols, visited = w.full_rows * w.entries;
    double tile = kernel->is_uniform ? ncols : fmin(kernel->shape.lanes * kernel->shape.vector, ncols);
    double panels = ceil(ncols / tile), tile_bytes = tile * (double)problem->b_size;
    double lines = ceil(tile_bytes / LINE) + lines_of_a(&w, kernel, rates);
    bool is_by_nonzeros = kernel->split == TORC_SPLIT_NONZEROS;
    double longest, seconds = is_by_nonzeros ? nonzero_split_seconds(&longest, &w, kernel, rates)
                                             : row_split_seconds(&longest, &w, kernel, rates);
    double bytes = panels * visited * size_of_a(kernel) + w.rows * ncols * (double)problem->c_size +
                   (is_by_nonzeros ? partial_bytes(&w, kernel, problem) : 0);
    torc_prediction t = {
        .memory = bytes / rates->memory,
        .gather = panels * visited * rounded_up(tile_bytes, SECTOR) / rates->gather,
        .lines = panels * visited * lines / (rates->lines * multiprocessors),
        .threads = fmax(panels * seconds * w.group / (THREADS * multiprocessors), longest),
    };
    t.seconds = t.memory + t.gather + t.lines + t.threads;
    return t;
}
