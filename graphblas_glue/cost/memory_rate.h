/* memory_rate.h: how fast this machine's processors read lines from anywhere in memory. */
#ifndef TORC_MEMORY_RATE_H
#define TORC_MEMORY_RATE_H

#include "rates.h"

/* Measures one thread and takes all processors to be as fast; the rate of the last-level cache follows. Takes
 * .1 to .4 s, and for that time as much memory as twice the caches, 512 MiB at most. false: there is not so
 * much to spare, and *rates is as it was. */
bool torc_memory_rate_measure(torc_machine_rates *rates, int processors);

#endif
