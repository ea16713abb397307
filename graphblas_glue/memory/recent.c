#include "recent.h"
#include <string.h>

static char *thing_at(const torc_recent *recent, int i)
{
    return (char *)recent->things + (size_t)i * recent->size;
}

void *torc_recent_find(const torc_recent *recent, const void *key)
{
    for (int i = 0; i < recent->most; i++) {
        char *thing = thing_at(recent, i);
        if (memcmp(thing, key, recent->key_size) == 0) {
            return thing;
        }
    }
    return NULL;
}

void *torc_recent_find_or_add(torc_recent *recent, const void *key)
{
    char *thing = torc_recent_find(recent, key);
    if (!thing) {
        thing = thing_at(recent, recent->next);
        recent->next = (recent->next + 1) % recent->most;
        memset(thing, 0, recent->size);
        memcpy(thing, key, recent->key_size);
    }
    return thing;
}
