/* name_table.c: a hash table with linear probing, at most half full; it doubles by entering all names again.
 */
#include "name_table.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a */
static uint64_t hash(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    }
    return h;
}

/* The slot that holds the name, or the free one where it belongs. */
static uint64_t *find(const torc_names *names, const char *text, size_t length)
{
    uint64_t mask = 2 * names->capacity - 1;
    uint64_t at = hash(text, length) & mask;
    for (; names->slots[at]; at = (at + 1) & mask) {
        const char *name = names->names[names->slots[at] - 1];
        if (strncmp(name, text, length) == 0 && name[length] == '\0') {
            break;
        }
    }
    return &names->slots[at];
}

static int grow(torc_names *names)
{
    uint64_t capacity = names->capacity ? 2 * names->capacity : 1024;
    char **entries = realloc(names->names, capacity * sizeof *entries);
    if (!entries) {
        return 0;
    }
    names->names = entries;
    uint64_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!slots) {
        return 0;
    }
    free(names->slots);
    names->slots = slots;
    names->capacity = capacity;
    for (uint64_t i = 0; i < names->count; i++) {
        *find(names, entries[i], strlen(entries[i])) = i + 1;
    }
    return 1;
}

uint64_t torc_names_enter(torc_names *names, const char *text, size_t length)
{
    if (names->count == names->capacity && !grow(names)) {
        return TORC_NO_NAME;
    }
    uint64_t *slot = find(names, text, length);
    if (*slot) {
        return *slot - 1;
    }
    char *name = strndup(text, length);
    if (!name) {
        return TORC_NO_NAME;
    }
    names->names[names->count] = name;
    *slot = ++names->count;
    return names->count - 1;
}

void torc_names_release(torc_names *names)
{
    for (uint64_t i = 0; i < names->count; i++) {
        free(names->names[i]);
    }
    free(names->names);
    free(names->slots);
    *names = (torc_names){0};
}
