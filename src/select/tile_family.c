#include "tile_family.h"
#include "gathers.h"
#include "tile_parts.h"

int64_t torc_tiled_columns(const torc_spmm_kernel *kernel, int64_t ncols)
{
    int64_t line = (int64_t)kernel->shape.lanes * kernel->shape.vector, left = ncols % line;
    return 2 * left > line ? ncols : ncols - left;
}

/* Rows of B that many rows name, from tiles, where a block names a column once at least in the mean, so that
 * there is something to share, and the plan's counters, one a column and block, are fewer than entries. */
void torc_list_tiles(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    const torc_statistics *rows = problem->rows;
    torc_type type = kernel.semiring.type;
    size_t a_size = kernel.a_access == TORC_ACCESS_ARRAY ? torc_type_size(kernel.a_type) : 0;
    bool is_of_words = (problem->c_size == 4 || problem->c_size == 8) && problem->b_size == problem->c_size &&
                       (a_size == 0 || a_size == 4 || a_size == 8);
    bool is_shared =
        rows->nnz > 0 && fmin(rows->mean_row, TORC_TILE_PIECE) * TORC_TILE_ROWS >= (double)rows->ncols;
    if (!torc_device_has_tiles(&problem->device, a_size) || !is_shared || !is_of_words || kernel.is_packed ||
        type >= TORC_FC32 || problem->ncols * (int64_t)problem->c_size < TORC_TILE_LINE) {
        return;
    }
    kernel.shape = (torc_shape){TORC_TILE_LANES, (int)(TORC_VECTOR_BYTES / problem->c_size)};
    bool has_parts = torc_tile_parts(rows, torc_tile_lines(&kernel, problem->ncols)) > 1;
    bool lacks_plan = has_parts && problem->lacks[TORC_CUT_PART_TILES];
    if (torc_is_legal_vector(kernel.shape.vector, problem) && !lacks_plan) {
        torc_listing_add(listing, kernel);
    }
}

enum { PLACES = TORC_TILE_STEP * TORC_TILE_GROUPS }; /* of a step */

/* A block waits for each tile, for the group that has its longest piece, and, where groups have few, for
 * those that have one more. */
static double seconds_of_block(const torc_work *w, const torc_tiling *made, const torc_rates *rates)
{
    static const double ONE_MORE = .25; /* of its time at most: bench/results/2026-11-26-h100-weights.csv */
    double of_group = fmax(1, made->steps * PLACES / (TORC_TILE_WARPS * TORC_TILE_GROUPS));
    double piece = fmin(w->mean / made->parts, TORC_TILE_PIECE),
           longest = fmin(w->most / made->parts, TORC_TILE_PIECE);
    double uneven = fmin(ONE_MORE, rates->tile_uneven * piece / of_group) +
                    rates->tile_uneven * fmax(0, longest - piece) / of_group;
    return fmax(made->tiles * rates->tile_fill, made->steps * rates->tile_step * (1 + uneven));
}

/* A block's shared columns follow from the footprint. A step takes as long as the longest of a warp's rows,
 * rounded up to whole steps. */
torc_tiling torc_tiling_of(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    static const double LONGEST_OF_GROUPS = 1.03; /* standard deviations above the mean, of four */
    _Static_assert(TORC_TILE_SHARERS == 2, "columns that one entry names are not shared");
    const torc_statistics *rows = problem->rows;
    int parts = torc_tile_parts(rows, torc_tile_lines(kernel, problem->ncols));
    double nnz = fmax(1, (double)rows->nnz), blocks = fmax(1, (double)torc_tile_blocks(rows, parts));
    double entries = fmax(1, nnz / blocks) * parts, line = kernel->shape.lanes * kernel->shape.vector;
    torc_footprint footprint = torc_footprint_of(rows);
    torc_named_columns named = torc_footprint_named(&footprint, entries);
    double share = fmax(0, 1 - named.once / entries);
    double tiles = fmax(1, (named.all - named.once) / (parts * (double)TORC_TILE_COLUMNS));
    double of_row = fmax(1, nnz / ((double)rows->nrows * parts) * share / tiles); /* in a tile */
    double places = of_row + LONGEST_OF_GROUPS * sqrt(of_row) + (TORC_TILE_STEP - 1) / 2.;
    return (torc_tiling){
        .parts = parts,
        .share = share,
        .tiles = tiles,
        .steps = nnz * share * places / of_row / PLACES / blocks,
        .blocks = blocks,
        .spans = ceil((double)torc_tiled_columns(kernel, problem->ncols) / line),
    };
}

/* Of the plan each product bears a share; all of it where it takes longer than 25 such products. */
static double share_of_plan(double nnz, double product)
{
    static const double PLAN = 4e-4, PLANNED_ENTRY = 6e-11;        /* seconds */
    static const double PLANNED_PRODUCTS = 200, WORTH_A_PLAN = 25; /* ours */
    double plan = PLAN + PLANNED_ENTRY * nnz;
    return plan > WORTH_A_PLAN * product ? plan : plan / PLANNED_PRODUCTS;
}

/* Blocks go round by round, in a round that is not full somewhat faster. What tiles leave out is gathered.
 * Sums of parts are stored, and read once more. */
torc_prediction torc_predict_tiles(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    static const double PARTIAL_BYTE = 6e-13; /* seconds, of both ways: 2026-11-26-h100-tile-parts.csv */
    /* Seconds in which an entry is gathered for columns behind the last line, of N = 20 and 100 in
     * 2026-11-26-h100-unseen-shared-third.csv.xz; how much longer a step of fp64 takes in several lines:
     * 2026-11-27-h100-fp64.csv.xz. */
    static const double LEFT_ENTRY = 1e-11, OF_EIGHT_BYTES = 1.08;
    const torc_statistics *rows = problem->rows;
    int64_t tiled = torc_tiled_columns(kernel, problem->ncols);
    torc_tiling made = torc_tiling_of(kernel, problem);
    double nnz = fmax(1, (double)rows->nnz);
    double rounds = made.blocks * made.spans / problem->device.multiprocessors;
    torc_spmm_kernel gathering = *kernel;
    gathering.family = TORC_CACHED_ROWS;
    double rest = rates->tile_rest * (1 - made.share);
    torc_prediction t = torc_predict_gathers(w, &gathering, problem, rates);
#define X(term, text) t.term *= rest;
    TORC_TERM_MAP(X)
#undef X
    double of_block = seconds_of_block(w, &made, rates);
    of_block *= problem->c_size == 8 && made.spans > 1 ? OF_EIGHT_BYTES : 1;
    double partials =
        made.parts > 1 ? w->rows * made.parts * (double)problem->ncols * (double)problem->c_size : 0;
    t.threads += tiled < problem->ncols ? LEFT_ENTRY * nnz : 0;
    t.threads += rates->tiles + fmax(1, (rounds + ceil(rounds)) / 2) * of_block + PARTIAL_BYTE * partials;
    t.threads += share_of_plan(nnz, t.threads);
    return t;
}
