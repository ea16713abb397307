/* doubt_rate.c: a branch on a random bit is timed, beside the arithmetic that makes the bit. */
#include "doubt_rate.h"
#include "clock.h"
#include <math.h>

enum { BRANCHES = 1 << 18, REPEATS = 5 };

/* A random bit is as good as never foreseen: p (1 - p) = 1/4. SuiteSparse loses twice as long by a wrong
 * guess, since what it writes waits too: masked assignments, and sums of bitmaps, of 2^20 random elements
 * (bench/results/2026-11-23-epyc-dense-calls.csv; 108e6 branches a second here, 55e6 fitted there). */
static const double DOUBT = .25, SHARE = .5;

static uint64_t next_of(uint64_t random)
{
    return random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* The empty statements of the assembler keep compilers from doing without the branch, or without the loop. */
static double time_guesses(uint64_t *random)
{
    uint64_t now = *random, taken = 0;
    double start = torc_clock_of_thread();
    for (int i = 0; i < BRANCHES; i++) {
        now = next_of(now);
        if (now >> 63) {
            __asm__ volatile("" ::: "memory");
            taken++;
        }
    }
    *random = now + taken;
    return torc_clock_of_thread() - start;
}

static double time_arithmetic(uint64_t *random)
{
    uint64_t now = *random;
    double start = torc_clock_of_thread();
    for (int i = 0; i < BRANCHES; i++) {
        now = next_of(now);
        __asm__ volatile("" : "+r"(now));
    }
    *random = now;
    return torc_clock_of_thread() - start;
}

void torc_doubt_rate_measure(torc_machine_rates *rates, int processors)
{
    uint64_t random = 1;
    double guessed = INFINITY, foreseen = INFINITY;
    for (int i = 0; i < REPEATS; i++) { /* the quickest */
        guessed = fmin(guessed, time_guesses(&random));
        foreseen = fmin(foreseen, time_arithmetic(&random));
    }
    if (guessed > foreseen) {
        rates->of[TORC_RATE_CPU_DOUBT] = processors * SHARE * DOUBT * BRANCHES / (guessed - foreseen);
    }
}
