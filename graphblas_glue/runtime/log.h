/* log.h: how much torc tells of its calls (TORC_BURBLE), and where that goes: to the file that TORC_LOG
 * names, or to standard error. */
#ifndef TORC_LOG_H
#define TORC_LOG_H

typedef enum torc_log_level {
    TORC_LOG_NOTHING,
    TORC_LOG_SUMMARY, /* a table and the totals, at the end */
    TORC_LOG_CALLS,   /* a line for each call, and the totals at the end */
    TORC_LOG_PROGRAM, /* and before it one that says where its operands are */
} torc_log_level;

/* As the environment asks: who names a file wants its lines, unless TORC_BURBLE says otherwise. *refused,
 * which may be NULL, is the value of TORC_BURBLE where that means nothing, else NULL. */
torc_log_level torc_log_asked(const char **refused);

/* Whole lines, in one piece, so that threads and processes do not mix theirs. The file is opened for them and
 * closed again: programs close and use again whatever numbers of files they find. What cannot be written to
 * it goes to standard error, and so does all that is told in a sandbox. */
void torc_log_write(const char *lines);

#endif
