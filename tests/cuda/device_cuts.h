/* device_cuts.h: the rows of a pattern, cut on the host and copied to the device, as a kernel's arguments. */
#ifndef TORC_DEVICE_CUTS_H
#define TORC_DEVICE_CUTS_H

#include "partition.h"
#include "ugly_csr.h"

typedef struct torc_device_cuts {
    torc_partition host, device; /* the same, arrays in either memory */
} torc_device_cuts;

torc_device_cuts torc_device_cuts_build(torc_device *device, const torc_ugly_csr *csr);
void torc_device_cuts_free(torc_device *device, torc_device_cuts *cuts);

/* Put into args, of a launch on the device, what the kernel's split needs. Returns how many rows of partials
 * it needs. */
int64_t torc_device_cuts_take(
    torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_device_cuts *cuts);

/* Some products have A's rows in another order: row i of C is row n - 1 - i of A times B. Is it one of those?
 */
bool torc_device_cuts_are_reversed(const torc_device_cuts *cuts, uint64_t seed);

/* Put that into args, and release it. */
void torc_device_cuts_reverse(torc_device *device, torc_spmm_args *args);
void torc_device_cuts_unreverse(torc_device *device, const torc_spmm_args *args);

/* Lines of `size` bytes, `count` of them, in the reverse order. */
void torc_reverse_lines(void *lines, int64_t count, size_t size);

#endif
