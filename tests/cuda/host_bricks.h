/* host_bricks.h: bricks, as spmm_args.h draws them and brick_csr.cu makes them, stated once more in plain C,
 * on arrays in host memory. */
#ifndef TORC_HOST_BRICKS_H
#define TORC_HOST_BRICKS_H

#include "backend.h"

/* As plan_bricks of backend.h, in memory of a device of the reference executor. */
torc_status torc_host_plan_bricks(
    torc_device *reference, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height);

#endif
