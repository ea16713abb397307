#include "column_counts.h"
#include <stdlib.h>

enum { FEWEST = 64 };

void torc_counts_free(torc_counts *counts)
{
    free(counts->places);
    free(counts->used);
    *counts = (torc_counts){0};
}

void torc_counts_clear(torc_counts *counts)
{
    for (uint32_t i = 0; i < counts->nused; i++) {
        counts->places[counts->used[i]].weight = 0;
    }
    counts->nused = 0;
}

bool torc_counts_reserve(torc_counts *counts, int64_t more)
{
    int64_t size = FEWEST;
    while (size < 2 * (counts->nused + more)) { /* at most half of the places are taken */
        size *= 2;
    }
    if (counts->places && size <= (int64_t)counts->mask + 1) {
        return true;
    }
    torc_counts larger = {
        .places = size <= UINT32_MAX ? calloc((size_t)size, sizeof *larger.places) : NULL,
        .used = malloc((size_t)(size / 2) * sizeof *larger.used),
        .mask = (uint32_t)(size - 1),
    };
    bool has_memory = larger.places && larger.used;
    for (uint32_t i = 0; has_memory && i < counts->nused; i++) {
        const torc_count *count = &counts->places[counts->used[i]];
        torc_counts_add(&larger, count->number, count->weight);
    }
    torc_counts_free(has_memory ? counts : &larger);
    if (has_memory) {
        *counts = larger;
    }
    return has_memory;
}
