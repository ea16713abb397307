#include "part_kernel.h"
#include "spmm_args.h"

/* Tiles and bricks say themselves how many lanes they have. */
static int least_lanes(torc_family family)
{
    switch (family) {
    case TORC_CACHED_ROWS:
    case TORC_BUNDLES:
        return TORC_CACHING_LANES;
    case TORC_TILES:
        return TORC_TILE_LANES;
    case TORC_BRICKS:
        return TORC_BRICK_LANES;
    default:
        return 1;
    }
}

/* A uniform kernel's vectors only spread what is computed once. Lanes each have columns of their own. */
torc_spmm_kernel torc_kernel_of_columns(const torc_spmm_kernel *kernel, int64_t ncols)
{
    torc_spmm_kernel fit = *kernel;
    while (torc_families[fit.family].is_uniform && ncols % fit.shape.vector != 0) {
        fit.shape.vector /= 2;
    }
    int64_t vectors = (ncols + fit.shape.vector - 1) / fit.shape.vector;
    while (fit.shape.lanes / 2 >= least_lanes(fit.family) && fit.shape.lanes / 2 >= vectors) {
        fit.shape.lanes /= 2;
    }
    return fit;
}
