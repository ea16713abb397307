/* window_bit.h: the bit that a column sets in a torc_window (backend.h), computed alike on host and device.
 */
#ifndef TORC_WINDOW_BIT_H
#define TORC_WINDOW_BIT_H

#include "backend.h"

TORC_HOST_DEVICE static inline uint32_t torc_window_bit(uint32_t column, int64_t ncols)
{
    if (ncols <= TORC_WINDOW_BITS) {
        return column;
    }
    column ^= column >> 16;
    column *= 0x85ebca6bu;
    column ^= column >> 13;
    column *= 0xc2b2ae35u;
    column ^= column >> 16;
    return column >> (32 - TORC_WINDOW_BITS_LOG);
}

#endif
