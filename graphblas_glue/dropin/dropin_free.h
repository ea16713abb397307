/* dropin_free.h: the drop-in's free, realloc, reallocarray and malloc_usable_size, which take blocks of the
 * arena too. */
#ifndef TORC_DROPIN_FREE_H
#define TORC_DROPIN_FREE_H

#include "arena.h"
#include <stdbool.h>

/* One of these four names that means something else than the drop-in's to callers in this process, and would
 * not pass on to it: the program itself defines one, or the drop-in was loaded late. NULL: none does. */
const char *torc_dropin_foreign_function(void);

/* Do blocks of this family, as they are, end in these functions? */
bool torc_dropin_ends_family(const torc_malloc_family *family);

#endif
