/* torc-fuzz-programs: random GraphBLAS programs under the drop-in, each beside the same program without it.
 *
 *   torc-fuzz-programs [--programs N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]
 *
 * N programs, one seed each from S on, in J processes, until the time is over. K programs in a row share
 * types, semirings and operators, and so a few kernels: 1 unless told otherwise. Exit status 1 where an
 * object or an answer differs or a program dies or hangs; the first of them is then made as small as can be,
 * and printed. TORC_BACKEND says where torc computes. */
#include "program_work.h"
#include "random_chance.h"
#include "require.h"
#include "shrink_program.h"
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int usage(void)
{
    fputs("usage: torc-fuzz-programs [--programs N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]\n",
        stderr);
    return 2;
}

static bool read_options(fuzz_plan *plan, int argc, char **argv)
{
    static const struct option options[] = {{"programs", required_argument, NULL, 'n'},
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

/* The drop-in has to be there before this program's first symbol is found. */
static void begin_again_under_dropin(char **argv)
{
    char preload[4096];
    const char *others = getenv("LD_PRELOAD");
    if (!dlsym(RTLD_DEFAULT, "torc_mxm_statistics_get") && !getenv("FUZZ_WITHOUT_DROPIN")) {
        snprintf(preload, sizeof preload, "%s%s%s", FUZZ_DROPIN, others ? ":" : "", others ? others : "");
        setenv("LD_PRELOAD", preload, 1);
        execv("/proc/self/exe", argv);
        perror("torc-fuzz-programs");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    begin_again_under_dropin(argv);
    fuzz_plan plan = {.work = &torc_program_work,
        .first_seed = 1,
        .calls = 1000,
        .alike = 1,
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
    for (int i = 0; i < result.nfailures; i++) {
        printf("--seed %llu --programs 1 fails\n", (unsigned long long)result.failures[i].seed);
    }
    if (result.nfailures > 0) {
        torc_shrink_program(result.failures[0]);
    }
    const fuzz_tally *total = &result.total;
    for (int i = 0; i < FUZZ_PLACES && total->places[i].calls > 0; i++) {
        printf("%lld programs end in %s, where SuiteSparse's own object is invalid\n",
            (long long)total->places[i].calls, total->places[i].text);
    }
    printf("%lld steps kept out, %lld objects in another format\n", (long long)total->refused,
        (long long)total->in_other_format);
    printf("%lld programs, %lld steps, %lld on the device, %d differences\n", (long long)total->calls,
        (long long)total->steps, (long long)total->on_device, result.nfailures);
    return result.nfailures > 0;
}
