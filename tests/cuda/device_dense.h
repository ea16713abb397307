/* device_dense.h: one element-wise kernel, and one round of a reduction, on the device beside the reference
 * executor, over random values among which are the awkward ones. */
#ifndef TORC_DEVICE_DENSE_H
#define TORC_DEVICE_DENSE_H

#include "backend.h"

/* C, of nlines lines of `length` places, and its bitmap must come out the same, gaps between lines included.
 */
void torc_device_elementwise_check(torc_device *device, torc_device *reference,
    const torc_elementwise_kernel *kernel, int64_t nlines, int64_t length, uint64_t seed);

/* Bit for bit; one NaN is as good as another, and so is one zero under min and max. */
void torc_device_reduce_check(torc_device *device, torc_device *reference, const torc_reduce_kernel *kernel,
    int64_t nlines, int64_t length, uint64_t seed);

#endif
