/* ways_out.h: does torc know all functions of a GraphBLAS that hand out arrays? */
#ifndef TORC_WAYS_OUT_H
#define TORC_WAYS_OUT_H

#include <stdbool.h>

/* Asks the library that the caller meets. false: nothing may be away, since an array that an unknown function
 * hands out could not be given to the kernel. *which is the name of such a function, or NULL if the library
 * cannot be read. */
bool torc_ways_out_are_known(const char **which, const void *caller);

#endif
