/* clock.h: the time that has passed. */
#ifndef TORC_CLOCK_H
#define TORC_CLOCK_H

/* Seconds of a clock that never goes back. */
double torc_clock(void);

/* Processor time of the thread that asks, alone: the program may keep all processors busy meanwhile. */
double torc_clock_of_thread(void);

/* Seconds since torc was loaded: where it is preloaded, since the program began. */
double torc_clock_age(void);

#endif
