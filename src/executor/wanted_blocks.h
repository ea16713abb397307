/* wanted_blocks.h: how many blocks of a kernel are to fit on a multiprocessor. Kernels are compiled for that
 * number, and prediction counts on it. */
#ifndef TORC_WANTED_BLOCKS_H
#define TORC_WANTED_BLOCKS_H

#include "product_kernel.h"

int torc_wanted_blocks(const torc_spmm_kernel *kernel);

/* By family: the entries of family.c's table. */
int torc_wanted_blocks_of_rows(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_cached_rows(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_uniform(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_slices(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_bricks(const torc_spmm_kernel *kernel);

#endif
