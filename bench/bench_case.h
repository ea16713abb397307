/* bench_case.h: all contenders on one problem: checked, timed, and a line of CSV for each. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include "bench_contender.h"
#include "bench_options.h"
#include "bench_timer.h"
#include <stdio.h>

typedef struct bench_output {
    FILE *csv;
    double bandwidth; /* bytes a second, which the floors are counted at */
} bench_output;

extern const char bench_csv_header[];

void bench_case_run(const bench_output *output, bench_timer *timer, const bench_options *options,
    const bench_problem *problem);

#endif
