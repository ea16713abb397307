/* torc-fuzz: GrB_mxm and torc_mxm on random calls.
 *
 *   torc-fuzz [--calls N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]
 *
 * N calls, one seed each from S on, in J processes, until the time is over. K calls in a row share a few
 * kernels: 64 unless told otherwise; where kernels need not be compiled 1 is as fast. Exit status 1 where an
 * answer differs or a call dies or hangs; the first of them is then made as small as can be, and printed.
 * TORC_BACKEND says where torc computes, as in the tests: on the GPU, or on the reference executor where
 * there is none. */
#include "call_work.h"
#include "random_chance.h"
#include "shrink.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int usage(void)
{
    fputs("usage: torc-fuzz [--calls N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]\n", stderr);
    return 2;
}

static bool read_options(fuzz_plan *plan, int argc, char **argv)
{
    static const struct option options[] = {{"calls", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'}, {"alike", required_argument, NULL, 'a'},
        {"jobs", required_argument, NULL, 'j'}, {"time", required_argument, NULL, 't'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        char *end = "?";
        if (option == 'n') {
            plan->calls = strtoll(optarg, &end, 10);
        } else if (option == 's') {
            plan->first_seed = strtoull(optarg, &end, 10);
        } else if (option == 'a') {
            plan->alike = strtoll(optarg, &end, 10);
        } else if (option == 'j') {
            plan->jobs = (int)strtol(optarg, &end, 10);
        } else if (option == 't') {
            plan->seconds = strtod(optarg, &end);
        }
        if (*end) {
            return false;
        }
    }
    return optind == argc && plan->calls > 0 && plan->alike > 0 && plan->alike <= RANDOM_MOST_ALIKE &&
           plan->jobs > 0 && plan->seconds >= 0;
}

int main(int argc, char **argv)
{
    fuzz_plan plan = {.work = &torc_call_work,
        .first_seed = 1,
        .calls = 10000,
        .alike = 64,
        .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    if (!read_options(&plan, argc, argv)) {
        return usage();
    }
    plan.jobs = plan.jobs > FUZZ_MAX_JOBS ? FUZZ_MAX_JOBS : plan.jobs;
    int64_t shares = (plan.calls + plan.alike - 1) / plan.alike;
    plan.jobs = plan.jobs > shares ? (int)shares : plan.jobs;
    setlinebuf(stdout);
    printf("seeds from %llu on, %d processes\n", (unsigned long long)plan.first_seed, plan.jobs);
    fuzz_result result = torc_fuzz_pool_run(&plan);
    const fuzz_tally *total = &result.total;
    for (int i = 0; i < FUZZ_PLACES && total->places[i].calls > 0; i++) {
        printf("%5.1f %%  %s\n", 100.0 * (double)total->places[i].calls / (double)total->calls,
            total->places[i].text);
    }
    for (int i = 0; i < result.nfailures; i++) {
        printf("--seed %llu --calls 1 fails\n", (unsigned long long)result.failures[i].seed);
    }
    if (result.nfailures > 0) {
        torc_shrink(result.failures[0]);
    }
    printf("%lld calls, %lld on the device, %lld refused, %lld in another format, %d differences\n",
        (long long)total->calls, (long long)total->on_device, (long long)total->refused,
        (long long)total->in_other_format, result.nfailures);
    return result.nfailures > 0;
}
