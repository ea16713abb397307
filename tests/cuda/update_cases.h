/* update_cases.h: kernels with masks, accumulators and bitmaps. */
#ifndef TORC_UPDATE_CASES_H
#define TORC_UPDATE_CASES_H

#include "kernel_cases.h"

/* Every store that the engine asks for and bitmaps of B, for some semirings, each with a sequential row split
 * and with one of the policies that go round: parallel, cached, by nonzeros. The caller frees kernels. */
torc_kernel_cases torc_update_cases_build(void);

bool torc_has_mask_or_bitmap(const torc_spmm_kernel *kernel);

#endif
