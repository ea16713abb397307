/* emulated_cases.h: the kernels that are compiled for the emulator: those that stream, many of those with
 * panels, and of every other policy and semiring some. */
#ifndef TORC_EMULATED_CASES_H
#define TORC_EMULATED_CASES_H

#include "kernel_cases.h"

/* The caller frees kernels. */
torc_kernel_cases torc_emulated_cases_build(void);

/* Is it one of those? The executor has the reference compute all others. */
bool torc_is_emulated(const torc_spmm_kernel *kernel);

/* Let the launch-th launch of a kernel (0 is the next) fail for want of memory; negative: none. Returns how
 * many were to go until the one that was asked for before; negative: it has failed. */
int64_t torc_emulated_lack_memory_at(int64_t launch);

/* How many products with their sparse matrix in their text are loaded. */
int torc_emulated_programs(void);

#endif
