/* statistics.h: what all calls of the process were: torc_mxm_statistics. Counting takes a few atomic
 * additions per call. */
#ifndef TORC_STATISTICS_H
#define TORC_STATISTICS_H

#include "decision.h"
#include "summary.h"
#include <torc/graphblas.h>

typedef struct torc_call_record {
    const char *name; /* of GraphBLAS's function, a static string */
    bool is_on_device;
    const char *why; /* a static string */
    double seconds;
    const torc_workload *work; /* NULL: the cost model was not asked */
    torc_cost cost;
} torc_call_record;

/* Bytes over the bus. */
torc_traffic torc_traffic_of(const torc_workload *work);

void torc_statistics_count(const torc_call_record *record);

/* An operation of another kind that ran on the device: its name, a static string. */
void torc_statistics_count_dense(const char *name, double seconds, uint64_t bytes_sent);

/* Write the lines "torc: total ...", and the table before them, if TORC_BURBLE asks for it and calls were
 * counted since they were last written. */
void torc_statistics_burble(void);

#endif
