/* compute.h: a product on the device whose result lands in host memory: T, or C's new content where the
 * epilogue is fused, in arrays that GraphBLAS can take over.
 *
 * Dense operands stay in host memory, where GraphBLAS has them, and the result is written to its final place:
 * the engine moves panels of them past S. S is on the device; where it does not fit beside the panels, blocks
 * of its rows are sent one after another. */
#ifndef TORC_COMPUTE_H
#define TORC_COMPUTE_H

#include "burble.h"
#include "epilogue.h"

/* The caller has acquired the device. On error the arrays are empty. */
torc_status torc_compute(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, torc_times *times);

#endif
