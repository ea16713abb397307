/* rmat_settings.h: the command line of benchmarks that multiply R-MAT by dense matrices of several widths:
 * [--scale S] [--columns LIST] [--repeats R] [--csv FILE]. */
#ifndef RMAT_SETTINGS_H
#define RMAT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { RMAT_MOST_WIDTHS = 16, RMAT_MOST_REPEATS = 99 };

typedef struct rmat_settings {
    int scale, repeats, nwidths;
    int64_t widths[RMAT_MOST_WIDTHS];
    const char *csv; /* file; NULL: standard output */
} rmat_settings;

/* settings: the defaults, which the command line changes. false: it is not understood. Points into argv,
 * whose list is cut at its commas. */
bool rmat_settings_parse(rmat_settings *settings, int most_scale, int argc, char **argv);

#endif
