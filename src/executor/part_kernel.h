/* part_kernel.h: the kernel of a product for some of its columns. */
#ifndef TORC_PART_KERNEL_H
#define TORC_PART_KERNEL_H

#include "product_kernel.h"

/* A kernel that computes `ncols` columns of C with the bits that this one has: the order of sums is the same.
 * Groups of threads are no wider than these columns need. */
torc_spmm_kernel torc_kernel_of_columns(const torc_spmm_kernel *kernel, int64_t ncols);

#endif
