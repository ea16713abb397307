/* open_faults.h: the kernel ends a thread that faults with SIGSEGV blocked, and content that is away comes
 * home by such a fault. glibc blocks it in threads of its own, as those of timers (SIGEV_THREAD). */
#ifndef TORC_OPEN_FAULTS_H
#define TORC_OPEN_FAULTS_H

/* Nobody blocks SIGSEGV in this thread from now on. Does nothing the next time in the same thread. */
void torc_open_faults(void);

#endif
