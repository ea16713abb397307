/* access.h: how an operand's values are reached. */
#ifndef TORC_ACCESS_H
#define TORC_ACCESS_H

typedef enum torc_access {
    TORC_ACCESS_NONE,  /* they are not read */
    TORC_ACCESS_ISO,   /* one value for all */
    TORC_ACCESS_ARRAY, /* one value per entry */
} torc_access;

#endif
