/* brief_lock.h: one lock for the small lists of the glue, which are looked at and left again: fork waits for
 * it, so that a child finds them whole and the lock free. Nothing else is locked while it is held, and what
 * runs beside the program (beside.h), for which fork waits too, does not take it. */
#ifndef TORC_BRIEF_LOCK_H
#define TORC_BRIEF_LOCK_H

void torc_brief_lock(void);
void torc_brief_unlock(void);

#endif
