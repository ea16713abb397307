/* dense_run.h: a dense call on the device, and its result in C. */
#ifndef TORC_DENSE_RUN_H
#define TORC_DENSE_RUN_H

#include "dense_plan.h"

/* false: C is as it was. */
bool torc_dense_run(const torc_dense_call *call, const torc_dense_plan *plan);

#endif
