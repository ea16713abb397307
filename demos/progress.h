/* progress.h: one line on a terminal, rewritten a few times a second, with rate and time left; nothing at all
 * where standard error is not a terminal.
 */
#ifndef TORC_PROGRESS_H
#define TORC_PROGRESS_H

#include <stdint.h>

typedef struct torc_progress {
    double begin, shown; /* seconds; 0 before the first call */
} torc_progress;

/* `steps` steps are done; `share`, 0 to 1, is how much of all the work that is, as far as one can tell, or 0
 * where one cannot. The rest is a text as printf makes it. progress NULL: nothing happens. */
void torc_progress_show(torc_progress *progress, uint64_t steps, double share, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Remove the line. */
void torc_progress_end(torc_progress *progress);

#endif
