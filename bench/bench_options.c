#include "bench_options.h"
#include "bench_number.h"
#include "bench_matrix.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_usage[] =
    "usage: torc-bench [OPTION...]\n"
    "Times torc's kernels, cuSPARSE and SuiteSparse on the same matrices; prints CSV.\n"
    "  --matrix LIST       uniform, rmat, rmat-ordered, band, road, molecules, fem, reddit-like,\n"
    "                      protein-like, web, rectangular; yeast-h-like, ovcar-8h-like, yeast-like, "
    "road-ca-like,\n"
    "                      road-pa-like, dd-like, web-berkstan-like, fraud-yelp-like;\n"
    "                      pruned-SIZE-PERCENT, FILE.mtx, FILE.mtx.gz; default: those before the semicolon\n"
    "  --n LIST            columns of B; default 1,2,4,8,16,32,64,100,128,256,512\n"
    "  --type LIST         fp32, fp64, int64, bool; default: the first two\n"
    "  --semiring LIST     such as min_plus (torc and, wrong, cusparse SpMMOp), each on the types that have "
    "it;\n"
    "                      default plus_times,lor_land\n"
    "  --contender LIST    only those whose name contains an element, such as selected, parallel4, cusparse\n"
    "  --reorder           torc's with A's rows reordered as well, and bytes of A in formats of blocks\n"
    "  --cold              time single calls after a flush of L2 as well\n"
    "  --bits RUNS         say whether so many runs give the same bits\n"
    "  --quick             a few matrices and widths, fp32, what torc selects and cuSPARSE, unless said "
    "otherwise\n"
    "  --sweep             every kernel of torc's own, timed briefly and not checked: what torc-fit needs\n"
    "  --csv FILE          write there instead of to standard output, line by line as they are measured\n";

static bool fail(bench_options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(bench_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->error, sizeof options->error, format, arguments);
    va_end(arguments);
    return false;
}

static bool take_matrix(bench_options *options, const char *text)
{
    options->matrices[options->nmatrices++] = text;
    return true;
}

static bool take_contender(bench_options *options, const char *text)
{
    options->contenders[options->ncontenders++] = text;
    return true;
}

static bool take_width(bench_options *options, const char *text)
{
    return bench_number_parse(&options->widths[options->nwidths++], text, 1 << 16) ||
           fail(options, "'%s' is not a number of columns", text);
}

static const torc_type types[] = {TORC_FP32, TORC_FP64, TORC_INT64, TORC_BOOL};
enum { NTYPES = sizeof types / sizeof types[0] };

static bool take_type(bench_options *options, const char *text)
{
    for (int t = 0; t < NTYPES; t++) {
        if (strcmp(text, torc_type_name(types[t])) == 0) {
            options->types[options->ntypes++] = types[t];
            return true;
        }
    }
    return fail(options, "'%s' is none of fp32, fp64, int64 and bool", text);
}

bool bench_options_semiring(torc_semiring *semiring, const bench_options *options, int which, torc_type type)
{
    *semiring = options->semirings[which];
    semiring->type = type;
    return torc_semiring_traits(*semiring).is_supported;
}

static bool is_on_some_type(torc_semiring semiring)
{
    bool is_on_some = false;
    for (int t = 0; t < NTYPES; t++) {
        semiring.type = types[t];
        is_on_some = is_on_some || torc_semiring_traits(semiring).is_supported;
    }
    return is_on_some;
}

static bool take_semiring(bench_options *options, const char *text)
{
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            torc_semiring semiring = {(torc_monoid)add, (torc_multiply)multiply, TORC_FP32};
            char name[32];
            snprintf(name, sizeof name, "%s_%s", torc_monoid_name(semiring.add),
                torc_multiply_name(semiring.multiply));
            if (strcmp(name, text) == 0 && is_on_some_type(semiring)) {
                options->semirings[options->nsemirings++] = semiring;
                return true;
            }
        }
    }
    return fail(options, "'%s' is not a semiring on fp32, fp64, int64 or bool", text);
}

/* Each element of a comma-separated list. */
static bool take_list(
    bench_options *options, char *list, bool (*take)(bench_options *options, const char *text))
{
    int count = 0;
    for (char *rest = list, *text; (text = strsep(&rest, ",")); count++) {
        if (count == BENCH_MAX_LIST) {
            return fail(options, "more than %d elements in a list", BENCH_MAX_LIST);
        }
        if (!take(options, text)) {
            return false;
        }
    }
    return true;
}

static void fill_in(bench_options *options)
{
    static const char *const quick_matrices[] = {"uniform", "rmat", "band", "road", "reddit-like", NULL};
    static const int64_t all_widths[] = {1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512, 0},
                         quick_widths[] = {4, 32, 128, 0};
    const char *const *matrices = options->is_quick ? quick_matrices : bench_matrix_names;
    const int64_t *widths = options->is_quick ? quick_widths : all_widths;
    for (int i = 0; options->nmatrices == i && matrices[i]; i++) {
        options->matrices[options->nmatrices++] = matrices[i];
    }
    for (int i = 0; options->nwidths == i && widths[i]; i++) {
        options->widths[options->nwidths++] = widths[i];
    }
    if (options->ntypes == 0) {
        options->types[options->ntypes++] = TORC_FP32;
        if (!options->is_quick) {
            options->types[options->ntypes++] = TORC_FP64;
        }
    }
    if (options->ncontenders == 0 && options->is_quick) {
        options->contenders[options->ncontenders++] = "selected";
        options->contenders[options->ncontenders++] = "cusparse";
    }
    if (options->ncontenders == 0 && options->is_sweep) {
        options->contenders[options->ncontenders++] = "/"; /* as in the names of kernels only */
    }
    if (options->nsemirings == 0) {
        options->semirings[options->nsemirings++] = (torc_semiring){TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
        options->semirings[options->nsemirings++] = (torc_semiring){TORC_LOR_MONOID, TORC_LAND, TORC_BOOL};
    }
}

/* word: the option as it was written. Its argument is in optarg. */
static bool take_option(bench_options *options, int option, const char *word)
{
    int64_t runs = 0;
    switch (option) {
    case 'm':
        options->nmatrices = 0;
        return take_list(options, optarg, take_matrix);
    case 'n':
        options->nwidths = 0;
        return take_list(options, optarg, take_width);
    case 't':
        options->ntypes = 0;
        return take_list(options, optarg, take_type);
    case 's':
        options->nsemirings = 0;
        return take_list(options, optarg, take_semiring);
    case 'p':
        options->ncontenders = 0;
        return take_list(options, optarg, take_contender);
    case 'b':
        if (!bench_number_parse(&runs, optarg, 1000)) {
            return fail(options, "'%s' is not a number of runs", optarg);
        }
        options->runs = (int)runs;
        return true;
    case 'r':
        options->reorders = true;
        return true;
    case 'c':
        options->is_cold = true;
        return true;
    case 'q':
        options->is_quick = true;
        return true;
    case 'w':
        options->is_sweep = true;
        return true;
    case 'f':
        options->csv = optarg;
        return true;
    case 'h':
        options->is_help = true;
        return true;
    default:
        return fail(options, "'%s' is not an option, or lacks its argument", word);
    }
}

bool bench_options_parse(bench_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"matrix", required_argument, NULL, 'm'},
        {"n", required_argument, NULL, 'n'},
        {"type", required_argument, NULL, 't'},
        {"semiring", required_argument, NULL, 's'},
        {"contender", required_argument, NULL, 'p'},
        {"reorder", no_argument, NULL, 'r'},
        {"cold", no_argument, NULL, 'c'},
        {"bits", required_argument, NULL, 'b'},
        {"quick", no_argument, NULL, 'q'},
        {"sweep", no_argument, NULL, 'w'},
        {"csv", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *options = (bench_options){0};
    bool is_understood = true;
    optind = 0; /* from the start, also when called again */
    opterr = 0;
    for (int option; is_understood && (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        is_understood = take_option(options, option, argv[optind - 1]);
    }
    if (is_understood && optind < argc) {
        is_understood = fail(options, "'%s' is not an option", argv[optind]);
    }
    fill_in(options);
    return is_understood;
}
