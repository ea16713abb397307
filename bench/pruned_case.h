/* pruned_case.h: pruned weights times a dense matrix: torc before and after torc_sparse_tune, beside
 * cuSPARSE.
 */
#ifndef PRUNED_CASE_H
#define PRUNED_CASE_H

#include "bench_device.h"
#include "bench_matrix.h"
#include <stdio.h>

extern const char pruned_csv_header[];

/* A line of CSV. */
void pruned_case_run(FILE *csv, bench_device *device, const bench_matrix *A, torc_type type, int64_t ncols);

/* Seconds of one of many calls in a row, those of the host, and of the device alone: the least of a few
 * rounds. */
typedef struct pruned_seconds {
    double call, host, device;
} pruned_seconds;

pruned_seconds pruned_time(cudaStream_t stream, void (*queue)(void *state), void *state);

enum { PRUNED_FIRST = 3 }; /* schedules that torc_sparse_tune compiles at most */

/* Processes that compile, as many as there are processors: all 0 at first. */
typedef struct pruned_compilation {
    int running, count; /* now, and begun so far */
    double start;
} pruned_compilation;

/* pruned_schedules.c: begin to compile the first schedules of a search for an architecture, in processes of
 * their own, so that they are found on disk. Before this process opens the device: what is forked may not use
 * it. A line of comment: what the search found. */
void pruned_compile_ahead(FILE *csv, pruned_compilation *compilation, const char *matrix, torc_type type,
    int64_t ncols, int schedules, int architecture);

/* Until all of them are there. A line of comment: how long that took. */
void pruned_compile_wait(FILE *csv, pruned_compilation *compilation);

/* All schedules that the search keeps, timed, beside the first few. A line of comment. */
void pruned_exhaust(FILE *csv, bench_device *device, const char *matrix, torc_type type, int64_t ncols);

#endif
