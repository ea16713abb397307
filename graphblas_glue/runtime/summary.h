/* summary.h: TORC_BURBLE=summary: a table at the end, with one row per operation and side that it ran on. */
#ifndef TORC_SUMMARY_H
#define TORC_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

/* Bytes that were moved for a call on the device, to it and back; and bytes that it found there. */
typedef struct torc_traffic {
    double in, out, spared;
} torc_traffic;

typedef struct torc_summary_call {
    const char *name; /* of GraphBLAS's function, a static string */
    bool is_on_device;
    double seconds;
    const torc_traffic *traffic; /* NULL: not known */
    const double *predicted_cpu; /* seconds that the CPU would have taken; NULL: not known, or it ran there */
} torc_summary_call;

/* Any thread. */
void torc_summary_add(const torc_summary_call *call);

/* Print the table, the operations that took longest first; nothing if no call was added. */
void torc_summary_print(FILE *to);

#endif
