/* constant_source.h: the C++ text of a product whose sparse matrix is compiled in (constant_kernel.h). */
#ifndef TORC_CONSTANT_SOURCE_H
#define TORC_CONSTANT_SOURCE_H

#include "compile.h"
#include "constant_kernel.h"

#define TORC_CONSTANT_MAIN "torc_constant_main"

/* *source is the caller's to free.
 *  TORC_UNSUPPORTED: another semiring, a value that is infinite or no number, or more columns than a grid has
 * blocks for. */
torc_status torc_constant_source(char **source, const torc_constant_kernel *kernel);

/* constant_load.c: what machine code of the text is kept by on disk; false if there is no room for it. */
bool torc_constant_key(char key[TORC_KEY_SIZE], const char *source, int architecture);

#endif
