/* beside.h: long work that no call should wait for, done beside the program in a thread of its own, one piece
 * at a time.
 *
 * The thread takes no signals. A fork waits for the work to end: locks that CUDA holds in the middle of it
 * would stay locked in the child. The end of the process waits too, before CUDA's own end begins. */
#ifndef TORC_BESIDE_H
#define TORC_BESIDE_H

#include <stdbool.h>

/* Any thread. false: the work was not begun, since another piece is under way or no thread can be had. */
bool torc_beside_start(void (*work)(void));

/* Called by the work: from here on it uses only the processor time that the program's threads leave, and a
 * tenth of a processor where they leave none. The program's threads may use all processors and meet at
 * barriers: one that waits for its processor holds all of them up. */
void torc_beside_give_way(void);

bool torc_beside_is_under_way(void);

/* Wait until nothing is under way. Any thread but the one of the work. */
void torc_beside_wait(void);

#endif
