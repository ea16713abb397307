/* mxm_bench.c: torc-bench-mxm: what a program waits for: whole calls of GrB_mxm beside SuiteSparse alone.
 * Every case has a process of its own, so that its memory, its device and its settings are. */
#include "bench_provenance.h"
#include "bench_require.h"
#include "mxm_case.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const mxm_case cases[] = {
    {"plus_times_held", "A held, B unchanged, the same C", MXM_RMAT, 128, .is_held = true},
    {"accumulated_held", "C += A*B, the same C", MXM_RMAT, 128, .is_accumulated = true, .is_held = true},
    {"narrow_held", "A held, B unchanged, the same C", MXM_RMAT, 32, .is_fp64 = true, .is_held = true},
    {"narrow_accumulated_held", "C += A*B, the same C", MXM_RMAT, 32, .is_fp64 = true, .is_accumulated = true,
        .is_held = true},
    {"min_plus_held", "the same", MXM_RMAT, 128, .is_min_plus = true, .is_held = true},
    {"plus_times_held_changed", "A held, B changed before each call", MXM_RMAT, 128, .is_held = true,
        .changes_b = true},
    {"min_plus_held_changed", "the same", MXM_RMAT, 128, .is_min_plus = true, .is_held = true,
        .changes_b = true},
    {"plus_times_not_held", "A unchanged and not held", MXM_RMAT, 128, .is_held = false},
    {"plus_times_first", "new A and B, fresh C", MXM_RMAT, 128, .is_first = true},
    {"uniform_held", "the same on a matrix without empty rows", MXM_UNIFORM, 128, .is_held = true},
    {"uniform_held_changed", "A held, B changed before each call", MXM_UNIFORM, 128, .is_held = true,
        .changes_b = true},
    {"rectangular_first", "C += A*B, new A and B, C of zeros", MXM_RECTANGULAR, 100, .is_fp64 = true,
        .is_accumulated = true, .is_first = true},
    {"rectangular_held", "C += A*B, A held", MXM_RECTANGULAR, 100, .is_fp64 = true, .is_accumulated = true,
        .is_held = true},
    {"threads", "all threads at once, a C each, A held", MXM_RMAT, 32, .is_held = true, .has_threads = true},
    {"right_4", "A*B, A held, B changed", MXM_RMAT, 4, .is_fp64 = true, .is_sum = true, .is_held = true,
        .changes_b = true},
    {"left_4", "the same as B*A'", MXM_RMAT, 4, .is_fp64 = true, .is_sum = true, .is_left = true,
        .is_held = true, .changes_b = true},
    {"right_16", "A*B", MXM_RMAT, 16, .is_fp64 = true, .is_sum = true, .is_held = true, .changes_b = true},
    {"left_16", "B*A'", MXM_RMAT, 16, .is_fp64 = true, .is_sum = true, .is_left = true, .is_held = true,
        .changes_b = true},
    {"right_64", "A*B", MXM_RMAT, 64, .is_fp64 = true, .is_sum = true, .is_held = true, .changes_b = true},
    {"left_64", "B*A'", MXM_RMAT, 64, .is_fp64 = true, .is_sum = true, .is_left = true, .is_held = true,
        .changes_b = true},
    {"stays_on_the_processor", "100 x 100: the difference is torc's", MXM_TINY, 100, .is_unforced = true},
};

enum { NCASES = sizeof cases / sizeof cases[0] };

static const char usage[] =
    "usage: torc-bench-mxm [OPTION...]\n"
    "Times whole calls of GrB_mxm by torc and by SuiteSparse, from host memory to host\n"
    "memory. A table goes to standard error, CSV to standard output.\n"
    "  --scale S       rows of the R-MAT: 2^S, 16 entries each; default 20\n"
    "  --repeats N     calls timed; default 10\n"
    "  --threads N     of the case with threads; default 8\n"
    "  --case LIST     only those whose name contains an element\n"
    "  --csv FILE      write there instead of to standard output\n"
    "TORC_BACKEND=reference tries it out where there is no GPU.\n";

static void print_provenance(FILE *csv)
{
    bench_provenance p = bench_provenance_now();
    char device[128], processor[128];
    const char *backend = getenv("TORC_BACKEND");
    bench_first_line(device, sizeof device,
        "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null");
    bench_first_line(processor, sizeof processor, "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo");
    fprintf(csv, "# device: %s; backend: %s\n# processors: %ld, %s\n", device, backend ? backend : "auto",
        sysconf(_SC_NPROCESSORS_ONLN), processor);
    fprintf(csv, "# GraphBLAS: %d.%d.%d, header\n", GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR,
        GxB_IMPLEMENTATION_SUB);
    fprintf(csv, "# date: %s\n# commit: %s\n%s", p.date, p.commit, mxm_csv_header);
}

static int number(const char *text, int least, int most)
{
    char *end;
    long value = strtol(text, &end, 10);
    bench_require(
        end != text && *end == '\0' && value >= least && value <= most, text, "not a number that fits");
    return (int)value;
}

static bool is_chosen(const char *name, const char *list)
{
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", list ? list : "");
    for (char *text; (text = strsep(&rest, ","));) {
        if (strstr(name, text)) {
            return true;
        }
    }
    return false;
}

static void run(const mxm_case *c, const mxm_options *options)
{
    fflush(options->csv);
    pid_t child = fork();
    bench_require(child >= 0, "fork", "no process");
    if (child == 0) {
        mxm_case_run(c, options);
        exit(fflush(options->csv) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status;
    bench_require(waitpid(child, &status, 0) == child && status == 0, c->name, "failed");
}

int main(int argc, char **argv)
{
    static const struct option names[] = {{"scale", required_argument, NULL, 's'},
        {"repeats", required_argument, NULL, 'r'}, {"threads", required_argument, NULL, 't'},
        {"case", required_argument, NULL, 'c'}, {"csv", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    mxm_options options = {.scale = 20, .repeats = 10, .threads = 8, .csv = stdout};
    const char *chosen = NULL;
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (option) {
        case 's':
            options.scale = number(optarg, 6, 24);
            break;
        case 'r':
            options.repeats = number(optarg, 1, 1000);
            break;
        case 't':
            options.threads = number(optarg, 2, 256);
            break;
        case 'c':
            chosen = optarg;
            break;
        case 'f':
            options.csv = fopen(optarg, "w");
            bench_require(options.csv, optarg, "cannot be written");
            break;
        case 'h':
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        default:
            fputs(usage, stderr);
            return 2;
        }
    }
    if (optind < argc) {
        fputs(usage, stderr);
        return 2;
    }
    print_provenance(options.csv);
    int count = 0;
    for (int i = 0; i < NCASES; i++) {
        if (is_chosen(cases[i].name, chosen)) {
            run(&cases[i], &options);
            count++;
        }
    }
    bench_require(count > 0, chosen, "no such case");
    bench_require(fclose(options.csv) == 0, "the results", "could not be written to the end");
    return EXIT_SUCCESS;
}
