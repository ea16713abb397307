#include "clock.h"
#include <time.h>

static double loaded;

__attribute__((constructor)) static void begin(void)
{
    loaded = torc_clock();
}

double torc_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double torc_clock_age(void)
{
    return torc_clock() - loaded;
}
