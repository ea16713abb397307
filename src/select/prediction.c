/* prediction.c: the model.
 *
 *     memory    A once per span of columns, C once, partials; lines of B that L2 does not keep. Where each
 *               group of a warp walks a slice of its own, rows of C end at different times
 *     gather    sectors of B that L1 does not keep, and requests for lines of A and B
 *     lines     nnz times the lines of a span of a row of B; lines of A: a group of a row split reads side
 *               by side, and so do the groups of a warp where rows are short, lanes that share a slice, and
 *               what streams; a way of a nonzero split reads 4 entries at once, next to another way's where
 *               there are many ways. Where rows of B are narrow, adjacent entries may name the same line
 *     threads   for each row, or slice, of a group's span: begin it, and take its entries, 4 at a time, each
 *               way a share; a bundle's rows one after another. Rows of a block wait for its longest. In
 *               slices, rows end and ways are scanned, and what the mask says of its rows takes a way as long
 *               as to begin.
 *               As many threads take part as a multiprocessor holds (occupancy.h). At the end the longest
 *               row, segment or slice is waited for, which memory that is no longer busy answers sooner
 *
 * What caches keep follows from the footprints of the columns (footprint.h). L1 serves the groups of a block,
 * which work on neighbouring rows at once, as far as it is large enough; L2 serves all, and B comes from
 * memory at least once.
 *
 * The terms overlap in part: their norm is between the largest and the sum. A launch, and another one where
 * partials are combined, come on top: small products take little else. */
#include "prediction.h"
#include "families.h"
#include "slice_families.h"
#include "tile_parts.h"

static double norm(const torc_prediction *t)
{
    double squares = 0;
#define X(term, text) squares += t->term * t->term;
    TORC_TERM_MAP(X)
#undef X
    return sqrt(squares);
}

/* Are there partials: of rows that lie in several segments, slices or pieces? */
static bool has_partials(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    const torc_statistics *rows = problem->rows;
    torc_cut cut = torc_families[kernel->family].cut;
    return (cut == TORC_CUT_SEGMENTS && rows->max_row > TORC_SEGMENT_NNZ) ||
           (cut == TORC_CUT_PIECES && rows->max_row > TORC_PIECE_NNZ) ||
           (cut == TORC_CUT_SLICES && (double)rows->nnz > torc_slice_of(kernel)) ||
           (cut == TORC_CUT_TILES && (torc_tile_parts(rows, torc_tile_lines(kernel, problem->ncols)) > 1 ||
                                         rows->max_row > TORC_TILE_PIECE));
}

torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *of_an_h200)
{
    torc_rates rates = torc_rates_for(of_an_h200, &problem->device);
    torc_work work = torc_work_of(kernel, problem);
    torc_prediction t = torc_family_models[kernel->family].predict(&work, kernel, problem, &rates);
    t.seconds = norm(&t);
    t.launches = rates.launch + (has_partials(kernel, problem) ? rates.combine : 0);
    t.seconds += t.launches;
    return t;
}
