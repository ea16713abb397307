/* name_table.h: names to small numbers, 0, 1, 2, ... in the order of their first appearance. */
#ifndef TORC_NAME_TABLE_H
#define TORC_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TORC_NO_NAME UINT64_MAX

typedef struct torc_names {
    char **names;
    uint64_t count, capacity;
    uint64_t *slots; /* open addressing, 2·capacity of them: a name's number + 1, or 0 */
} torc_names;

/* The number of text[0 .. length-1], entered if it is new; TORC_NO_NAME where memory is short. */
uint64_t torc_names_enter(torc_names *names, const char *text, size_t length);

void torc_names_release(torc_names *names);

#endif
