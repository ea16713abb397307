#include "candidates.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WARP = 32,
    MAX_VECTOR = 4,
    VECTOR_BYTES = 16,
    LINE_BYTES = 128,
    PANEL_ROW_BYTES = 8,
    PANEL_WAYS = 8, /* measured on an H200: with 4, N = 1 and 2 take 1 to 5 % longer */
    LEAST_SLICE_LANES = 4,
    LEAST_SLICE_GROUP = 8,
    SHORT_ROW = 8,  /* entries; ours: bundles of rows of 16, uniform, take 6 % longer than single rows */
    MAX_PANELS = 4, /* groups narrower than that read A over and over; a whole warp is as wide as there is */
    MAX_IDLE_PANELS = 16
};

typedef struct torc_listing {
    torc_spmm_kernel *list;
    int count;
} torc_listing;

static void add(torc_listing *listing, torc_spmm_kernel kernel)
{
    if (listing->count < TORC_MAX_CANDIDATES) {
        listing->list[listing->count++] = kernel;
    }
}

static bool vector_fits(int vector, size_t size, uint64_t alignment)
{
    size_t bytes = (size_t)vector * size;
    bool is_power_of_two = (bytes & (bytes - 1)) == 0; /* of an opaque type it need not be */
    return bytes <= VECTOR_BYTES && is_power_of_two && alignment % bytes == 0;
}

static bool is_legal_vector(int vector, const torc_problem *problem)
{
    return vector == 1 ||
           (problem->ncols % vector == 0 && vector_fits(vector, problem->c_size, problem->c_alignment) &&
               (problem->b_size == 0 || vector_fits(vector, problem->b_size, problem->b_alignment)));
}

/* B is one value or unread, and no term depends on its column. */
static bool has_equal_columns(const torc_spmm_kernel *kernel)
{
    torc_multiply multiply = kernel->semiring.multiply;
    return kernel->b_access != TORC_ACCESS_ARRAY && multiply != TORC_SECONDJ && multiply != TORC_SECONDJ1;
}

/* A row is computed once, so that lanes only share its entries out and store it: by the widest stores, and as
 * many at once as fill a line or the row, or else each is a sector of its own. */
static void list_uniform(torc_listing *listing, const torc_problem *problem)
{
    torc_spmm_kernel kernel = problem->kernel;
    torc_shape *shape = &kernel.shape;
    kernel.is_uniform = true;
    shape->vector = VECTOR_BYTES;
    while (!is_legal_vector(shape->vector, problem)) {
        shape->vector /= 2;
    }
    for (shape->lanes = 1; shape->lanes <= WARP; shape->lanes *= 2) {
        int64_t at_once = (int64_t)shape->lanes * shape->vector;
        if (at_once >= problem->ncols || at_once * (int64_t)problem->c_size >= LINE_BYTES ||
            shape->lanes == WARP) {
            add(listing, kernel);
        }
    }
}

/* In groups of that many threads or more. */
static void list_ways(torc_listing *listing, torc_spmm_kernel kernel, int group)
{
    for (kernel.ways = 2; kernel.ways * kernel.shape.lanes <= WARP; kernel.ways *= 2) {
        if (kernel.ways * kernel.shape.lanes >= group) {
            add(listing, kernel);
        }
    }
}

/* What passes through shared memory and registers is of 16 bytes at most. */
static bool has_small_values(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    return vector_fits(kernel->shape.vector, problem->c_size, VECTOR_BYTES) &&
           torc_type_size(kernel->a_type) <= VECTOR_BYTES && torc_type_size(kernel->b_type) <= VECTOR_BYTES;
}

static bool is_widest(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    return kernel->shape.vector == MAX_VECTOR || !is_legal_vector(2 * kernel->shape.vector, problem);
}

/* Several entries at once of slices: streamed where that can be. Other ways compete with it only where a
 * vector fills 16 bytes: below, at N = 1 on an H200, the best of them took 2 to 57 % longer on each of six
 * matrices of the bench in fp32 and fp64. And only of the widest vectors, in groups of 8 or more: others are
 * 1 to 6 % from the best kernel on 6 of 242 products (the sweep of src/select/measured_rates.c), and else
 * more. */
static void list_ways_of_slices(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    bool streams = problem->is_everywhere && kernel.shape.lanes == 1 && has_small_values(&kernel, problem);
    if (streams) {
        torc_spmm_kernel streamed = kernel;
        streamed.ways = WARP;
        streamed.streams = true;
        add(listing, streamed);
    }
    bool fills = (size_t)kernel.shape.vector * problem->c_size == VECTOR_BYTES;
    if ((!streams || fills) && is_widest(&kernel, problem)) {
        list_ways(listing, kernel, LEAST_SLICE_GROUP);
    }
}

/* A row of B is one vector, read from panels: worth a thought where rows have entries in most of them. */
static void list_panels(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    const torc_statistics *rows = problem->rows;
    torc_device_facts device = torc_device_complete(problem->device);
    size_t columns = (size_t)kernel.shape.vector, row_of_b = columns * problem->b_size;
    bool is_narrow = kernel.shape.vector == problem->ncols && row_of_b <= PANEL_ROW_BYTES &&
                     columns * problem->c_size <= PANEL_ROW_BYTES;
    if (problem->is_everywhere && is_narrow && problem->b_size > 0 && !kernel.wide_offsets &&
        has_small_values(&kernel, problem) &&
        rows->mean_row * torc_panel_bytes(&device) >= (double)rows->ncols * (double)row_of_b) {
        kernel.split = TORC_SPLIT_PANELS;
        kernel.ways = PANEL_WAYS;
        add(listing, kernel);
    }
}

int64_t torc_tiled_columns(const torc_spmm_kernel *kernel, int64_t ncols)
{
    int64_t line = (int64_t)kernel->shape.lanes * kernel->shape.vector, left = ncols % line;
    return 2 * left > line ? ncols : ncols - left;
}

/* Rows of B that many rows name, from tiles, where a block names a column once at least in the mean, so that
 * there is something to share, and the plan's counters, one a column and block, are fewer than entries. */
static void list_tiles(torc_listing *listing, const torc_problem *problem)
{
    const torc_statistics *rows = problem->rows;
    torc_device_facts device = torc_device_complete(problem->device);
    torc_spmm_kernel kernel = problem->kernel;
    torc_semiring semiring = kernel.semiring;
    size_t a_size = kernel.a_access == TORC_ACCESS_ARRAY ? torc_type_size(kernel.a_type) : 0;
    bool is_of_words = (problem->c_size == 4 || problem->c_size == 8) && problem->b_size == problem->c_size &&
                       (a_size == 0 || a_size == 4 || a_size == 8);
    bool is_shared =
        rows->nnz > 0 && fmin(rows->mean_row, TORC_TILE_PIECE) * TORC_TILE_ROWS >= (double)rows->ncols;
    if (!problem->may_tile || !torc_device_has_tiles(&device, a_size) || !is_shared || !is_of_words ||
        !problem->is_everywhere || kernel.has_accum || kernel.is_packed || kernel.wide_offsets ||
        semiring.definition || semiring.add == TORC_ANY_MONOID || kernel.b_access != TORC_ACCESS_ARRAY ||
        semiring.type >= TORC_FC32 || problem->ncols * (int64_t)problem->c_size < TORC_TILE_LINE) {
        return;
    }
    kernel.split = TORC_SPLIT_TILES;
    kernel.shape = (torc_shape){TORC_TILE_LANES, (int)(VECTOR_BYTES / problem->c_size)};
    if (is_legal_vector(kernel.shape.vector, problem)) {
        add(listing, kernel);
    }
}

/* Products that one of values is made of on tensor cores; 0: they have none for it. */
static int products_of(torc_type type, torc_precision precision)
{
    enum { OF_SPLIT_VALUES = 3 };
    return precision == TORC_PRECISION_EXACT                       ? 0
           : type == TORC_FP32 && precision == TORC_PRECISION_FP32 ? OF_SPLIT_VALUES
           : type == TORC_FP32 || type == TORC_FP64                ? 1
                                                                   : 0;
}

/* 8 rows at once, by tensor cores, where less than exact is asked for. */
static void list_bricks(torc_listing *listing, const torc_problem *problem)
{
    torc_device_facts device = torc_device_complete(problem->device);
    torc_spmm_kernel kernel = problem->kernel;
    torc_semiring semiring = kernel.semiring;
    bool is_of_type = (kernel.a_access == TORC_ACCESS_NONE || kernel.a_type == semiring.type) &&
                      kernel.b_type == semiring.type;
    bool is_known = semiring.add == TORC_PLUS_MONOID &&
                    (semiring.multiply == TORC_TIMES || semiring.multiply == TORC_SECOND);
    kernel.products = products_of(semiring.type, problem->precision);
    if (kernel.products == 0 || !is_known || !is_of_type || kernel.b_access != TORC_ACCESS_ARRAY ||
        !problem->may_brick || !problem->is_everywhere || kernel.wide_offsets || problem->rows->nnz == 0 ||
        !torc_device_has_bricks(&device)) {
        return;
    }
    kernel.split = TORC_SPLIT_BRICKS;
    for (int vector = VECTOR_BYTES / (int)problem->c_size; vector >= 1; vector /= 2) {
        if ((int64_t)TORC_BRICK_LANES * vector <= problem->ncols && is_legal_vector(vector, problem)) {
            kernel.shape = (torc_shape){TORC_BRICK_LANES, vector};
            add(listing, kernel);
        }
    }
}

/* Short rows, several a group, where rows of B fill lines: where they do not, other kernels are faster on an
 * H200. */
static void list_bundles(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    const torc_statistics *rows = problem->rows;
    bool are_short = rows->mean_row <= SHORT_ROW && rows->max_row <= WARP;
    int64_t at_once = (int64_t)kernel.shape.lanes * kernel.shape.vector;
    int64_t panel = at_once < problem->ncols ? at_once : problem->ncols;
    if (are_short && problem->is_everywhere && kernel.shape.lanes >= TORC_CACHING_LANES &&
        panel * (int64_t)problem->b_size >= LINE_BYTES && !kernel.semiring.definition) {
        kernel.split = TORC_SPLIT_BUNDLES;
        add(listing, kernel);
    }
}

/* Does a thread per vector of C leave most of the device idle? Then several groups per row, and more panels,
 * have more entries on their way at once; A, which each panel reads again, is small. Only panels that fill
 * lines of B. Before, 1024 rows of 102 entries at N = 128 in fp32 took 10.2 us on an H200, cuSPARSE's ALG3
 * 7.0. */
static bool has_idle_panels(const torc_problem *problem, torc_shape shape)
{
    torc_device_facts device = torc_device_complete(problem->device);
    double threads = (double)problem->rows->nrows * (double)problem->ncols / shape.vector;
    return threads < (double)device.threads * device.multiprocessors &&
           (size_t)(shape.lanes * shape.vector) * problem->b_size >= LINE_BYTES;
}

/* Groups that are not too narrow for C. */
static bool is_wide_enough(const torc_problem *problem, torc_shape shape)
{
    int panels = has_idle_panels(problem, shape) ? MAX_IDLE_PANELS : MAX_PANELS;
    return shape.lanes == WARP || (int64_t)panels * shape.lanes * shape.vector >= problem->ncols;
}

static void list_shape(torc_listing *listing, const torc_problem *problem, torc_shape shape)
{
    torc_spmm_kernel kernel = problem->kernel;
    kernel.shape = shape;
    add(listing, kernel);
    if (shape.lanes >= TORC_CACHING_LANES && !kernel.semiring.definition) {
        kernel.caches_rows = true;
        add(listing, kernel);
        kernel.caches_rows = false;
    }
    if (kernel.semiring.add == TORC_ANY_MONOID && !kernel.b_is_bitmap) {
        return; /* the first entry is enough */
    }
    bool reaches_across = (int64_t)shape.lanes * shape.vector >= problem->ncols;
    if (reaches_across || has_idle_panels(problem, shape)) {
        list_ways(listing, kernel, 1);
    }
    kernel.split = TORC_SPLIT_NONZEROS;
    if (shape.lanes >= LEAST_SLICE_LANES) { /* fewer are 21 % and more from the best on each of the 242 */
        add(listing, kernel);
    }
    list_bundles(listing, problem, kernel);
    if (reaches_across) {
        list_ways_of_slices(listing, problem, kernel);
        list_panels(listing, problem, kernel);
    }
}

int torc_list_candidates(torc_spmm_kernel *list, const torc_problem *problem)
{
    torc_listing listing = {list, 0};
    if (problem->is_everywhere && has_equal_columns(&problem->kernel)) {
        list_uniform(&listing, problem);
        return listing.count;
    }
    list_tiles(&listing, problem);
    list_bricks(&listing, problem);
    for (int vector = MAX_VECTOR; vector >= 1; vector /= 2) {
        if (!is_legal_vector(vector, problem)) {
            continue;
        }
        for (int lanes = 1; lanes <= WARP && (lanes == 1 || (int64_t)lanes / 2 * vector < problem->ncols);
             lanes *= 2) {
            torc_shape shape = {lanes, vector};
            if (is_wide_enough(problem, shape)) {
                list_shape(&listing, problem, shape);
            }
        }
    }
    return listing.count;
}

void torc_kernel_name(char name[TORC_KERNEL_NAME], const torc_spmm_kernel *kernel)
{
    const char *split = kernel->split == TORC_SPLIT_NONZEROS ? "nonzeros" : "rows";
    const char *access = kernel->caches_rows ? "/cached" : "";
    int lanes = kernel->shape.lanes, vector = kernel->shape.vector;
    if (kernel->split == TORC_SPLIT_BUNDLES) {
        snprintf(name, TORC_KERNEL_NAME, "%s/bundled/v%dx%d", split, vector, lanes);
    } else if (kernel->is_uniform) {
        snprintf(name, TORC_KERNEL_NAME, "%s/uniform%d/v%d", split, lanes, vector);
    } else if (kernel->streams) {
        snprintf(name, TORC_KERNEL_NAME, "%s/streamed/v%dx%d", split, vector, lanes);
    } else if (kernel->split == TORC_SPLIT_PANELS) {
        snprintf(name, TORC_KERNEL_NAME, "%s/panels%d/v%dx%d", split, kernel->ways, vector, lanes);
    } else if (kernel->split == TORC_SPLIT_TILES) {
        snprintf(name, TORC_KERNEL_NAME, "%s/tiles/v%dx%d", split, vector, lanes);
    } else if (kernel->split == TORC_SPLIT_BRICKS) {
        snprintf(name, TORC_KERNEL_NAME, "%s/bricks%d/v%dx%d", split, kernel->products, vector, lanes);
    } else if (kernel->ways > 0) {
        snprintf(
            name, TORC_KERNEL_NAME, "%s/parallel%d/v%dx%d%s", split, kernel->ways, vector, lanes, access);
    } else {
        snprintf(name, TORC_KERNEL_NAME, "%s/sequential/v%dx%d%s", split, vector, lanes, access);
    }
}

static bool has_name(torc_spmm_kernel kernel, const char *name)
{
    char own[TORC_KERNEL_NAME];
    torc_kernel_name(own, &kernel);
    return strcmp(own, name) == 0;
}

/* The kernels of that shape whose columns differ. */
static bool is_named_in(torc_shape shape, const char *name)
{
    torc_spmm_kernel kernel = {.shape = shape, .split = TORC_SPLIT_NONZEROS, .streams = true};
    bool is_named = shape.lanes == 1 && has_name(kernel, name);
    kernel.streams = false;
    for (kernel.ways = 0; kernel.ways * shape.lanes <= WARP; kernel.ways += kernel.ways ? kernel.ways : 2) {
        for (kernel.split = TORC_SPLIT_ROWS; kernel.split <= TORC_SPLIT_TILES; kernel.split++) {
            bool has_ways = kernel.split != TORC_SPLIT_PANELS || kernel.ways == PANEL_WAYS;
            is_named |= has_ways && has_name(kernel, name);
        }
        kernel.split = TORC_SPLIT_ROWS;
        kernel.caches_rows = shape.lanes >= TORC_CACHING_LANES;
        is_named |= has_name(kernel, name);
        kernel.caches_rows = false;
    }
    kernel = (torc_spmm_kernel){.shape = shape, .split = TORC_SPLIT_BRICKS};
    for (kernel.products = 1; kernel.products <= 3; kernel.products += 2) {
        is_named |= shape.lanes == TORC_BRICK_LANES && has_name(kernel, name);
    }
    return is_named;
}

bool torc_kernel_is_named(const char *name)
{
    bool is_named = false;
    for (int lanes = 1; lanes <= WARP; lanes *= 2) {
        for (int vector = 1; vector <= VECTOR_BYTES; vector *= 2) {
            torc_shape shape = {lanes, vector};
            is_named |= has_name((torc_spmm_kernel){.shape = shape, .is_uniform = true}, name) ||
                        (vector <= MAX_VECTOR && is_named_in(shape, name));
        }
    }
    return is_named;
}
