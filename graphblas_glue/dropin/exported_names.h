/* exported_names.h: the functions that a loaded library exports. */
#ifndef TORC_EXPORTED_NAMES_H
#define TORC_EXPORTED_NAMES_H

#include <stdbool.h>

/* The first exported name that `is_sought` wants, of the library that `address` lies in; NULL: there is none.
 * *is_read: could the library's names be read? */
const char *torc_exported_name(bool *is_read, const void *address, bool (*is_sought)(const char *name));

#endif
