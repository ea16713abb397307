/* recent.h: the last things of a kind, each found by its key. A new thing replaces the oldest. The caller
 * locks. */
#ifndef TORC_RECENT_H
#define TORC_RECENT_H

#include <stddef.h>

/* An array of things, each of which begins with its key: bytes without padding. */
typedef struct torc_recent {
    void *things;
    size_t size, key_size;
    int most, next;
} torc_recent;

/* For an array of things, and the name of their first member, the key. */
#define TORC_RECENT(array, key)                                                                              \
    {                                                                                                        \
        (array), sizeof *(array), sizeof(array)->key, (int)(sizeof(array) / sizeof *(array)), 0              \
    }

/* NULL: there is none. */
void *torc_recent_find(const torc_recent *recent, const void *key);

/* The one with that key; or a new one, which is all zeros but for the key. */
void *torc_recent_find_or_add(torc_recent *recent, const void *key);

#endif
