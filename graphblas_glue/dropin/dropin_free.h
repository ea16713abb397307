/* dropin_free.h: the drop-in's free, realloc, reallocarray and malloc_usable_size, which take blocks of the
 * arena too. */
#ifndef TORC_DROPIN_FREE_H
#define TORC_DROPIN_FREE_H

#include <stdbool.h>

/* Does a call of free from anywhere in this process come to the drop-in's? Not so where the program itself
 * defines one, or where the drop-in was loaded late. */
bool torc_dropin_free_is_global(void);

#endif
