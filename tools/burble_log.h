/* burble_log.h: the lines of TORC_BURBLE=1 read back, from a log or from what a program wrote to standard
 * error. */
#ifndef TORC_BURBLE_LOG_H
#define TORC_BURBLE_LOG_H

#include <stdbool.h>
#include <stddef.h>

typedef enum torc_lane { TORC_LANE_PRODUCT, TORC_LANE_OTHER, TORC_LANE_CPU, TORC_LANES } torc_lane;

typedef struct torc_logged_call {
    torc_lane lane; /* a product on the device, another operation there, a product on the CPU */
    char *text;     /* the line, without "torc: " */
    char *name;     /* of GraphBLAS's function */
    char *why;      /* "" where the line has no reason */
    double seconds, end;
    double in, out, spared; /* MB */
    bool stays;             /* its result, on the device */
} torc_logged_call;

typedef struct torc_burble_log {
    torc_logged_call *calls; /* by the time at which they began */
    size_t ncalls;
    char **notes; /* other lines, totals among them */
    size_t nnotes;
} torc_burble_log;

/* Lines that do not begin with "torc: " are the program's, and left out. false, with errno: the file cannot
 * be read, or there is no memory. The caller frees what was made in any case. */
bool torc_burble_log_read(torc_burble_log *log, const char *path);
void torc_burble_log_free(torc_burble_log *log);

#endif
