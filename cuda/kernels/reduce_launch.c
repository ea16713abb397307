/* reduce_launch.c: the grid of one round of a reduction: a block a chunk, or several chunks where lines are
 * short; a thread a place of a strip. */
#include "cuda_device.h"
#include <stddef.h>

_Static_assert(sizeof(torc_reduce_kernel) <= TORC_DESCRIPTION_SIZE, "remembered whole");

static const torc_kernel_kind kind = {
    .source = torc_reduce_source,
    .main = TORC_REDUCE_MAIN,
    .description_size = sizeof(torc_reduce_kernel),
    .definition_at = offsetof(torc_reduce_kernel, reduction.definition),
};

static int64_t blocks_of(const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    if (kernel->is_across) {
        int64_t strips = torc_reduce_parts(args->nlines, TORC_REDUCE_STRIP);
        return torc_ceiling(strips * args->length, TORC_REDUCE_LANES);
    }
    int lanes = torc_reduce_lanes(args->length);
    return lanes < TORC_REDUCE_LANES
               ? torc_ceiling(args->nlines, TORC_REDUCE_LANES / lanes * TORC_REDUCE_SHORT_LINES)
               : torc_reduce_parts(args->length, TORC_REDUCE_CHUNK) * args->nlines;
}

torc_status torc_cuda_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    TORC_ENTER(device);
    int64_t blocks = blocks_of(kernel, args);
    if (blocks == 0) {
        return TORC_SUCCESS;
    }
    if (blocks > INT32_MAX) {
        return TORC_UNSUPPORTED; /* a grid has no more: 2^44 elements, which only one value can stand for */
    }
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, &kind, kernel));
    dim3 grid = {(unsigned)blocks, 1, 1};
    return torc_kernel_launch(device, loaded->main, grid, TORC_REDUCE_LANES, 0, args);
}
