/* log.h: how much torc tells of its calls (TORC_BURBLE), and where it writes that: to the file that TORC_LOG
 * names, or else to standard error. */
#ifndef TORC_LOG_H
#define TORC_LOG_H

typedef enum torc_log_level {
    TORC_LOG_NOTHING,
    TORC_LOG_SUMMARY, /* a table and the totals, at the end */
    TORC_LOG_CALLS,   /* a line for each call, and the totals at the end */
    TORC_LOG_PROGRAM, /* the same, and before each call a line that says where its operands are */
} torc_log_level;

/* The level that the environment asks for. TORC_LOG alone asks for a line per call. *refused, where refused
 * is not NULL: the value of TORC_BURBLE if it means nothing, else NULL. */
torc_log_level torc_log_asked(const char **refused);

/* Write whole lines in one piece, so that threads and processes do not mix theirs. The file is opened for
 * them and closed again: programs close file descriptors that they do not know, and use the numbers again.
 * Lines that cannot be written to the file go to standard error, as do all lines in a sandbox. */
void torc_log_write(const char *lines);

#endif
