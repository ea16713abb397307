#include "gathers.h"
#include "occupancy.h"
#include "slice_families.h"

static bool streams(const torc_spmm_kernel *kernel)
{
    return torc_families[kernel->family].block_slices > 0;
}

bool torc_shares_entries(const torc_spmm_kernel *kernel)
{
    int least = torc_family_models[kernel->family].sharing_lanes;
    return least > 0 && kernel->shape.lanes >= least;
}

/* Cache lines of A that a load names, an entry. */
static double lines_of_a(const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double arrays = torc_size_of_a(kernel) / sizeof(uint32_t);
    double share = streams(kernel) || torc_shares_entries(kernel) ? 1. / TORC_WARP
                   : torc_is_by_slices(kernel) ? rates->slice_lines * fmin(1. / TORC_FLIGHT, 1 / w->ways)
                                               : fmin(1 / w->group, fmax(1, w->entries) / TORC_WARP);
    return arrays * share;
}

/* Where a slice ends within a row, a partial on either side is written and read again. */
static double partial_bytes(const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    double slices = ceil(w->full_rows * w->entries / torc_slice_of(kernel));
    return 4 * slices * (double)problem->ncols * (double)problem->c_size;
}

/* The share of the entries whose piece of a row of B, so many bytes, L1 does not keep: what a block names is
 * fetched once, and more often what L1 lacks the room for. */
static double misses_of_l1(const torc_work *w, const torc_spmm_kernel *kernel,
    const torc_footprint *footprint, double bytes, const torc_rates *rates)
{
    double rows = torc_family_models[kernel->family].group_rows;
    double group = torc_is_by_slices(kernel) ? torc_warp_slice_of(kernel)
                                             : fmin(rows * fmax(1, w->entries), TORC_SEGMENT_NNZ);
    double block = group * torc_families[kernel->family].threads / w->group;
    double columns = torc_footprint_columns(footprint, block);
    return fmax(columns / block, torc_footprint_misses(footprint, fmax(1, rates->near / bytes)));
}

double torc_misses_of_l2(const torc_footprint *footprint, double nnz, double bytes, const torc_rates *rates)
{
    double once = torc_footprint_columns(footprint, fmax(1, nnz)) / fmax(1, nnz);
    return fmax(once, torc_footprint_misses(footprint, fmax(1, rates->far / bytes)));
}

/* The share of so many adjacent entries that name a sector, or line, of their own, where rows of B are of so
 * many bytes, less than a sector. */
static double apart(const torc_statistics *rows, double entries, double bytes)
{
    double of_columns = log2(fmax(1, TORC_SECTOR / bytes)) / log2(TORC_SECTOR_COLUMNS);
    double of_entries = log2(fmin(TORC_RUN, fmax(1, entries))) / log2(TORC_RUN);
    return pow(fmax(1. / TORC_RUN, rows->sector_footprint), fmin(1, of_columns) * of_entries);
}

/* Adjacent entries whose rows of B one instruction of a warp loads. */
static double adjacent_entries(const torc_work *w, const torc_spmm_kernel *kernel)
{
    return streams(kernel) ? TORC_WARP : torc_is_by_slices(kernel) ? 1 : fmin(w->ways, w->entries);
}

/* Bytes from and to memory: of B whole lines, the rest as it is. Groups of a warp that walk slices of their
 * own end rows at different places of C. */
static double memory_bytes(const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem,
    const torc_spans *b, double far, const torc_rates *rates)
{
    double of_entry =
        b->count * torc_size_of_a(kernel) + far * TORC_LINE_BYTES * torc_units_of(b, TORC_LINE_BYTES);
    double of_row = (double)problem->ncols * (double)problem->c_size, of_partials = 0;
    if (torc_is_by_slices(kernel)) {
        of_row += b->count * rates->scatter * (1 - w->group / TORC_WARP);
        of_partials = partial_bytes(w, kernel, problem);
    }
    return w->full_rows * w->entries * of_entry + w->rows * of_row + of_partials;
}

torc_prediction torc_predict_gathers(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    torc_spans b = torc_spans_of(kernel, problem);
    double multiprocessors = problem->device.multiprocessors;
    double visited = w->full_rows * w->entries, sectors = TORC_SECTOR * torc_units_of(&b, TORC_SECTOR);
    double lines_of_b = torc_units_of(&b, TORC_LINE_BYTES), near = 0, far = 0;
    if (problem->b_size > 0) {
        torc_footprint footprint = torc_footprint_of(problem->rows);
        double bytes = (double)problem->ncols * (double)problem->b_size / b.count;
        near = misses_of_l1(w, kernel, &footprint, bytes, rates) * apart(problem->rows, TORC_RUN, bytes);
        lines_of_b *= apart(problem->rows, adjacent_entries(w, kernel), bytes);
        far = fmin(near, torc_misses_of_l2(&footprint, (double)problem->rows->nnz, bytes, rates));
    }
    double longest, seconds = torc_family_models[kernel->family].seconds(&longest, w, kernel, rates);
    double threads = torc_resident_threads(kernel, problem) * multiprocessors;
    double of_a = b.count * lines_of_a(w, kernel, rates);
    return (torc_prediction){
        .memory = memory_bytes(w, kernel, problem, &b, far, rates) / rates->memory,
        .gather = visited * (near * sectors + rates->request * (near * lines_of_b + of_a)) / rates->cache,
        .lines = visited * (lines_of_b + of_a) / (rates->lines * multiprocessors),
        .threads = b.count * seconds * w->group / threads + rates->alone * longest,
    };
}
