/* rates_measure.h: rates of this machine's bus and device, measured through the engine. */
#ifndef TORC_RATES_MEASURE_H
#define TORC_RATES_MEASURE_H

#include "rates.h"

/* Measure copies both ways, staged and pinned, and fresh pages: 0.1 s or less. On error *rates is unchanged.
 * The context is idle and the caller's. */
torc_status torc_rates_measure_bus(torc_machine_rates *rates, torc_context *context);

/* Measure what a call costs whatever its size, and how fast B's rows are gathered: a few seconds at most,
 * compiling kernels included. */
torc_status torc_rates_measure_kernels(torc_machine_rates *rates, torc_context *context);

#endif
