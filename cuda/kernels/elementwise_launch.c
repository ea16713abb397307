/* elementwise_launch.c: the grid of an element-wise operation: as many threads as a thread's vectors cover.
 */
#include "cuda_device.h"
#include <stddef.h>

_Static_assert(sizeof(torc_elementwise_kernel) <= TORC_DESCRIPTION_SIZE, "remembered whole");

static const torc_kernel_kind kind = {
    .source = torc_elementwise_source,
    .main = TORC_ELEMENTWISE_MAIN,
    .description_size = sizeof(torc_elementwise_kernel),
    .definition_at = offsetof(torc_elementwise_kernel, operation.definition),
};

torc_status torc_cuda_elementwise(
    torc_device *device, const torc_elementwise_kernel *kernel, const torc_elementwise_args *args)
{
    TORC_ENTER(device);
    /* Values of scalars are arguments, and would make another kernel of the same one. */
    torc_elementwise_kernel compiled = *kernel;
    const torc_scalar none = {TORC_BOOL, {0, 0}};
    compiled.operation.thunk = compiled.operation.alpha = compiled.operation.beta = none;
    const torc_loaded_kernel *loaded;
    TORC_TRY(torc_kernel_load(&loaded, device, &kind, &compiled));
    int64_t vectors = torc_ceiling(args->length, kernel->vector) * args->nlines;
    int64_t blocks = torc_ceiling(vectors, TORC_BLOCK_THREADS * torc_elementwise_vectors(kernel));
    if (blocks == 0) {
        return TORC_SUCCESS;
    }
    dim3 grid = {(unsigned)blocks, 1, 1};
    return torc_kernel_launch(device, loaded->main, grid, TORC_BLOCK_THREADS, 0, args);
}
