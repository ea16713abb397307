/* source_state.h: does C source have what outlives a call? */
#ifndef TORC_SOURCE_STATE_H
#define TORC_SOURCE_STATE_H

#include <stdbool.h>

/* Objects at file scope and static ones, unless they are constants: each kernel would have its own, with the
 * value that they begin with. Functions that call themselves, since a thread of a GPU has a small stack; two
 * that call each other need a declaration, so that functions which are only declared count too. */
bool torc_source_has_state(const char *source);

#endif
