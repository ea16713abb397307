/* checked_call.h: one random call, by GrB_mxm and by torc_mxm, and whether they agree. */
#ifndef TORC_CHECKED_CALL_H
#define TORC_CHECKED_CALL_H

#include "outcome.h"

typedef struct checked_call {
    mxm_trace trace;
    bool is_on_device, is_refused, has_other_format;
    const char *difference; /* NULL, or what is wrong: a static string */
} checked_call;

/* The difference of calls that are right, but ran on the CPU instead of a device, or the other way round. */
extern const char torc_ran_elsewhere[];

/* GraphBLAS is to use one thread: 7.4.0 sums, and takes the first of equals, in an order that depends on
 * them. */
checked_call torc_checked_call(const random_call *call);

#endif
