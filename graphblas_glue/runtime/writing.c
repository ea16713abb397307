#include "writing.h"
#include "process.h"
#include <time.h>

static const int numbers[] = {SIGPIPE, SIGXFSZ};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

torc_writing torc_writing_begin(void)
{
    torc_writing writing = {.holds = torc_process_is_ours()};
    sigset_t signals;
    sigemptyset(&signals);
    for (int i = 0; i < NUMBERS; i++) {
        sigaddset(&signals, numbers[i]);
    }
    if (writing.holds) {
        pthread_sigmask(SIG_BLOCK, &signals, &writing.before);
        sigpending(&writing.had);
    }
    return writing;
}

void torc_writing_end(const torc_writing *writing)
{
    const struct timespec now = {0, 0};
    sigset_t sent;
    if (!writing->holds) {
        return;
    }
    sigemptyset(&sent);
    for (int i = 0; i < NUMBERS; i++) {
        if (!sigismember(&writing->had, numbers[i])) {
            sigaddset(&sent, numbers[i]);
        }
    }
    while (sigtimedwait(&sent, NULL, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &writing->before, NULL);
}
