/* offsets.h: arrays of integers of 32 or 64 bits, as their owner chose. */
#ifndef TORC_OFFSETS_H
#define TORC_OFFSETS_H

#include <stdint.h>

static inline int64_t torc_offset(const void *array, int bits, int64_t i)
{
    return bits == 32 ? (int64_t)((const uint32_t *)array)[i] : ((const int64_t *)array)[i];
}

#endif
