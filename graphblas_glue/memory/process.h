/* process.h: is this still the process that torc's state belongs to?
 *
 * Locks, threads, the device and the kernel's tracking of writes belong to one process. fork hands them on in
 * order, by the handlers that are registered here. _Fork and raw clone call no handlers. Their child has a
 * copy of torc's memory, none of torc's threads, locks as they happened to be, and file descriptors that act
 * on its parent. In such a child, and in its children, torc does nothing any more: calls go to SuiteSparse,
 * memory comes from libc, and blocks of the arena are never used again.
 *
 * torc asks a page that the kernel clears in every child (MADV_WIPEONFORK), which takes one load. A child
 * that shares its parent's memory, as that of vfork does, is the same process in this sense.
 */
#ifndef TORC_PROCESS_H
#define TORC_PROCESS_H

#include <stdbool.h>

/* Any thread; takes no lock. */
bool torc_process_is_ours(void);

/* Is this a child that shares the memory of the process that torc's state belongs to? */
bool torc_process_is_borrowed(void);

/* Why the process is not ours: a static string. */
const char *torc_process_why_not(void);

/* The program enters a sandbox: from now on neither the process nor its children are ours. false: they were
 * not before; or this is a child that borrows its parent's memory. */
bool torc_process_abandon(void);

/* As pthread_atfork, but the functions are called only if the process is ours; so is the child, by then.
 * Registering the same handlers again does nothing. Functions may be NULL; *handlers stays. */
typedef struct torc_fork_handlers {
    void (*prepare)(void), (*parent)(void), (*child)(void);
} torc_fork_handlers;
void torc_process_at_fork(const torc_fork_handlers *handlers);

#endif
