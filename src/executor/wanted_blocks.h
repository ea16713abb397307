/* wanted_blocks.h: how many blocks of a kernel shall fit on a multiprocessor: what it is compiled for, and
 * what prediction counts on. */
#ifndef TORC_WANTED_BLOCKS_H
#define TORC_WANTED_BLOCKS_H

#include "product_kernel.h"

int torc_wanted_blocks(const torc_spmm_kernel *kernel);

/* Of the families of family.c. */
int torc_wanted_blocks_of_rows(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_cached_rows(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_uniform(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_slices(const torc_spmm_kernel *kernel);
int torc_wanted_blocks_of_bricks(const torc_spmm_kernel *kernel);

#endif
