/* exported_names.h: what functions a loaded library has. */
#ifndef TORC_EXPORTED_NAMES_H
#define TORC_EXPORTED_NAMES_H

#include <stdbool.h>

/* The first name that the library around `address` exports and that `is_sought` wants; NULL: none. *is_read
 * tells whether its names could be read. */
const char *torc_exported_name(bool *is_read, const void *address, bool (*is_sought)(const char *name));

#endif
