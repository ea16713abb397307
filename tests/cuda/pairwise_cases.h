/* pairwise_cases.h: few of many kernels, in which each two choices that meet in one of the many still meet
 * (pairwise testing): each multiply with each type, each policy and vector with each group of threads, ... */
#ifndef TORC_PAIRWISE_CASES_H
#define TORC_PAIRWISE_CASES_H

#include "kernel_cases.h"

/* All kernels of kernel_cases.h and policy_cases.h, thinned out so. The caller frees kernels. */
torc_kernel_cases torc_pairwise_cases_build(void);

#endif
