/* dense_run.h: a dense call on the device, and its result in C. */
#ifndef TORC_DENSE_RUN_H
#define TORC_DENSE_RUN_H

#include "dense_plan.h"

/* *bytes_sent: of operands. false: C is as it was. */
bool torc_dense_run(uint64_t *bytes_sent, const torc_dense_call *call, const torc_dense_plan *plan);

#endif
