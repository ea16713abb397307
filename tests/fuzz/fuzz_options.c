/* fuzz_options.c: see fuzz_options.h. */
#include "fuzz_options.h"
#include "random_chance.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_options(fuzz_plan *plan, const char *calls, int argc, char **argv)
{
    const struct option options[] = {{calls, required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'}, {"alike", required_argument, NULL, 'a'},
        {"jobs", required_argument, NULL, 'j'}, {"time", required_argument, NULL, 't'},
        {"rough", no_argument, NULL, 'r'}, {0}};
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
        } else if (option == 'r' && plan->rough) {
            plan->work = plan->rough;
            end = "";
        }
        if (*end) {
            return false;
        }
    }
    return optind == argc && plan->calls > 0 && plan->alike > 0 && plan->alike <= RANDOM_MOST_ALIKE &&
           plan->jobs > 0 && plan->seconds >= 0;
}

bool torc_fuzz_options_read(fuzz_plan *plan, const char *calls, int argc, char **argv)
{
    if (!read_options(plan, calls, argc, argv)) {
        fprintf(stderr, "usage: %s [--%s N] [--seed S] [--alike K] [--jobs J] [--time SECONDS]%s\n", argv[0],
            calls, plan->rough ? " [--rough]" : "");
        return false;
    }
    plan->jobs = plan->jobs > FUZZ_MAX_JOBS ? FUZZ_MAX_JOBS : plan->jobs;
    int64_t share = torc_fuzz_share(plan);
    int64_t shares = (plan->calls + share - 1) / share;
    plan->jobs = plan->jobs > shares ? (int)shares : plan->jobs;
    return true;
}
