/* program_work.h: random programs, as a pool's workers run them. */
#ifndef TORC_PROGRAM_WORK_H
#define TORC_PROGRAM_WORK_H

#include "fuzz_pool.h"

extern const fuzz_work torc_program_work;

/* Does the program fail with TORC_BACKEND=off too, by a defect of SuiteSparse's own? */
bool torc_program_fails_anyway(uint64_t seed);

#endif
