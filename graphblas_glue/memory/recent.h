/* recent.h: things of a kind that were asked for lately, each found by its key. They lie in sets of four by
 * the keys' hashes, so that all are found in the same short time; in a full set a new thing replaces the one
 * that was asked for the longest ago. Sets fill unevenly: a table that is to keep all of what a program has
 * takes some eight times as much. The caller locks. */
#ifndef TORC_RECENT_H
#define TORC_RECENT_H

#include <stddef.h>
#include <stdint.h>

enum { TORC_RECENT_WAYS = 4 };

/* An array of things, each of which begins with its key: bytes without padding. */
typedef struct torc_recent {
    void *things;
    size_t size, key_size;
    size_t most;     /* a multiple of TORC_RECENT_WAYS */
    uint64_t *turns; /* when each was asked for; 0: it was never added */
    uint64_t turn;
} torc_recent;

/* `name` finds up to `most` things of that type, whose first member is `key`. */
#define TORC_RECENT(name, type, key, most)                                                                   \
    _Static_assert((most) % TORC_RECENT_WAYS == 0 && offsetof(type, key) == 0, "sets of things");            \
    static type name##_things[most];                                                                         \
    static uint64_t name##_turns[most];                                                                      \
    static torc_recent name = {name##_things, sizeof(type), sizeof name##_things->key, most, name##_turns, 0}

/* NULL: there is none. */
void *torc_recent_find(torc_recent *recent, const void *key);

/* The one with that key; or a new one, which is all zeros but for the key. */
void *torc_recent_find_or_add(torc_recent *recent, const void *key);

#endif
