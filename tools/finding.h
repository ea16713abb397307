/* finding.h: what torc doctor found of one thing that a program under torc needs. */
#ifndef TORC_FINDING_H
#define TORC_FINDING_H

#include <stdbool.h>

typedef struct torc_finding {
    bool is_there;
    char what[1024];    /* in one line */
    const char *remedy; /* what to do where it is missing */
} torc_finding;

torc_finding torc_found(const char *format, ...) __attribute__((format(printf, 1, 2)));
torc_finding torc_missing(const char *remedy, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of the device's side. */
torc_finding torc_find_driver(void);
torc_finding torc_find_device(void);
torc_finding torc_find_compiler(void);

/* Of the machine. */
torc_finding torc_find_cache(void);
torc_finding torc_find_write_tracking(void);
torc_finding torc_find_limits(void);

#endif
