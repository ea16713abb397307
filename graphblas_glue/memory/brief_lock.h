/* brief_lock.h: one lock for all small lists of the glue, each held for a few instructions. fork waits for
 * it, so that a child finds the lists whole and the lock free. Who holds it takes no other lock. Work beside
 * the program (beside.h) does not take it, since fork waits for that too. */
#ifndef TORC_BRIEF_LOCK_H
#define TORC_BRIEF_LOCK_H

void torc_brief_lock(void);
void torc_brief_unlock(void);

#endif
