/* home.h: an object's content, before it is handed out, or said to be complete. */
#ifndef TORC_HOME_H
#define TORC_HOME_H

#include <torc/torc.h>

/* Have the arrays of a GrB_Matrix or GrB_Vector home, in the format that the program asked for; NULL, and
 * what is no object, is nobody's business here.
 */
void torc_bring_home(void *object);

/* Where its content is away, wait until the device has computed it. */
void torc_complete_away(void *object);

#endif
