/* home.h: content that is away, before its arrays are handed out or GraphBLAS is asked to complete it. */
#ifndef TORC_HOME_H
#define TORC_HOME_H

#include <torc/torc.h>

/* Bring the arrays of a GrB_Matrix or GrB_Vector home, in the format that the program asked for. Does nothing
 * for NULL, or for what is no such object. */
void torc_bring_home(void *object);

/* Wait until the device has computed the content, if it is away. */
void torc_complete_away(void *object);

#endif
