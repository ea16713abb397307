/* progress.c: carriage return, text, erase to the end of the line. */
#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "clock_now.h"

static const double between_lines = 0.2; /* seconds */

void torc_progress_show(torc_progress *progress, uint64_t steps, double share, const char *format, ...)
{
    if (!progress || !isatty(STDERR_FILENO)) {
        return;
    }
    double now = torc_now();
    if (progress->begin == 0) {
        progress->begin = progress->shown = now;
    }
    if (now - progress->shown < between_lines) {
        return;
    }
    progress->shown = now;
    double seconds = now - progress->begin;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, ", %.3g a second", (double)steps / seconds);
    if (share > 0 && share <= 1) {
        fprintf(stderr, ", about %.0f s left", seconds * (1 - share) / share);
    }
    fprintf(stderr, "\033[K");
}

void torc_progress_end(torc_progress *progress)
{
    bool is_line_there = progress->shown > progress->begin;
    if (is_line_there) {
        fprintf(stderr, "\r\033[K");
    }
    *progress = (torc_progress){0};
}
