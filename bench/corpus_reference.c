#include "bench_require.h"
#include "clock_now.h"
#include "corpus_executor.h"

void corpus_compile_ahead(const torc_options *options, const int64_t *widths, int nwidths)
{
    (void)options;
    (void)widths;
    (void)nwidths;
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
    double start = torc_now();
    queue(state);
    bench_require(torc_context_wait(context) == TORC_SUCCESS, "torc_context_wait", "failed");
    return torc_now() - start;
}
