/* memory_rate.h: how fast this machine's processors read lines from anywhere in memory. */
#ifndef TORC_MEMORY_RATE_H
#define TORC_MEMORY_RATE_H

#include "rates.h"

/* By one thread, as if all processors did as well; what the last-level cache gives follows. Takes .1 to .4 s,
 * and as much memory for that time as twice the caches, 512 MiB at most. false, and *rates as it was, where
 * there is not so much to spare. */
bool torc_memory_rate_measure(torc_machine_rates *rates, int processors);

#endif
