#include "bench_require.h"
#include "corpus_executor.h"
#include <time.h>

void corpus_compile_ahead(const torc_options *options, const int64_t *widths, int nwidths)
{
    (void)options;
    (void)widths;
    (void)nwidths;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int corpus_time_rivals(corpus_rival *rivals, const torc_dense *C, const bench_matrix *matrix,
    const torc_sparse *held, const torc_dense *B, double enough)
{
    (void)rivals;
    (void)C;
    (void)matrix;
    (void)held;
    (void)B;
    (void)enough;
    return 0;
}

double corpus_time(torc_context *context, void (*queue)(void *state), void *state, double enough)
{
    (void)enough; /* one call is all */
    double start = now();
    queue(state);
    bench_require(torc_context_wait(context) == TORC_SUCCESS, "torc_context_wait", "failed");
    return now() - start;
}
