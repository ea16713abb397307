/* fnv1a.h: the 64-bit Fowler-Noll-Vo hash (FNV-1a), for names and checksums of cached files, and for numbers
 * that like calls share. It guards against accidents, not against attacks: a cache is trusted if its folder
 * is the user's own. */
#ifndef TORC_FNV1A_H
#define TORC_FNV1A_H

#include <stddef.h>
#include <stdint.h>

#define TORC_FNV1A_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t torc_fnv1a(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
