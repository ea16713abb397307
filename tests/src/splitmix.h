/* splitmix.h: random numbers from a seed: Steele, Lea and Flood's SplitMix64. A test that fails prints the
 * seed, which repeats it. */
#ifndef TORC_SPLITMIX_H
#define TORC_SPLITMIX_H

#include <stdint.h>

static inline uint64_t random_word(uint64_t *seed)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In [0, bound). */
static inline int64_t random_below(uint64_t *seed, int64_t bound)
{
    return (int64_t)(random_word(seed) % (uint64_t)bound);
}

#endif
