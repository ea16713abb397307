/* torc-fuzz-programs: random GraphBLAS programs under the drop-in, each beside the same program without it.
 *
 *   torc-fuzz-programs [--programs N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]
 *
 * N programs, one seed each from S on, in J processes, until the time is over. K programs in a row share
 * types, semirings and operators, and so a few kernels: 1 unless told otherwise. Exit status 1 where an
 * object or an answer differs or a program dies or hangs; the first of them is then made as small as can be,
 * and printed. TORC_BACKEND says where torc computes. */
#include "fuzz_options.h"
#include "program_work.h"
#include "shrink_program.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The drop-in has to be there before this program's first symbol is found. */
static void begin_again_under_dropin(char **argv)
{
    char preload[4096];
    const char *others = getenv("LD_PRELOAD");
    if (!dlsym(RTLD_DEFAULT, "torc_mxm_statistics_get")) {
        snprintf(preload, sizeof preload, "%s%s%s", FUZZ_DROPIN, others ? ":" : "", others ? others : "");
        setenv("LD_PRELOAD", preload, 1);
        execv("/proc/self/exe", argv);
        perror("torc-fuzz-programs");
        exit(2);
    }
}

/* Counts what remains. Those that died are not among the others: the pool has asked. */
static int drop_failing_anyway(fuzz_result *result)
{
    int kept = 0;
    for (int i = 0; i < result->nfailures; i++) {
        fuzz_failure failure = result->failures[i];
        if (failure.verdict == FUZZ_DIFFERENT && torc_program_fails_anyway(failure.seed)) {
            result->failing_anyway++;
        } else {
            result->failures[kept++] = failure;
        }
    }
    return kept;
}

int main(int argc, char **argv)
{
    begin_again_under_dropin(argv);
    fuzz_plan plan = {.work = &torc_program_work,
        .first_seed = 1,
        .calls = 1000,
        .alike = 1,
        .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (!torc_fuzz_options_read(&plan, "programs", argc, argv)) {
        return 2;
    }
    setlinebuf(stdout);
    printf("seeds from %llu on, %d processes\n", (unsigned long long)plan.first_seed, plan.jobs);
    fuzz_result result = torc_fuzz_pool_run(&plan);
    int ndifferences = drop_failing_anyway(&result);
    for (int i = 0; i < ndifferences; i++) {
        printf("--seed %llu --programs 1 fails\n", (unsigned long long)result.failures[i].seed);
    }
    if (ndifferences > 0) {
        torc_shrink_program(result.failures[0]);
    }
    const fuzz_tally *total = &result.total;
    for (int i = 0; i < FUZZ_PLACES && total->places[i].calls > 0; i++) {
        printf("%lld programs end in %s, where SuiteSparse's own object is invalid\n",
            (long long)total->places[i].calls, total->places[i].text);
    }
    printf("%lld programs fail with TORC_BACKEND=off too\n", (long long)result.failing_anyway);
    printf("%lld steps kept out, %lld objects in another format\n", (long long)total->refused,
        (long long)total->in_other_format);
    printf("%lld programs, %lld steps, %lld on the device, %d differences\n", (long long)total->calls,
        (long long)total->steps, (long long)total->on_device, ndifferences);
    return ndifferences > 0;
}
