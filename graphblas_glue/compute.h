/* compute.h: T of a product, or C's new content where the epilogue is fused, computed on the device, as
 * arrays that GraphBLAS can take over.
 *
 * Structure is part of the answer: a row of op(S) without entries gives a row of T without entries, and so do
 * elements of a bitmap D that are not there. The result is full only if nothing is absent; else it is a
 * bitmap, or hypersparse where S was. */
#ifndef TORC_COMPUTE_H
#define TORC_COMPUTE_H

#include "burble.h"
#include "epilogue.h"

/* The caller has acquired the device. On error the arrays are empty. */
torc_status torc_compute(torc_arrays *T, const torc_product *product, const torc_epilogue *epilogue,
    const torc_binding *graphblas, torc_context *context, torc_times *times);

#endif
