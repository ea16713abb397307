/* device_update.h: what a kernel with a mask, an accumulator or bitmaps leaves on the device beside what the
 * reference leaves: presence, the values of what is present, and the padding of C. Small integers, so that no
 * order of summation shows; absent elements of B are NaN, or what no result may be. */
#ifndef TORC_DEVICE_UPDATE_H
#define TORC_DEVICE_UPDATE_H

#include "device_product.h"

void torc_device_update_check(torc_device *device, torc_device *reference, const torc_spmm_kernel *kernel,
    const torc_device_pattern *A, int64_t ncols, uint64_t seed);

#endif
