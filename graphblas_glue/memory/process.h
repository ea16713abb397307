/* process.h: is this still the process that torc's state belongs to?
 *
 * Locks, threads, the device and the kernel's tracking of writes are those of one process. fork hands them
 * on in order, by the handlers that are registered here. _Fork and raw clone call no handlers: their child
 * has a copy of torc's memory, none of torc's threads, locks as they happened to be, and file numbers that
 * act on its parent. There torc does nothing any more: calls go to SuiteSparse, memory comes from libc, and
 * blocks of the arena are never used again. The same holds for all children of that child.
 *
 * A page that the kernel clears in every child tells (MADV_WIPEONFORK): one load. A child that shares its
 * parent's memory, as that of vfork does, is the same process in this sense.
 */
#ifndef TORC_PROCESS_H
#define TORC_PROCESS_H

#include <stdbool.h>

/* Any thread; takes no lock. */
bool torc_process_is_ours(void);

/* Why it is not, a static string. */
const char *torc_process_why_not(void);

/* From now on it is not, nor are its children: the program enters a sandbox. False where that has been so
 * already, and in a child that borrows its parent's memory. */
bool torc_process_abandon(void);

/* As pthread_atfork, but called only where the process is ours; the child is, by then. Registering twice is
 * registering once. Functions may be NULL; *handlers stays. */
typedef struct torc_fork_handlers {
    void (*prepare)(void), (*parent)(void), (*child)(void);
} torc_fork_handlers;
void torc_process_at_fork(const torc_fork_handlers *handlers);

#endif
