/* writing.h: writes of torc's own that end no program. SIGPIPE, of a reader that is gone, and SIGXFSZ, of a
 * file that may not grow, do so by default; they are held back from this thread, and taken back if they came.
 * write tells the same by errno. In a sandbox, where torc makes no other system call, nothing is held back.
 */
#ifndef TORC_WRITING_H
#define TORC_WRITING_H

#include <signal.h>
#include <stdbool.h>

typedef struct torc_writing {
    sigset_t before, had; /* the thread's mask; what was there before */
    bool holds;
} torc_writing;

torc_writing torc_writing_begin(void);
void torc_writing_end(const torc_writing *writing);

#endif
