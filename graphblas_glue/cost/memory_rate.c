/* memory_rate.c: rows of eight lines are read at random places of a block that no cache holds, as SuiteSparse
 * reads one for each entry. One thread is measured: each of the others waits for lines as long, until memory
 * serves no more. */
#include "memory_rate.h"
#include "clock.h"
#include "machine_memory.h"
#include <string.h>
#include <sys/mman.h>

enum {
    ROW = 512,
    WORDS = ROW / sizeof(uint64_t),
    READS = 1 << 16,
    REPEATS = 3,
    SPARE = 16 /* th of memory, at most */
};

static const double LEAST = 64 << 20, MOST = 512 << 20; /* bytes */
static const double CACHED = 4;                         /* times as fast: as by default */

static double least(double x, double y)
{
    return x < y ? x : y;
}

static double between(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Seconds that so many rows take; their sum is returned so that they are read. */
static double read_rows(uint64_t *sum, const uint64_t *block, uint64_t rows)
{
    double start = torc_clock_of_thread();
    uint64_t place = *sum, all = 1;
    for (int i = 0; i < READS; i++) {
        place = place * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t *row = block + (place >> 33) % rows * WORDS;
        for (size_t w = 0; w < WORDS; w++) {
            all += row[w];
        }
    }
    *sum = all;
    return torc_clock_of_thread() - start;
}

bool torc_memory_rate_measure(torc_machine_rates *rates, int processors)
{
    size_t size = (size_t)between(2 * rates->of[TORC_RATE_CACHE_OF_ALL], LEAST, MOST);
    if (size > torc_machine_memory() / SPARE) {
        return false;
    }
    uint64_t *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return false;
    }
    uint64_t sum = 1;
    memset(block, 1, size); /* pages of their own, not the one of zeros */
    double seconds = read_rows(&sum, block, size / ROW);
    for (int i = 1; i < REPEATS; i++) { /* the quickest: others may have had the caches meanwhile */
        seconds = least(seconds, read_rows(&sum, block, size / ROW));
    }
    munmap(block, size);
    if (!(seconds > 0) || sum == 0) { /* and so is the sum read */
        return false;
    }
    rates->of[TORC_RATE_RANDOM] = processors * (double)READS * ROW / seconds;
    rates->of[TORC_RATE_CACHED] = CACHED * rates->of[TORC_RATE_RANDOM];
    return true;
}
