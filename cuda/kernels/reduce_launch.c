/* reduce_launch.c: the grid of one round of a reduction: TORC_REDUCE_LANES threads a chunk, or a share of
 * them where lines are short; a thread a place of a strip. */
#include "cuda_device.h"
#include <stddef.h>

_Static_assert(sizeof(torc_reduce_kernel) <= TORC_DESCRIPTION_SIZE, "remembered whole");

static const torc_kernel_kind kind = {
    .source = torc_reduce_source,
    .main = TORC_REDUCE_MAIN,
    .description_size = sizeof(torc_reduce_kernel),
    .definition_at = offsetof(torc_reduce_kernel, reduction.definition),
};

static int64_t threads_of(const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    if (kernel->is_across) {
        return torc_reduce_parts(args->nlines, TORC_REDUCE_STRIP) * args->length;
    }
    int64_t chunks = torc_reduce_parts(args->length, TORC_REDUCE_CHUNK);
    return chunks * args->nlines * torc_reduce_lanes(args->length);
}

torc_status torc_cuda_reduce(
    torc_device *device, const torc_reduce_kernel *kernel, const torc_reduce_args *args)
{
    TORC_ENTER(device);
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, &kind, kernel));
    int64_t blocks = torc_ceiling(threads_of(kernel, args), TORC_REDUCE_LANES);
    if (blocks == 0) {
        return TORC_SUCCESS;
    }
    dim3 grid = {(unsigned)blocks, 1, 1};
    return torc_kernel_launch(device, loaded->main, grid, TORC_REDUCE_LANES, 0, args);
}
