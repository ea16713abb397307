/* torc-fuzz: GrB_mxm and torc_mxm on random calls.
 *
 *   torc-fuzz [--calls N] [--seed S] [--alike K] [--jobs J] [--time SECONDS] [--rough]
 *
 * N calls, one seed each from S on, in J processes, until the time is over. K calls in a row share a few
 * kernels: 64 unless told otherwise; where kernels need not be compiled 1 is as fast. Exit status 1 where an
 * answer differs or a call dies or hangs; the first of them is then made as small as can be, and printed.
 * --rough makes them amid faults, cancellations, forks and limits (rough_work.c).
 * TORC_BACKEND says where torc computes, as in the tests: on the GPU, or on the reference executor where
 * there is none. */
#include "call_work.h"
#include "fuzz_options.h"
#include "rough_work.h"
#include "shrink.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    fuzz_plan plan = {.work = &torc_call_work,
        .rough = &torc_rough_work,
        .first_seed = 1,
        .calls = 10000,
        .alike = 64,
        .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (!torc_fuzz_options_read(&plan, "calls", argc, argv)) {
        return 2;
    }
    setlinebuf(stdout);
    printf("seeds from %llu on, %d processes\n", (unsigned long long)plan.first_seed, plan.jobs);
    fuzz_result result = torc_fuzz_pool_run(&plan);
    const fuzz_tally *total = &result.total;
    for (int i = 0; i < FUZZ_PLACES && total->places[i].calls > 0; i++) {
        printf("%5.1f %%  %s\n", 100.0 * (double)total->places[i].calls / (double)total->calls,
            total->places[i].text);
    }
    for (int i = 0; i < result.nfailures; i++) {
        printf("--seed %llu --calls 1%s fails\n", (unsigned long long)result.failures[i].seed,
            plan.work == &torc_rough_work ? " --rough" : "");
    }
    if (result.nfailures > 0 && plan.work == &torc_call_work) {
        torc_shrink(result.failures[0]);
    }
    printf("%lld calls, %lld on the device, %lld refused, %lld in another format, %d differences\n",
        (long long)total->calls, (long long)total->on_device, (long long)total->refused,
        (long long)total->in_other_format, result.nfailures);
    return result.nfailures > 0;
}
