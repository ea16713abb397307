/* corpus_executor.h: what the corpus needs of the machine. corpus_cuda.c: kernels compiled ahead, calls timed
 * by events, cuSPARSE; corpus_reference.c, in a build without CUDA: nothing to compile, calls timed by the
 * clock, no rival. */
#ifndef BENCH_CORPUS_EXECUTOR_H
#define BENCH_CORPUS_EXECUTOR_H

#include "bench_matrix.h"
#include <torc/torc.h>

/* Compile the kernels that random products are likely to ask for, by all processors, before a device is open,
 * into the folder where the context will look. */
void corpus_compile_ahead(const torc_options *options, const int64_t *widths, int nwidths);

/* The device's seconds for one call of several in a row, whatever the host takes. Where the first one takes
 * more than `enough`, its own. */
double corpus_time(torc_context *context, void (*queue)(void *state), void *state, double enough);

typedef struct corpus_rival {
    char name[80];
    double seconds; /* as corpus_time has them */
} corpus_rival;

enum { CORPUS_MOST_RIVALS = 8 };

/* Time other libraries on C = A * B, plus_times; `matrix` is A, which `held` has on the device. How many
 * there are. */
int corpus_time_rivals(corpus_rival *rivals, const torc_dense *C, const bench_matrix *matrix,
    const torc_sparse *held, const torc_dense *B, double enough);

#endif
