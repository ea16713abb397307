#include "clock.h"
#include <time.h>

static double loaded;

__attribute__((constructor)) static void begin(void)
{
    loaded = torc_clock();
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double torc_clock(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double torc_clock_of_thread(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double torc_clock_age(void)
{
    return torc_clock() - loaded;
}
