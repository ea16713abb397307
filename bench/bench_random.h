/* bench_random.h: random numbers from a seed, the same everywhere: Steele, Lea and Flood's SplitMix64. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* A word that looks random, from one that need not. */
static inline uint64_t bench_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t bench_random(uint64_t *state)
{
    return bench_mix(*state += 0x9e3779b97f4a7c15u);
}

/* In [0, bound), bound at most 2^32. */
static inline int64_t bench_random_below(uint64_t *state, int64_t bound)
{
    return (int64_t)((bench_random(state) >> 32) * (uint64_t)bound >> 32);
}

static inline bool bench_random_chance(uint64_t *state, int percent)
{
    return bench_random_below(state, 100) < percent;
}

/* In [0, 1). */
static inline double bench_random_fraction(uint64_t *state)
{
    return (double)(bench_random(state) >> 11) * 0x1p-53;
}

/* A hash of the pair, so that v and w agree. */
static inline bool bench_pair_chance(int64_t v, int64_t w, int percent)
{
    uint64_t low = (uint64_t)(v < w ? v : w), high = (uint64_t)(v < w ? w : v);
    return (int)(bench_mix(bench_mix(low + 1) + high) % 100) < percent;
}

#endif
