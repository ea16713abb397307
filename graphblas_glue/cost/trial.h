/* trial.h: does the device pay, all in all?
 *
 * Each call is decided by itself, by predictions that may be wrong by a factor of two. Where the two sides
 * are close, what single calls gain may be lost between them, when results come home for calls that stay on
 * the CPU. So what the device took, ways home included, is compared with what the CPU was predicted to take,
 * in windows of TORC_TRIAL_WINDOW seconds on the device. A window is lost if the device took more than two
 * thirds of that. After three lost ones in a row a call runs on the device only if it is predicted to be
 * twice as fast there, after the next one four times, and so on up to 64 times. A window in which it took
 * less than a third halves that again; and so do calls that were refused, once they would have gained as much
 * as a window for each time, and twice what was lost: what the program does now may gain. The first windows
 * have what is paid once: kernels that are loaded, memory that is pinned. Sending for the calls to come
 * (upfront.h) is left out.
 */
#ifndef TORC_TRIAL_H
#define TORC_TRIAL_H

#include <stdbool.h>

#define TORC_TRIAL_WINDOW 0.02

typedef struct torc_trial {
    double cpu, device; /* seconds of this window: predicted, and taken */
    int lost_in_a_row;
    double hurdle;  /* how many times as fast the device has to be predicted; 1 at first */
    double lost;    /* seconds, in windows since one gained */
    double refused; /* seconds that calls would have gained, had the hurdle been 1 */
} torc_trial;

/* A call on the device took `device` seconds, and the CPU was predicted to take `cpu`, had its operands been
 * at home. */
void torc_trial_add(torc_trial *trial, double cpu, double device);

/* May a call run on the device that is predicted to take so many seconds? */
bool torc_trial_lets(torc_trial *trial, double cpu, double device);

/* Both for this process. homecoming: the seconds that ways home have taken since it began. Any thread. */
void torc_trial_note(double cpu, double device, double homecoming);
bool torc_trial_allows(double cpu, double device);

/* How many times as fast as the CPU the device has to be predicted; at least 1. Any thread. */
double torc_trial_hurdle(void);

#endif
