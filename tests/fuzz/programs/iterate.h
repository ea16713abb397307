/* iterate.h: entries of the subject read by GxB_Iterator's macros, so in the program's own code. */
#ifndef TORC_FUZZ_ITERATE_H
#define TORC_FUZZ_ITERATE_H

#include "contents.h"
#include <setjmp.h>

/* Fills c, whose arrays have room for all entries. With an environment it jumps there from the middle, once.
 */
void torc_iterate(contents *c, const program_object *object, jmp_buf *environment);

#endif
