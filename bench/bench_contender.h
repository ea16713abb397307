/* bench_contender.h: one way to compute C = A ⊕.⊗ B, row-major, everything on the device already. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "bench_matrix.h"
#include <stdbool.h>

typedef struct bench_problem {
    const bench_matrix *A;
    int64_t ncols;  /* of B and C */
    const float *b; /* device memory */
    float *c;       /* device memory */
} bench_problem;

typedef struct bench_contender {
    const char *name;
    bool is_plus_times;                             /* else min-plus */
    void *(*prepare)(const bench_problem *problem); /* conversion and analysis, not timed */
    void (*queue)(void *state);                     /* one multiplication, all of it, not waited for */
    void (*release)(void *state);
} bench_contender;

extern const bench_contender bench_torc_contenders[];
extern const int bench_torc_count;
extern const bench_contender bench_cusparse_contenders[];
extern const int bench_cusparse_count;

/* End the program with a line that names the call, unless the condition holds. */
void bench_require(bool condition, const char *what, const char *why);

#endif
