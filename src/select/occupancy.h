/* occupancy.h: how many threads of a kernel a multiprocessor holds at once. */
#ifndef TORC_OCCUPANCY_H
#define TORC_OCCUPANCY_H

#include "problem.h"

double torc_resident_threads(const torc_spmm_kernel *kernel, const torc_problem *problem);

#endif
