/* spmm_launch.c: the grids of an SpMM.
 *
 * A group of threads a segment and a row, segments first, along x: at most (2^32 + nsegments) / 8 blocks. Or
 * a slice, or bundle of rows, then blocks for rows without entries. Panels of columns along y, which holds
 * 65535 and overflows into z. Blocks start with x running fastest, so one panel is done before the next
 * begins. Where blocks keep panels of B, one a multiprocessor. Where bricks are multiplied, a warp a piece.
 * To combine, a block a heavy row and panel of a group's lanes, then a thread a vector of the others. */
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
    if (kernel->streams) {
        return divide_l1(device, main, kernel);
    }
    bool keeps_rows = kernel->split == TORC_SPLIT_PANELS || kernel->split == TORC_SPLIT_TILES;
    return keeps_rows ? take_shared_memory(device, main) : TORC_SUCCESS;
}

const torc_kernel_family torc_spmm_family = {
    .source = torc_spmm_source,
    .main = TORC_SPMM_MAIN,
    .combine = TORC_SPMM_COMBINE,
    .description_size = sizeof(torc_spmm_kernel),
    .definition_at = offsetof(torc_spmm_kernel, semiring.definition),
    .prepare = prepare,
};

/* How many rows of A and of B a block has in shared memory at once, as column_panels.cuh divides it, and the
 * bytes of both: all rows that most blocks own, in half of the memory at most; then panels of about the same
 * width. */
static size_t divide_shared(
    torc_spmm_args *args, const torc_device *device, const torc_spmm_kernel *kernel, int64_t blocks)
{
    enum { MORE = 8, FEW_ROWS = 32, GAPS = 192 }; /* blocks own up to a MOREth more; bytes */
    size_t c_size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    int64_t sums = kernel->shape.vector * (int64_t)(kernel->is_packed ? sizeof(uint64_t) : c_size);
    int64_t row = sums + 2 * sizeof(uint32_t) + sizeof(uint16_t);
    int64_t row_of_b = kernel->shape.vector * (int64_t)torc_type_size(kernel->b_type);
    int64_t memory = (int64_t)device->info.block_shared - GAPS, own = torc_ceiling(args->nrows, blocks);
    int64_t rows = own + own / MORE + FEW_ROWS, most_rows = memory / 2 / row;
    args->round_rows = rows < most_rows ? rows : most_rows;
    int64_t columns = (memory - args->round_rows * row) / row_of_b;
    int64_t panels = args->b_rows > columns ? torc_ceiling(args->b_rows, columns) : 1;
    args->panel_columns = torc_ceiling(args->b_rows, panels);
    return (size_t)(args->round_rows * row + args->panel_columns * row_of_b + GAPS);
}

torc_status torc_cuda_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    TORC_ENTER(device);
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, &torc_spmm_family, kernel));

    bool has_panels = kernel->split == TORC_SPLIT_PANELS, has_tiles = kernel->split == TORC_SPLIT_TILES,
         has_bricks = kernel->split == TORC_SPLIT_BRICKS;
    int threads = kernel->streams ? TORC_STREAM_THREADS
                  : has_panels    ? TORC_PANEL_THREADS
                  : has_tiles     ? TORC_TILE_THREADS
                  : has_bricks    ? TORC_BRICK_THREADS
                                  : TORC_BLOCK_THREADS;
    torc_spmm_args copy = *args;
    int group = kernel->shape.lanes * (kernel->ways > 0 ? kernel->ways : 1);
    int64_t blocks = torc_ceiling(args->nsegments + args->nrows, threads / group);
    bool bundles = kernel->split == TORC_SPLIT_BUNDLES;
    if (kernel->split == TORC_SPLIT_NONZEROS || bundles) {
        int64_t slices = bundles ? torc_ceiling(args->nonempty_rows, TORC_BUNDLE_ROWS) : args->nslices;
        blocks = torc_ceiling(slices, kernel->streams ? TORC_STREAM_SLICES : threads / group) +
                 torc_ceiling(args->nrows - args->nonempty_rows, TORC_EMPTY_ROWS / kernel->shape.lanes);
    }
    size_t shared = 0;
    if (has_panels) {
        blocks = args->nrows < device->info.multiprocessors ? args->nrows : device->info.multiprocessors;
        shared = divide_shared(&copy, device, kernel, blocks);
    }
    if (has_bricks) {
        blocks = torc_ceiling(args->bricks.npieces, TORC_BRICK_GROUP);
    }
    if (has_tiles) {
        blocks = args->tiles.nblocks;
        shared = TORC_TILE_SHARED_BYTES(
            kernel->a_access == TORC_ACCESS_ARRAY ? torc_type_size(kernel->a_type) : 0);
    }
    int64_t panel = (int64_t)kernel->shape.lanes * kernel->shape.vector;
    int64_t panels = kernel->is_uniform ? 1 : torc_ceiling(args->ncols, panel);
    int64_t deep = torc_ceiling(panels, MAX_GRID_Y);
    dim3 grid = {(unsigned)blocks, (unsigned)torc_ceiling(panels, deep), (unsigned)deep};
    TORC_TRY(torc_kernel_launch(device, loaded->main, grid, threads, shared, &copy, false));
    if (args->nlong_rows > 0) {
        int64_t vectors = args->ncols / (kernel->is_uniform ? 1 : kernel->shape.vector);
        int64_t heavy = args->nheavy_rows * torc_ceiling(vectors, kernel->shape.lanes);
        int64_t others = torc_ceiling((args->nlong_rows - args->nheavy_rows) * vectors, TORC_BLOCK_THREADS);
        dim3 combine_grid = {(unsigned)(heavy + others), 1, 1};
        TORC_TRY(
            torc_kernel_launch(device, loaded->combine, combine_grid, TORC_BLOCK_THREADS, 0, &copy, true));
    }
    return TORC_SUCCESS;
}
