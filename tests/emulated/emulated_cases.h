/* emulated_cases.h: the kernels that are compiled for the emulator: those that stream, many of those with
 * panels, and of every other policy and semiring some. */
#ifndef TORC_EMULATED_CASES_H
#define TORC_EMULATED_CASES_H

#include "kernel_cases.h"

/* The caller frees kernels. */
torc_kernel_cases torc_emulated_cases_build(void);

/* Is it one of those? The executor has the reference compute all others. */
bool torc_is_emulated(const torc_spmm_kernel *kernel);

/* How many products with their sparse matrix in their text are loaded. */
int torc_emulated_programs(void);

#endif
