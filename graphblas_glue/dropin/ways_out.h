/* ways_out.h: does torc know all functions of a GraphBLAS that hand out arrays? */
#ifndef TORC_WAYS_OUT_H
#define TORC_WAYS_OUT_H

#include <stdbool.h>

/* Of the library that the caller meets. If not, nothing may be away: what such a function hands out could not
 * be given to the kernel. Then *which is one of them, or NULL where the library cannot be read. */
bool torc_ways_out_are_known(const char **which, const void *caller);

#endif
