/* beside.h: work that goes on beside the program, in a thread of its own, one piece at a time: what takes a
 * while, and what no call should wait for.
 *
 * The thread takes no signals. A fork waits until it is done: what CUDA has made half-way would be locked for
 * ever in the child. So does the end of the process, before CUDA's own end begins. */
#ifndef TORC_BESIDE_H
#define TORC_BESIDE_H

#include <stdbool.h>

/* Any thread. False: nothing was begun; another piece of work is under way, or there is no thread. */
bool torc_beside_start(void (*work)(void));

/* By that work: from here on it takes what the program's threads leave, and a tenth of a processor where they
 * leave none. Where they have all processors they meet at barriers, so that one which waits for its processor
 * holds them all up. */
void torc_beside_give_way(void);

bool torc_beside_is_under_way(void);

/* Until nothing is under way. Any thread but that one. */
void torc_beside_wait(void);

#endif
