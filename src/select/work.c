#include "work.h"
#include "listing.h"

torc_work torc_work_of(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    const torc_statistics *rows = problem->rows;
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && problem->is_everywhere;
    torc_work w = {
        .rows = (double)rows->nrows, .full_rows = fmax(1, (double)(rows->nrows - rows->empty_rows))};
    w.entries = takes_one ? 1 : (double)rows->nnz / w.full_rows;
    w.longest = takes_one ? 1 : fmin((double)rows->max_row, TORC_SEGMENT_NNZ);
    w.mean = rows->mean_row;
    w.deviation = rows->deviation_row;
    w.most = takes_one ? 1 : (double)rows->max_row;
    w.spread = takes_one || rows->deviation_row == 0
                   ? 0
                   : rows->deviation_row / (rows->mean_row + rows->deviation_row);
    w.ways = torc_ways(kernel);
    w.piece = torc_computed_columns(kernel) * (double)problem->c_size;
    w.group = kernel->shape.lanes * w.ways;
    return w;
}

torc_spans torc_spans_of(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    double ncols = (double)problem->ncols, size = (double)problem->b_size;
    bool is_uniform = torc_families[kernel->family].is_uniform;
    double width = is_uniform ? ncols : fmin(kernel->shape.lanes * kernel->shape.vector, ncols);
    torc_spans p = {.count = ceil(ncols / width), .bytes = width * size};
    p.last_bytes = ncols * size - (p.count - 1) * p.bytes;
    uint64_t places = problem->b_alignment | (p.count > 1 ? (uint64_t)p.bytes : 0);
    p.alignment = fmin(TORC_LINE_BYTES, (double)(places & -places));
    return p;
}

double torc_units_of(const torc_spans *p, double unit)
{
    if (p->last_bytes == 0) {
        return 0;
    }
    if (p->alignment >= unit) {
        return (p->count - 1) * ceil(p->bytes / unit) + ceil(p->last_bytes / unit);
    }
    return p->count + ((p->count - 1) * p->bytes + p->last_bytes - p->count * p->alignment) / unit;
}
