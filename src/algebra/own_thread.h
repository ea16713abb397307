/* own_thread.h: threads of torc's own. They take no signals, since these are the program's. Their stack is as
 * large as their work needs: the program's own threads may have only 16 KiB, and its limit for stacks does
 * not apply here. */
#ifndef TORC_OWN_THREAD_H
#define TORC_OWN_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* A stack for CUDA's driver and its compiler. */
enum { TORC_LARGE_STACK = 8 << 20 };

/* false: the system gives no thread. The thread is to be joined or detached. */
static inline bool torc_own_thread(pthread_t *thread, size_t stack, void *(*run)(void *), void *argument)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_made = pthread_attr_setstacksize(&attributes, stack) == 0 &&
                   pthread_create(thread, &attributes, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_made;
}

#endif
