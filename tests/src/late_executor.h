/* late_executor.h: the reference executor, but what is queued happens as late as it may, and the three queues
 * of src/executor/backend.h take turns at random, as fences let them: whatever relies on more order than the
 * border promises gives wrong results. The members of one joined device, or one device, at a time. */
#ifndef TORC_LATE_EXECUTOR_H
#define TORC_LATE_EXECUTOR_H

#include "backend.h"

/* For devices that are looked at from now on. */
const torc_executor *torc_executor_late(uint64_t seed);

/* How often a turn went to another queue than the one before. */
int64_t torc_late_turns(void);

#endif
