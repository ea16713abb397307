/* home.h: before the arrays of an object are handed out, or GraphBLAS is asked to complete its content. */
#ifndef TORC_HOME_H
#define TORC_HOME_H

#include <torc/torc.h>

/* The arrays of a GrB_Matrix or GrB_Vector are about to be the program's: bring them home, in the format that
 * it asked for, and trust no copy of them any more (seal.h); where the object cannot be read, no copy at all.
 * Does nothing for NULL. */
void torc_hand_out(void *object);

/* Wait until the device has computed the content, if it is away. */
void torc_complete_away(void *object);

#endif
