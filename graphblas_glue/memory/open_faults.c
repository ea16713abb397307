#include "open_faults.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

static _Thread_local bool are_open;

static void open_faults(void)
{
    sigset_t faults;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    are_open = pthread_sigmask(SIG_UNBLOCK, &faults, NULL) == 0;
}

void torc_open_faults(void)
{
    if (!are_open) {
        open_faults();
    }
}
