/* compute.h: T of a product, computed on the device, as arrays that GraphBLAS can take over.
 *
 * Structure is part of the answer: a row of op(S) without entries gives a row of R without entries. So T is
 * full only if every row has some; else it is a bitmap, or hypersparse where S was. */
#ifndef TORC_COMPUTE_H
#define TORC_COMPUTE_H

#include "burble.h"
#include "pack.h"
#include "product.h"

/* The caller has acquired the device. wants_bitmap: T is not to be full, even where it could be. On error the
 * arrays are empty. */
torc_status torc_compute(torc_arrays *T, const torc_product *product, bool wants_bitmap,
    const torc_binding *graphblas, torc_context *context, torc_times *times);

#endif
