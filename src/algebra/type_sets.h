/* type_sets.h: sets of built-in types, as bits: the types that an operator exists on. */
#ifndef TORC_TYPE_SETS_H
#define TORC_TYPE_SETS_H

#include <torc/torc.h>

#define BIT(type) ((unsigned)(type) < TORC_TYPE_COUNT ? 1u << (type) : 0)

enum {
    BOOLEAN = BIT(TORC_BOOL),
    SIGNED = BIT(TORC_INT8) | BIT(TORC_INT16) | BIT(TORC_INT32) | BIT(TORC_INT64),
    UNSIGNED = BIT(TORC_UINT8) | BIT(TORC_UINT16) | BIT(TORC_UINT32) | BIT(TORC_UINT64),
    INTEGER = SIGNED | UNSIGNED,
    REAL = BIT(TORC_FP32) | BIT(TORC_FP64),
    COMPLEX = BIT(TORC_FC32) | BIT(TORC_FC64),
    ORDERED = INTEGER | REAL,
    NUMBER = ORDERED | COMPLEX,
    ALL = BOOLEAN | NUMBER,
    POSITION = BIT(TORC_INT32) | BIT(TORC_INT64),
};

#endif
