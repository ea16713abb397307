/* joined_executor.h: what a context needs to know of joined devices. */
#ifndef TORC_JOINED_EXECUTOR_H
#define TORC_JOINED_EXECUTOR_H

#include "backend.h"

/* Is it "all", or a list of TORC_MOST_DEVICES ordinals at most, as in "0,1"? */
bool torc_joined_is_list(const char *devices);

/* The executor of joined devices. It opens none: the next function does. */
const torc_executor *torc_executor_joined(void);

/* options->devices of an executor as one device. */
torc_status torc_joined_open(torc_device **device, const torc_executor *each, const torc_options *options);

#endif
