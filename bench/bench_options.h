/* bench_options.h: what to measure, from the command line. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <torc/torc.h>

enum { BENCH_MAX_LIST = 32 };

typedef struct bench_options {
    const char *matrices[BENCH_MAX_LIST]; /* names or files */
    int64_t widths[BENCH_MAX_LIST];       /* N */
    torc_type types[BENCH_MAX_LIST];
    torc_semiring semirings[BENCH_MAX_LIST]; /* their type is to be filled in */
    const char *contenders[BENCH_MAX_LIST];  /* parts of names; none: all that are not on request */
    int nmatrices, nwidths, ntypes, nsemirings, ncontenders;
    const char *csv; /* file; NULL: standard output */
    bool reorders;   /* torc's A as well */
    bool is_cold;    /* time each case with a flushed L2 too */
    int runs;        /* whose bits to compare; 0: none */
    bool is_quick;   /* few cases, where lists are not given */
    bool is_sweep;   /* torc's kernels only, timed briefly, results unchecked */
    bool is_help;
    char error[160];
} bench_options;

extern const char bench_usage[];

/* The one at `which`, on that type; false where there is none. */
bool bench_options_semiring(torc_semiring *semiring, const bench_options *options, int which, torc_type type);

/* false, with error set, if the command line is not understood. The options point into argv, whose lists are
 * cut at their commas. */
bool bench_options_parse(bench_options *options, int argc, char **argv);

#endif
