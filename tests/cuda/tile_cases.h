/* tile_cases.h: kernels with shared tiles, of every size of values and many semirings. */
#ifndef TORC_TILE_CASES_H
#define TORC_TILE_CASES_H

#include "dense_cases.h"
#include "kernel_cases.h"

torc_kernel_cases torc_tile_cases_build(void);

/* What copies columns of B for them. The caller frees kernels. */
torc_elementwise_cases torc_tile_copies_build(void);

#endif
