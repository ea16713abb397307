/* measured_cases.h: products and how long each kernel took on them, read back from torc-bench's CSV, so that
 * selection is judged without a GPU. */
#ifndef BENCH_MEASURED_CASES_H
#define BENCH_MEASURED_CASES_H

#include "candidates.h"

typedef struct bench_measured_case {
    char name[96]; /* matrix, N, type, semiring */
    torc_statistics rows;
    torc_problem problem; /* its rows are not set: bench_case_problem */
    int count;            /* of kernels measured */
    torc_spmm_kernel kernels[TORC_MAX_CANDIDATES];
    double seconds[TORC_MAX_CANDIDATES];
} bench_measured_case;

typedef struct bench_measurements {
    bench_measured_case *cases;
    size_t ncases, capacity;
    torc_device_facts facts; /* of the device of the run, as far as its file says */
} bench_measurements;

/* Add what a file says of torc's kernels with a warm L2; a row of a kernel that is no longer a candidate is
 * skipped. Ends the program with a line where the file cannot be read or is no CSV of torc-bench. */
void bench_measurements_read(bench_measurements *measurements, const char *path);
void bench_measurements_free(bench_measurements *measurements);

/* Each case of each of these files; files count from 1. */
void bench_measurements_visit(
    int files, char *const paths[], void (*visit)(int file, const bench_measured_case *measured));

/* Valid while the case stays where it is. */
torc_problem bench_case_problem(const bench_measured_case *measured);

/* Of the case's name, the letters that name the matrix's family: a random matrix ends with "-" and its seed.
 */
int bench_case_family_length(const bench_measured_case *measured);

#endif
