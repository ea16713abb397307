/* clock_now.h: seconds of a clock that only goes forward. */
#ifndef TORC_CLOCK_NOW_H
#define TORC_CLOCK_NOW_H

#include <time.h>

static inline double torc_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
