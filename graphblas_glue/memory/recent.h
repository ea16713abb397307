/* recent.h: the last things of a kind, each found by its key; the one that came first gives way to a new one.
 * Whoever keeps them locks. */
#ifndef TORC_RECENT_H
#define TORC_RECENT_H

#include <stddef.h>

/* An array of things, each of which begins with its key: bytes without padding. */
typedef struct torc_recent {
    void *things;
    size_t size, key_size;
    int most, next;
} torc_recent;

/* Of an array: its things, and their first member. */
#define TORC_RECENT(array, key)                                                                              \
    {                                                                                                        \
        (array), sizeof *(array), sizeof(array)->key, (int)(sizeof(array) / sizeof *(array)), 0              \
    }

/* NULL: there is none. */
void *torc_recent_find(const torc_recent *recent, const void *key);

/* One that was found, or a new one, of which all but the key is zero. */
void *torc_recent_find_or_add(torc_recent *recent, const void *key);

#endif
