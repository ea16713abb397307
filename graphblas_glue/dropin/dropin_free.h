/* dropin_free.h: the drop-in's free, realloc, reallocarray and malloc_usable_size, which take blocks of the
 * arena too. */
#ifndef TORC_DROPIN_FREE_H
#define TORC_DROPIN_FREE_H

#include "arena.h"
#include <stdbool.h>

/* The name of one of the four functions that callers in this process find elsewhere, where it does not pass
 * on to the drop-in's: the program defines it itself, or the drop-in was loaded late. NULL: there is none. */
const char *torc_dropin_foreign_function(void);

/* Are blocks of this family freed by these four functions in the end? */
bool torc_dropin_ends_family(const torc_malloc_family *family);

#endif
