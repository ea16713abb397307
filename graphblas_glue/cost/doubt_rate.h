/* doubt_rate.h: how fast this machine's processors recover from branches that they guessed wrong. */
#ifndef TORC_DOUBT_RATE_H
#define TORC_DOUBT_RATE_H

#include "rates.h"

/* Measures one thread and takes all processors to be as fast. Takes some milliseconds. */
void torc_doubt_rate_measure(torc_machine_rates *rates, int processors);

#endif
