/* column_counts.h: a hash table of numbers, each with a weight. Few of all possible numbers are in it, so
 * that it stays in a cache. */
#ifndef TORC_COLUMN_COUNTS_H
#define TORC_COLUMN_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct torc_count {
    uint32_t number, weight; /* weight 0: nobody */
} torc_count;

/* All zeros: empty and without memory. torc_counts_reserve comes before any other use. */
typedef struct torc_counts {
    torc_count *places;
    uint32_t *used; /* which of the places */
    uint32_t nused, mask;
} torc_counts;

void torc_counts_clear(torc_counts *counts);

/* Make room for so many more numbers. false: no memory. */
bool torc_counts_reserve(torc_counts *counts, int64_t more);
void torc_counts_free(torc_counts *counts);

static inline torc_count *torc_counts_find(const torc_counts *counts, uint32_t number)
{
    uint32_t hash = number * 2654435769u; /* Fibonacci hashing: the upper bits are the good ones */
    uint32_t at = (hash ^ hash >> 15) & counts->mask;
    for (; counts->places[at].weight > 0; at = (at + 1) & counts->mask) {
        if (counts->places[at].number == number) {
            break;
        }
    }
    return &counts->places[at];
}

static inline void torc_counts_add(torc_counts *counts, uint32_t number, uint32_t weight)
{
    torc_count *place = torc_counts_find(counts, number);
    if (place->weight == 0) {
        place->number = number;
        counts->used[counts->nused++] = (uint32_t)(place - counts->places);
    }
    place->weight += weight;
}

#endif
