/* compute.h: T of a product, or C's new content where the epilogue is fused, computed on the device, as
 * arrays that GraphBLAS can take over.
 *
 * What is dense stays in host memory: operands where GraphBLAS has them, the result in its final place. The
 * engine moves panels of it. S is on the device, or, where it does not fit beside panels, passes by in blocks
 * of its rows. */
#ifndef TORC_COMPUTE_H
#define TORC_COMPUTE_H

#include "burble.h"
#include "epilogue.h"

/* The caller has acquired the device. On error the arrays are empty. */
torc_status torc_compute(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, torc_times *times);

#endif
