/* seconds_now.h: seconds of a clock that only goes forward. */
#ifndef TORC_SECONDS_NOW_H
#define TORC_SECONDS_NOW_H

#include <time.h>

static inline double torc_seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
