/* occupancy.h: how many threads of a kernel a multiprocessor holds at once. */
#ifndef TORC_OCCUPANCY_H
#define TORC_OCCUPANCY_H

#include "problem.h"

/* The facts of problem->device are complete (torc_device_complete). */
double torc_resident_threads(const torc_spmm_kernel *kernel, const torc_problem *problem);

#endif
