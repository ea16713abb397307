/* spmm_launch.c: the grids of an SpMM.
 *
 *     x    one group of threads per segment and row, segments first: at most (2^32 + nsegments) / 8 blocks.
 *          Or one block per piece of a long row, then one group per row.
 *          Or one per slice or bundle of rows, then blocks for rows without entries. Or one block per
 *          multiprocessor where blocks keep panels of B. Or one warp per piece of bricks
 *     y    spans of columns, each as wide as a group; beyond 65535 they go on along z
 *
 * Blocks start with x running fastest, so one span is done before the next begins. To combine partials: one
 * block per heavy row and span, then one thread per vector of every other split row. */
#include "cuda_device.h"
#include <stddef.h>

enum { MAX_GRID_Y = 65535 };

/* Shared memory for five or six blocks that stream; L1 has the rest. Left to itself, CUDA gives what the most
 * blocks could use. Measured on an H200, N = 1: the next larger share takes up to 4 % longer in fp32 and up
 * to 12 % in fp64. */
static torc_status divide_l1(torc_device *device, cudaKernel_t main, const torc_spmm_kernel *kernel)
{
    size_t size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    size_t bytes = (kernel->is_packed ? sizeof(uint64_t) : size) * (size_t)kernel->shape.vector;
    int wanted = (bytes <= 4 ? 32 : bytes <= 8 ? 64 : 132) << 10, most, percent;
    TORC_TRY_CUDA(
        device, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device->ordinal));
    percent = wanted < most ? (int)(INT64_C(100) * wanted / most) : 100;
    TORC_TRY_CUDA(device, cudaKernelSetAttributeForDevice(main,
                              cudaFuncAttributePreferredSharedMemoryCarveout, percent, device->ordinal));
    return TORC_SUCCESS;
}

/* All the shared memory that a block can have. */
static torc_status take_shared_memory(torc_device *device, cudaKernel_t main)
{
    TORC_TRY_CUDA(device, cudaKernelSetAttributeForDevice(main, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              (int)device->info.block_shared, device->ordinal));
    return TORC_SUCCESS;
}

static torc_status prepare(torc_device *device, cudaKernel_t main, const void *description)
{
    const torc_spmm_kernel *kernel = description;
    torc_shared_memory shared = torc_families[kernel->family].shared;
    return shared == TORC_SHARED_STREAM ? divide_l1(device, main, kernel)
           : shared == TORC_SHARED_ALL  ? take_shared_memory(device, main)
                                        : TORC_SUCCESS;
}

_Static_assert(sizeof(torc_spmm_kernel) <= TORC_DESCRIPTION_SIZE, "remembered whole");

const torc_kernel_kind torc_spmm_kind = {
    .source = torc_spmm_source,
    .main = TORC_SPMM_MAIN,
    .combine = TORC_SPMM_COMBINE,
    .description_size = sizeof(torc_spmm_kernel),
    .definition_at = offsetof(torc_spmm_kernel, semiring.definition),
    .prepare = prepare,
};

/* What a grid is made for. args are a copy: what is the executor's to say is filled in. */
typedef struct product {
    const torc_device *device;
    const torc_spmm_kernel *kernel;
    const torc_family_facts *family;
    torc_spmm_args args;
    int64_t spans;  /* of columns, along y and z */
    int64_t blocks; /* along x */
    size_t shared;  /* bytes that a block is given beside its own */
} product;

static int64_t groups_of(const product *p)
{
    return p->family->threads / (p->kernel->shape.lanes * torc_ways(p->kernel));
}

static void share_segments_out(product *p)
{
    p->blocks = torc_ceiling(p->args.nsegments + p->args.nrows, groups_of(p));
}

static void share_pieces_out(product *p)
{
    p->blocks = p->args.nsegments + torc_ceiling(p->args.nrows, groups_of(p));
}

/* And blocks for rows without entries. */
static void share_groups_out(product *p, int64_t groups, int64_t groups_a_block)
{
    int64_t empty_rows = p->args.nrows - p->args.nonempty_rows;
    p->blocks = torc_ceiling(groups, groups_a_block) +
                torc_ceiling(empty_rows, TORC_EMPTY_ROWS / p->kernel->shape.lanes);
}

static void share_slices_out(product *p)
{
    int together = p->family->block_slices;
    share_groups_out(p, p->args.nslices, together > 0 ? together : groups_of(p));
}

static void share_bundles_out(product *p)
{
    share_groups_out(p, torc_ceiling(p->args.nonempty_rows, TORC_BUNDLE_ROWS), groups_of(p));
}

/* How many rows of A and of B a block has in shared memory at once, as column_panels.cuh divides it, and the
 * bytes of both: all rows that most blocks own, in half of the memory at most; then panels of about the same
 * width. */
static void share_rows_out(product *p)
{
    enum { MORE = 8, FEW_ROWS = 32, GAPS = 192 }; /* blocks own up to a MOREth more; bytes */
    const torc_spmm_kernel *kernel = p->kernel;
    torc_spmm_args *args = &p->args;
    int multiprocessors = p->device->info.multiprocessors;
    p->blocks = args->nrows < multiprocessors ? args->nrows : multiprocessors;
    size_t c_size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    int64_t sums = kernel->shape.vector * (int64_t)(kernel->is_packed ? sizeof(uint64_t) : c_size);
    int64_t row = sums + 2 * sizeof(uint32_t) + sizeof(uint16_t);
    int64_t row_of_b = kernel->shape.vector * (int64_t)torc_type_size(kernel->b_type);
    int64_t memory = (int64_t)p->device->info.block_shared - GAPS, own = torc_ceiling(args->nrows, p->blocks);
    int64_t rows = own + own / MORE + FEW_ROWS, most_rows = memory / 2 / row;
    args->round_rows = rows < most_rows ? rows : most_rows;
    int64_t columns = (memory - args->round_rows * row) / row_of_b;
    int64_t panels = args->b_rows > columns ? torc_ceiling(args->b_rows, columns) : 1;
    args->panel_columns = torc_ceiling(args->b_rows, panels);
    p->shared = (size_t)(args->round_rows * row + args->panel_columns * row_of_b + GAPS);
}

static void share_tiles_out(product *p)
{
    const torc_spmm_kernel *kernel = p->kernel;
    p->blocks = p->args.tiles.nblocks;
    p->shared =
        TORC_TILE_SHARED_BYTES(kernel->a_access == TORC_ACCESS_ARRAY ? torc_type_size(kernel->a_type) : 0);
    int64_t multiprocessors = p->device->info.multiprocessors, at_once = multiprocessors / p->blocks;
    bool goes_on = TORC_TILE_GOES_ON(kernel->shape.vector);
    if (goes_on && 10 * at_once * p->blocks >= 9 * multiprocessors && at_once < p->spans) {
        p->spans = at_once; /* and each block goes on to the next ones without a pause */
    }
}

static void share_bricks_out(product *p)
{
    p->blocks = torc_ceiling(p->args.bricks.npieces, TORC_BRICK_GROUP);
}

static void (*const share_out[TORC_CUTS])(product *p) = {
    [TORC_CUT_BLOCKS] = share_rows_out,
    [TORC_CUT_SEGMENTS] = share_segments_out,
    [TORC_CUT_PIECES] = share_pieces_out,
    [TORC_CUT_SLICES] = share_slices_out,
    [TORC_CUT_BUNDLES] = share_bundles_out,
    [TORC_CUT_TILES] = share_tiles_out,
    [TORC_CUT_BRICKS] = share_bricks_out,
};

torc_status torc_cuda_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    TORC_ENTER(device);
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, &torc_spmm_kind, kernel));

    const torc_family_facts *family = &torc_families[kernel->family];
    product p = {.device = device, .kernel = kernel, .family = family, .args = *args};
    int64_t span = (int64_t)kernel->shape.lanes * kernel->shape.vector;
    p.spans = family->is_uniform ? 1 : torc_ceiling(args->ncols, span);
    share_out[family->cut](&p);
    int64_t deep = torc_ceiling(p.spans, MAX_GRID_Y);
    dim3 grid = {(unsigned)p.blocks, (unsigned)torc_ceiling(p.spans, deep), (unsigned)deep};
    TORC_TRY(torc_kernel_launch(device, loaded->main, grid, family->threads, p.shared, &p.args));
    if (args->nsplit_rows > 0) {
        int64_t vectors = args->ncols / torc_computed_columns(kernel);
        int64_t heavy = args->nheavy_rows * torc_ceiling(vectors, args->heavy_lanes);
        int64_t others = torc_ceiling((args->nsplit_rows - args->nheavy_rows) * vectors, TORC_BLOCK_THREADS);
        dim3 combine_grid = {(unsigned)(heavy + others), 1, 1};
        torc_status status =
            torc_kernel_launch(device, loaded->combine, combine_grid, TORC_BLOCK_THREADS, 0, &p.args);
        /* Whoever gave back memory and tried again would add to what main has added to. */
        bool is_lost = status == TORC_OUT_OF_MEMORY && kernel->has_accum;
        return is_lost ? TORC_DEVICE_ERROR : status;
    }
    return TORC_SUCCESS;
}
