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

#endif
