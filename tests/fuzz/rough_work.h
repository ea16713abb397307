/* rough_work.h: random calls of torc_mxm beside GrB_mxm, amid what goes wrong around a call: the device fails
 * (on the reference executor) at some point, once or from then on; the calling thread is cancelled; a child
 * of a fork makes the call too; the process has a limit on memory that torc did not know of. */
#ifndef TORC_ROUGH_WORK_H
#define TORC_ROUGH_WORK_H

#include "fuzz_pool.h"

extern const fuzz_work torc_rough_work;

#endif
