/* named_allocator.h: a program that asks GraphBLAS for its allocator is told the functions that the program
 * itself named, in whose place the drop-in put torc's. Programs compare them with those that their arrays
 * come from: the Python bindings of GraphBLAS 10 hand an array over only if they are the same. Either family
 * frees the other's blocks. */
#ifndef TORC_NAMED_ALLOCATOR_H
#define TORC_NAMED_ALLOCATOR_H

#include "arena.h"

/* GraphBLAS is about to be started with torc's family in place of this one. */
void torc_dropin_name_allocator(const torc_malloc_family *family);

#endif
