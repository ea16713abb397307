#include "recent.h"
#include "fnv1a.h"
#include <string.h>

static char *thing_at(const torc_recent *recent, size_t at)
{
    return (char *)recent->things + at * recent->size;
}

/* The first of those that may have the key. */
static size_t set_of(const torc_recent *recent, const void *key)
{
    uint64_t hash = torc_fnv1a(TORC_FNV1A_START, key, recent->key_size);
    return (size_t)(hash % (recent->most / TORC_RECENT_WAYS)) * TORC_RECENT_WAYS;
}

static void *find_in(torc_recent *recent, size_t set, const void *key)
{
    for (size_t at = set; at < set + TORC_RECENT_WAYS; at++) {
        if (recent->turns[at] > 0 && memcmp(thing_at(recent, at), key, recent->key_size) == 0) {
            recent->turns[at] = ++recent->turn;
            return thing_at(recent, at);
        }
    }
    return NULL;
}

void *torc_recent_find(torc_recent *recent, const void *key)
{
    return find_in(recent, set_of(recent, key), key);
}

void *torc_recent_find_or_add(torc_recent *recent, const void *key)
{
    size_t set = set_of(recent, key), oldest = set;
    char *thing = find_in(recent, set, key);
    if (!thing) {
        for (size_t at = set; at < set + TORC_RECENT_WAYS; at++) {
            oldest = recent->turns[at] < recent->turns[oldest] ? at : oldest;
        }
        thing = thing_at(recent, oldest);
        memset(thing, 0, recent->size);
        memcpy(thing, key, recent->key_size);
        recent->turns[oldest] = ++recent->turn;
    }
    return thing;
}
