/* prediction.c: the model.
 *
 *     memory    A once a panel of columns, C once, partials; of B what L2 does not keep, in lines. Where the
 *               groups of a warp walk slices of their own, rows of C end here and there
 *     gather    of B what L1 does not keep, in sectors, and requests for lines of A and B
 *     lines     nnz times the lines of a panel of a row of B; lines of A: a group of a row split reads side
 *               by side, and so do the groups of a warp where rows are short, lanes that share a slice, and
 *               what streams; a way of a nonzero split reads 4 entries at once, next to another way's where
 *               there are many ways. Where rows of B are narrow, adjacent entries may name the same line
 *     threads   for each row, or slice, of a group's panel: begin it, and take its entries, 4 at a time, each
 *               way a share; a bundle's rows one after another. Rows of a block wait for its longest. In
 *               slices, rows end and ways are scanned, and what the mask says of its rows takes a way as long
 *               as to begin.
 *               As many threads take part as a multiprocessor holds (occupancy.h). At the end the longest
 *               row, segment or slice is waited for
 *
 * What caches keep follows from the footprints of the columns (footprint.h). L1 serves the groups of a block,
 * which work on neighbouring rows at once, as far as it is large enough; L2 serves all, and B comes from
 * memory at least once.
 *
 * The terms overlap in part: their norm is between the largest and the sum. */
#include "prediction.h"
#include "candidates.h"
#include "footprint.h"
#include "occupancy.h"
#include <math.h>

enum { WARP = 32, FLIGHT = 4, SECTOR = 32, LINE = 128 };
static const double STEEPNESS = 4; /* ours: of the passage from in step to not */

static double size_of_a(const torc_spmm_kernel *kernel)
{
    double value = kernel->a_access == TORC_ACCESS_ARRAY ? (double)torc_type_size(kernel->a_type) : 0;
    return sizeof(uint32_t) + value;
}

/* How a kernel cuts rows of B into panels. */
typedef struct panels {
    double count, bytes, last_bytes; /* of a panel, and of the last one */
    double alignment;                /* of their beginnings */
} panels;

static panels panels_of(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    double ncols = (double)problem->ncols, size = (double)problem->b_size;
    double tile = kernel->is_uniform ? ncols : fmin(kernel->shape.lanes * kernel->shape.vector, ncols);
    panels p = {.count = ceil(ncols / tile), .bytes = tile * size};
    p.last_bytes = ncols * size - (p.count - 1) * p.bytes;
    uint64_t places = problem->b_alignment | (p.count > 1 ? (uint64_t)p.bytes : 0);
    p.alignment = fmin(LINE, (double)(places & -places));
    return p;
}

/* How many units of so many bytes a row's panels touch: where they begin anywhere, those at both ends are
 * touched for less. */
static double units_of(const panels *p, double unit)
{
    if (p->last_bytes == 0) {
        return 0;
    }
    if (p->alignment >= unit) {
        return (p->count - 1) * ceil(p->bytes / unit) + ceil(p->last_bytes / unit);
    }
    return p->count + ((p->count - 1) * p->bytes + p->last_bytes - p->count * p->alignment) / unit;
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
    double most;    /* entries of a row */
    double spread;  /* of the lengths of rows, 0 to 1 */
    double piece;   /* bytes of a row of C that a thread has */
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
    bool takes_one = kernel->semiring.add == TORC_ANY_MONOID && problem->is_everywhere;
    work w = {.rows = (double)rows->nrows, .full_rows = fmax(1, (double)(rows->nrows - rows->empty_rows))};
    w.entries = takes_one ? 1 : (double)rows->nnz / w.full_rows;
    w.longest = takes_one ? 1 : fmin((double)rows->max_row, TORC_SEGMENT_NNZ);
    w.most = takes_one ? 1 : (double)rows->max_row;
    w.spread = takes_one || rows->deviation_row == 0
                   ? 0
                   : rows->deviation_row / (rows->mean_row + rows->deviation_row);
    w.ways = kernel->is_uniform ? kernel->shape.lanes : kernel->ways > 0 ? kernel->ways : 1;
    w.piece = (kernel->is_uniform ? 1. : kernel->shape.vector) * (double)problem->c_size;
    w.group = kernel->is_uniform ? kernel->shape.lanes : kernel->shape.lanes * w.ways;
    return w;
}

/* Of slices, and bundles of rows, lanes side by side share their entries through shared memory. */
static bool shares_slices(const torc_spmm_kernel *kernel)
{
    return kernel->split == TORC_SPLIT_BUNDLES ||
           (kernel->split == TORC_SPLIT_NONZEROS && kernel->ways == 0 &&
               kernel->shape.lanes >= TORC_CACHING_LANES);
}

/* Seconds of its threads for a panel, were they one after another. */
static double row_split_seconds(
    double *longest, const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch = (kernel->caches_rows ? rates->cached_batch : rates->batch) + w->piece * rates->element;
    double mean = batches(w->entries, w->ways), most = batches(w->most, w->ways);
    double waiting = 1 + w->spread * (rates->imbalance + rates->divergence * log2(WARP / w->group));
    *longest = rates->row + batches(w->longest, w->ways) * batch;
    return w->rows * rates->row + w->full_rows * fmin(mean * waiting, most) * batch;
}

static double nonzero_split_seconds(
    double *longest, const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch = kernel->streams ? rates->stream_byte * (size_of_a(kernel) + w->piece)
                                   : (shares_slices(kernel) ? rates->shared_batch : rates->batch) +
                                         w->piece * rates->element;
    double slice = warp_slice_of(kernel), begin = (kernel->has_mask ? 2 : 1) * rates->row;
    *longest = begin + rates->scan * log2(w->ways) + batches(slice, w->ways) * batch;
    return ceil(w->full_rows * w->entries / slice) * *longest + w->rows / w->ways * rates->slice_row;
}

static double bundle_seconds(
    double *longest, const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    (void)kernel;
    double batch = rates->shared_batch + w->piece * rates->element;
    *longest = rates->row + batches(TORC_BUNDLE_ROWS * w->most, 1) * batch;
    double mean = rates->row + batches(TORC_BUNDLE_ROWS * w->entries, 1) * batch;
    return ceil(w->full_rows / TORC_BUNDLE_ROWS) * mean + w->rows * rates->bundled_row;
}

/* Cache lines of A that a load names, an entry. */
static double lines_of_a(const work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double arrays = size_of_a(kernel) / sizeof(uint32_t);
    double share = kernel->streams || shares_slices(kernel) ? 1. / WARP
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

/* The share of the entries whose piece of a row of B, so many bytes, L1 does not keep: what a block names is
 * fetched once, and more often what L1 lacks the room for. But where the groups of a multiprocessor walk long
 * rows in step, in ascending columns, all of them meet at the same rows of B, if those between one flight of
 * entries and the next are few. */
static double misses_of_l1(const work *w, const torc_spmm_kernel *kernel, const torc_footprint *footprint,
    double bytes, const torc_device_facts *device, const torc_rates *rates)
{
    bool is_by_nonzeros = kernel->split == TORC_SPLIT_NONZEROS;
    double rows = kernel->split == TORC_SPLIT_BUNDLES ? TORC_BUNDLE_ROWS : 1;
    double group =
        is_by_nonzeros ? warp_slice_of(kernel) : fmin(rows * fmax(1, w->entries), TORC_SEGMENT_NNZ);
    double threads = kernel->streams ? TORC_STREAM_THREADS : TORC_BLOCK_THREADS;
    double block = group * threads / w->group, blocks = device->threads / threads;
    double columns = torc_footprint_columns(footprint, block), all = footprint->all;
    double alone = fmax(columns / block, torc_footprint_misses(footprint, fmax(1, rates->near / bytes)));
    if (is_by_nonzeros) {
        return alone;
    }
    double a_sector = fmax(1, SECTOR / bytes); /* rows of B */
    double together =
        all / a_sector * (1 - pow(1 - fmin(1, columns / all), blocks * a_sector)) / (blocks * block);
    double stride = FLIGHT * w->ways * bytes * all / fmax(1, w->entries);
    return alone * (1 - fmax(0, 1 - together) / (1 + pow(stride / rates->stride, STEEPNESS)));
}

/* The same of L2; once at least all columns are fetched. */
static double misses_of_l2(const torc_footprint *footprint, double nnz, double bytes, const torc_rates *rates)
{
    double once = torc_footprint_columns(footprint, fmax(1, nnz)) / fmax(1, nnz);
    return fmax(once, torc_footprint_misses(footprint, fmax(1, rates->far / bytes)));
}

/* The share of so many adjacent entries that name a sector, or line, of their own, where rows of B are of so
 * many bytes, less than a sector. */
static double apart(const torc_statistics *rows, double entries, double bytes)
{
    double of_columns = log2(fmax(1, SECTOR / bytes)) / log2(TORC_SECTOR_COLUMNS);
    double of_entries = log2(fmin(TORC_RUN, fmax(1, entries))) / log2(TORC_RUN);
    return pow(fmax(1. / TORC_RUN, rows->sector_footprint), fmin(1, of_columns) * of_entries);
}

/* Adjacent entries whose rows of B one instruction of a warp loads. */
static double adjacent_entries(const work *w, const torc_spmm_kernel *kernel)
{
    return kernel->streams ? WARP : kernel->split == TORC_SPLIT_NONZEROS ? 1 : fmin(w->ways, w->entries);
}

/* A block a multiprocessor reads all of B, panel by panel, and visits its rows in each: as many ways as one
 * flight of the entries there takes, were they spread evenly. Warps wait for a long row at the end. */
static torc_prediction of_panels(
    const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    double multiprocessors = problem->device.multiprocessors;
    double c_bytes = w->rows * (double)problem->ncols * (double)problem->c_size;
    double b_bytes = (double)problem->rows->ncols * (double)problem->ncols * (double)problem->b_size;
    double count = fmax(1, ceil(b_bytes / torc_panel_bytes(&problem->device))), entries = w->entries / count,
           ways = w->ways;
    while (ways < WARP && FLIGHT * ways < entries) {
        ways *= 2;
    }
    double waiting = 1 + w->spread * rates->imbalance;
    double visit = ways / WARP * (rates->visit + batches(entries, ways) * rates->turn) * waiting;
    return (torc_prediction){
        .memory = (w->full_rows * w->entries * size_of_a(kernel) + c_bytes) / rates->memory,
        .gather = b_bytes / rates->fill,
        .threads = w->full_rows * count * visit / multiprocessors + count * rates->panel +
                   (double)problem->rows->max_row / (FLIGHT * WARP) * rates->batch,
    };
}

/* Bytes from and to memory: of B whole lines, the rest as it is. Groups of a warp that walk slices of their
 * own end rows at different places of C. */
static double memory_bytes(const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem,
    const panels *b, double far, const torc_rates *rates)
{
    double of_entry = b->count * size_of_a(kernel) + far * LINE * units_of(b, LINE);
    double of_row = (double)problem->ncols * (double)problem->c_size, of_partials = 0;
    if (kernel->split == TORC_SPLIT_NONZEROS) {
        of_row += b->count * rates->scatter * (1 - w->group / WARP);
        of_partials = partial_bytes(w, kernel, problem);
    }
    return w->full_rows * w->entries * of_entry + w->rows * of_row + of_partials;
}

/* What gathers rows of B through L1. */
static torc_prediction of_gathers(
    const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    panels b = panels_of(kernel, problem);
    double multiprocessors = problem->device.multiprocessors;
    double visited = w->full_rows * w->entries, sectors = SECTOR * units_of(&b, SECTOR);
    double lines_of_b = units_of(&b, LINE), near = 0, far = 0;
    if (problem->b_size > 0) {
        torc_footprint footprint = torc_footprint_of(problem->rows);
        double bytes = (double)problem->ncols * (double)problem->b_size / b.count;
        near = misses_of_l1(w, kernel, &footprint, bytes, &problem->device, rates) *
               apart(problem->rows, TORC_RUN, bytes);
        lines_of_b *= apart(problem->rows, adjacent_entries(w, kernel), bytes);
        far = fmin(near, misses_of_l2(&footprint, (double)problem->rows->nnz, bytes, rates));
    }
    double longest,
        seconds = (kernel->split == TORC_SPLIT_NONZEROS  ? nonzero_split_seconds
                   : kernel->split == TORC_SPLIT_BUNDLES ? bundle_seconds
                                                         : row_split_seconds)(&longest, w, kernel, rates);
    double threads = torc_resident_threads(kernel, problem) * multiprocessors;
    double of_a = b.count * lines_of_a(w, kernel, rates);
    return (torc_prediction){
        .memory = memory_bytes(w, kernel, problem, &b, far, rates) / rates->memory,
        .gather = visited * (near * sectors + rates->request * (near * lines_of_b + of_a)) / rates->cache,
        .lines = visited * (lines_of_b + of_a) / (rates->lines * multiprocessors),
        .threads = b.count * seconds * w->group / threads + longest,
    };
}

/* The chance that as many or more things happen, where `mean` do on average: Poisson's. */
static double chance_of(int count, double mean)
{
    double none_of_those = 0, term = exp(-mean);
    for (int n = 0; n < count; n++) {
        none_of_those += term;
        term *= mean / (n + 1);
    }
    return 1 - none_of_those;
}

/* Columns are taken to be named as if at random among those that a block names. A step takes as long as the
 * longest of a warp's rows, rounded up to whole steps. Blocks go round by round, in a round that is not full
 * somewhat faster. The rest is gathered. Of the plan each product bears a share; all of it where A is so
 * small that a plan takes longer than some ten products of 32 columns. */
static torc_prediction of_tiles(
    const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    enum { PLACES = TORC_TILE_STEP * TORC_TILE_GROUPS };
    static const double PLAN = 1.2e-3, PLANNED_ENTRY = 6e-11;    /* seconds */
    static const double LARGE = 1 << 25, PLANNED_PRODUCTS = 200; /* ours */
    static const double LONGEST_OF_GROUPS = 1.03; /* standard deviations above the mean, of four */
    static const double LEFT_COLUMNS = 1;         /* lines in whose time the others are gathered, N = 100 */
    int64_t tiled = torc_tiled_columns(kernel, problem->ncols);
    torc_footprint footprint = torc_footprint_of(problem->rows);
    double nnz = fmax(1, (double)problem->rows->nnz), blocks = ceil(fmax(1, w->rows) / TORC_TILE_ROWS);
    blocks = TORC_TILE_BLOCKS * ceil(blocks / TORC_TILE_BLOCKS);
    double entries = fmax(1, nnz / blocks);
    double columns = torc_footprint_columns(&footprint, entries), named = entries / columns;
    double share = chance_of(TORC_TILE_SHARERS - 1, named);
    double tiles = fmax(1, columns * chance_of(TORC_TILE_SHARERS, named) / TORC_TILE_COLUMNS);
    double of_row = fmax(1, nnz / w->rows * share / tiles); /* in a tile */
    double places = of_row + LONGEST_OF_GROUPS * sqrt(of_row) + (TORC_TILE_STEP - 1) / 2.;
    double steps = nnz * share * places / of_row / PLACES;
    double across = ceil((double)tiled / (kernel->shape.lanes * kernel->shape.vector));
    across += tiled < problem->ncols ? LEFT_COLUMNS : 0;
    double rounds = blocks * across / problem->device.multiprocessors;
    torc_spmm_kernel gathering = *kernel;
    gathering.split = TORC_SPLIT_ROWS;
    gathering.caches_rows = true;
    double rest = rates->tile_rest * (1 - share);
    torc_prediction t = of_gathers(w, &gathering, problem, rates);
#define X(term, text) t.term *= rest;
    TORC_TERM_MAP(X)
#undef X
    double plan = (PLAN + PLANNED_ENTRY * nnz) / (nnz < LARGE ? 1 : PLANNED_PRODUCTS);
    t.threads += (rounds + ceil(rounds)) / 2 * steps / blocks * rates->tile_step + plan;
    return t;
}

/* Each column that a window names is a row of B in every panel, and windows end with half a brick more.
 * Windows of neighbouring warps share L1. */
static torc_prediction of_bricks(
    const work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    const torc_statistics *rows = problem->rows;
    double nnz = (double)rows->nnz, windows = ceil(w->rows / TORC_BRICK_ROWS);
    double columns = nnz * fmax(1. / TORC_BRICK_ROWS, rows->brick_footprint);
    double bricks = (columns + windows * (TORC_BRICK_COLUMNS - 1) / 2) / TORC_BRICK_COLUMNS;
    torc_footprint footprint = torc_footprint_of(rows);
    double of_block = fmax(1, TORC_BRICK_GROUP * TORC_BRICK_ROWS * rows->mean_row);
    double near = fmin(columns, nnz * torc_footprint_columns(&footprint, of_block) / of_block);
    panels b = panels_of(kernel, problem);
    double bytes = (double)problem->ncols * (double)problem->b_size / b.count;
    double far = fmin(near, nnz * misses_of_l2(&footprint, nnz, bytes, rates));
    double of_a =
        bricks * TORC_BRICK_PAIRS * sizeof(torc_brick_pair) + nnz * (size_of_a(kernel) - sizeof(uint32_t));
    double c_bytes = w->rows * (double)problem->ncols * (double)problem->c_size;
    double from_l2 = SECTOR * units_of(&b, SECTOR) + rates->request * units_of(&b, LINE);
    double of_byte = kernel->products > 1 ? rates->brick_split : rates->brick_byte;
    double panel = (double)kernel->shape.lanes * kernel->shape.vector * (double)problem->b_size;
    return (torc_prediction){
        .memory = (b.count * of_a + c_bytes + far * LINE * units_of(&b, LINE)) / rates->memory,
        .gather = rates->brick_gather * near * from_l2 / rates->cache,
        .threads = bricks * b.count * (rates->brick + panel * of_byte) / problem->device.multiprocessors,
    };
}

static double norm(const torc_prediction *t)
{
    double squares = 0;
#define X(term, text) squares += t->term * t->term;
    TORC_TERM_MAP(X)
#undef X
    return sqrt(squares);
}

torc_prediction torc_predict(
    const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *of_an_h200)
{
    torc_problem known = *problem;
    known.device = torc_device_complete(problem->device);
    torc_rates rates = torc_rates_for(of_an_h200, &known.device);
    work w = work_of(kernel, &known);
    torc_prediction t = (kernel->split == TORC_SPLIT_PANELS   ? of_panels
                         : kernel->split == TORC_SPLIT_TILES  ? of_tiles
                         : kernel->split == TORC_SPLIT_BRICKS ? of_bricks
                                                              : of_gathers)(&w, kernel, &known, &rates);
    t.seconds = norm(&t);
    return t;
}
