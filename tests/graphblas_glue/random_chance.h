/* random_chance.h: random choices that a seed determines. */
#ifndef TORC_RANDOM_CHANCE_H
#define TORC_RANDOM_CHANCE_H

#include "../src/splitmix.h"
#include <stdbool.h>

/* In [0, 1). */
static inline double random_unit(uint64_t *stream)
{
    return (double)(random_word(stream) >> 11) * 0x1p-53;
}

static inline bool random_chance(uint64_t *stream, double probability)
{
    return random_unit(stream) < probability;
}

/* Seeds that differ in their low bits alone share what is drawn of `seed >> RANDOM_SHARED_SHIFT`. */
enum { RANDOM_SHARED_SHIFT = 16, RANDOM_MOST_ALIKE = 1 << RANDOM_SHARED_SHIFT };

/* The seed of number `number` of a series in which `alike` in a row, RANDOM_MOST_ALIKE at most, share that.
 */
static inline uint64_t random_series_seed(uint64_t first, int64_t number, int64_t alike)
{
    return first + ((uint64_t)(number / alike) << RANDOM_SHARED_SHIFT) + (uint64_t)(number % alike);
}

#endif
