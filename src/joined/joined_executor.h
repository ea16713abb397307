/* joined_executor.h: what a context needs to know of joined devices. */
#ifndef TORC_JOINED_EXECUTOR_H
#define TORC_JOINED_EXECUTOR_H

#include "backend.h"

/* Is it "all", or a list of TORC_MOST_DEVICES ordinals at most, as in "0,1"? */
bool torc_joined_is_list(const char *devices);

/* options->devices of *executor as one device. *executor is that of joined devices from then on; one device
 * alone keeps its own. */
torc_status torc_joined_open(
    torc_device **device, const torc_executor **executor, const torc_options *options);

#endif
