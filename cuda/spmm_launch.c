/* spmm_launch.c: the grids of an SpMM.
 *
 * A group of threads a segment and a row, segments first, along x: at most (2^32 + nsegments) / 8 blocks.
 * Panels of columns along y, which holds 65535 and overflows into z. Blocks start with x running fastest, so
 * one panel is done before the next begins. To combine, a
 * block a heavy row and panel of TORC_COMBINING_LANES vectors, then a thread a vector of the others. */
#include "cuda_device.h"

enum { MAX_GRID_Y = 65535 };

static int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* overlaps: on Hopper and later it may begin while the one before it ends, for which it waits itself. */
static torc_status launch(
    torc_device *device, cudaKernel_t kernel, dim3 grid, int threads, void **parameters, bool overlaps)
{
    cudaLaunchAttribute early = {.id = cudaLaunchAttributeProgrammaticStreamSerialization};
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {.gridDim = grid,
        .blockDim = {(unsigned)threads, 1, 1},
        .stream = device->stream,
        .attrs = &early,
        .numAttrs = overlaps && device->info.compute_capability >= 90};
    TORC_TRY_CUDA(device, cudaLaunchKernelExC(&config, (const void *)kernel, parameters));
    return TORC_SUCCESS;
}

torc_status torc_cuda_spmm(torc_device *device, const torc_spmm_kernel *kernel, const torc_spmm_args *args)
{
    TORC_ENTER(device);
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, kernel));

    int threads = kernel->streams ? TORC_STREAM_THREADS : TORC_BLOCK_THREADS;
    torc_spmm_args copy = *args;
    void *parameters[] = {&copy};
    int group = kernel->shape.lanes * (kernel->ways > 0 ? kernel->ways : 1);
    int64_t blocks = ceiling(args->nsegments + args->nrows, threads / group);
    if (kernel->split == TORC_SPLIT_NONZEROS) {
        blocks = ceiling(args->nslices, kernel->streams ? TORC_STREAM_SLICES : threads / group) +
                 ceiling(args->nrows - args->nonempty_rows, TORC_EMPTY_ROWS / kernel->shape.lanes);
    }
    int64_t panel = (int64_t)kernel->shape.lanes * kernel->shape.vector;
    int64_t panels = kernel->is_uniform ? 1 : ceiling(args->ncols, panel);
    int64_t deep = ceiling(panels, MAX_GRID_Y);
    dim3 grid = {(unsigned)blocks, (unsigned)ceiling(panels, deep), (unsigned)deep};
    TORC_TRY(launch(device, loaded->main, grid, threads, parameters, false));
    if (args->nlong_rows > 0) {
        int64_t vectors = args->ncols / (kernel->is_uniform ? 1 : kernel->shape.vector);
        int64_t heavy = args->nheavy_rows * ceiling(vectors, TORC_COMBINING_LANES);
        int64_t others = ceiling((args->nlong_rows - args->nheavy_rows) * vectors, TORC_BLOCK_THREADS);
        dim3 combine_grid = {(unsigned)(heavy + others), 1, 1};
        TORC_TRY(launch(device, loaded->combine, combine_grid, TORC_BLOCK_THREADS, parameters, true));
    }
    return TORC_SUCCESS;
}
