/* bench_number.h: numbers of command lines. */
#ifndef BENCH_NUMBER_H
#define BENCH_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* All of the text, and from 1 to `most`? */
static inline bool bench_number_parse(int64_t *number, const char *text, int64_t most)
{
    char *end;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *number >= 1 && *number <= most;
}

#endif
