/* call_work.h: random calls of torc_mxm beside GrB_mxm, as a pool's workers make them. */
#ifndef TORC_CALL_WORK_H
#define TORC_CALL_WORK_H

#include "fuzz_pool.h"

extern const fuzz_work torc_call_work;

#endif
