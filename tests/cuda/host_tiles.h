/* host_tiles.h: the plan of shared tiles, as spmm_args.h draws it and tile_csr.cu makes it, stated once more
 * in plain C, on arrays in host memory. */
#ifndef TORC_HOST_TILES_H
#define TORC_HOST_TILES_H

#include "backend.h"

/* As plan_tiles of backend.h, in memory of a device of the reference executor. */
torc_status torc_host_plan_tiles(
    torc_device *reference, torc_tiles *tiles, torc_device_csr *rest, const torc_device_csr *A, int parts);

#endif
