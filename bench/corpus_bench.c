/* corpus_bench.c: torc-bench-corpus: how good selection is on matrices that nobody fitted anything to. */
#include "bench_facts.h"
#include "bench_provenance.h"
#include "bench_random.h"
#include "bench_require.h"
#include "clock_now.h"
#include "context.h"
#include "corpus_case.h"
#include "corpus_executor.h"
#include "corpus_matrix.h"
#include "corpus_queue.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: torc-bench-corpus [OPTION...]\n"
    "Random matrices of many families times random numbers of columns, in fp32 and fp64: every kernel of\n"
    "torc's that may be the fastest, as CSV, which torc-fit reads.\n"
    "  --csv FILE        write there instead of to standard output, product by product\n"
    "  --limit SECONDS   stop then, counted from the start; default 120\n"
    "  --matrices COUNT  stop after so many; default 100000\n"
    "  --entries MOST    of a matrix, about; default 60000000\n"
    "  --seed FIRST      of the first matrix, which is in its name; default 1\n"
    "  --families LIST   draw from these only, in this order; default: all\n"
    "  --rivals          time cuSPARSE's algorithms too\n"
    "  --help            print this\n";

typedef struct settings {
    const char *csv;
    double limit, entries;
    int64_t matrices, seed;
    corpus_families families;
    bool has_rivals, is_help;
} settings;

static void print_usage(FILE *to)
{
    fputs(usage, to);
    fputs("families:", to);
    for (int family = 0; family < CORPUS_FAMILIES; family++) {
        fprintf(to, "%s %s", family > 0 ? "," : "", corpus_family_name(family));
    }
    fputs("\n", to);
}

static bool parse_number(double *number, const char *text, double least, double most)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && *number >= least && *number <= most;
}

static bool parse_option(settings *s, int option)
{
    enum { MOST_ENTRIES = 1000000000, MOST_MATRICES = 100000000 };
    double number = 0;
    bool is_good = true;
    if (option == 'c') {
        s->csv = optarg;
    } else if (option == 'f') {
        is_good = corpus_families_parse(&s->families, optarg);
    } else if (option == 'h') {
        s->is_help = true;
    } else if (option == 'r') {
        s->has_rivals = true;
    } else if (option == 'l') {
        is_good = parse_number(&s->limit, optarg, 0, 1e6);
    } else if (option == 'e') {
        is_good = parse_number(&s->entries, optarg, CORPUS_LEAST_ENTRIES, MOST_ENTRIES);
    } else if (option == 'm') {
        is_good = parse_number(&number, optarg, 1, MOST_MATRICES);
        s->matrices = (int64_t)number;
    } else if (option == 's') {
        is_good = parse_number(&number, optarg, 0, 1e15);
        s->seed = (int64_t)number;
    } else {
        is_good = false;
    }
    return is_good;
}

static bool parse_settings(settings *s, int argc, char **argv)
{
    static const struct option names[] = {
        {"csv", required_argument, NULL, 'c'},
        {"limit", required_argument, NULL, 'l'},
        {"matrices", required_argument, NULL, 'm'},
        {"entries", required_argument, NULL, 'e'},
        {"seed", required_argument, NULL, 's'},
        {"families", required_argument, NULL, 'f'},
        {"rivals", no_argument, NULL, 'r'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *s = (settings){
        .limit = 120, .entries = 6e7, .matrices = 100000, .seed = 1, .families = corpus_families_all()};
    bool is_good = true;
    for (int option; is_good && (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        is_good = parse_option(s, option);
    }
    return is_good && optind == argc;
}

static void print_provenance(FILE *csv, const torc_context *context, const torc_device_info *info)
{
    bench_provenance p = bench_provenance_now();
    const torc_device_facts *f = &context->facts;
    fprintf(csv, "# device: %s, %d multiprocessors; date: %s; commit: %s\n", info->name, f->multiprocessors,
        p.date, p.commit);
    bench_facts_write(csv, f);
}

int main(int argc, char **argv)
{
    settings s;
    double start = torc_now();
    if (!parse_settings(&s, argc, argv)) {
        print_usage(stderr);
        return 2;
    }
    if (s.is_help) {
        print_usage(stdout);
        return 0;
    }
    FILE *csv = s.csv ? fopen(s.csv, "w") : stdout;
    bench_require(csv, s.csv, "cannot be written");
    torc_options options;
    torc_options_from_environment(&options);
    corpus_compile_ahead(&options, corpus_widths, corpus_nwidths);
    double compiled = torc_now();
    corpus_operands operands = {.has_rivals = s.has_rivals};
    torc_device_info info;
    torc_status status = torc_context_create(&operands.context, &options);
    bench_require(status == TORC_SUCCESS, "device", torc_status_text(status));
    status = torc_context_info(&info, operands.context);
    bench_require(status == TORC_SUCCESS, "device", torc_status_text(status));
    print_provenance(csv, operands.context, &info);
    fputs(corpus_csv_header, csv);
    corpus_queue *queue = corpus_queue_open(&s.families, (uint64_t)s.seed, s.entries);
    int64_t done = 0;
    double waited = 0;
    for (; done < s.matrices && torc_now() - start < s.limit; done++) {
        double asked = torc_now();
        bench_matrix A = corpus_queue_next(queue);
        waited += torc_now() - asked;
        uint64_t draws = bench_mix((uint64_t)(s.seed + done) * 2 + 1);
        corpus_case_run(csv, &operands, &A, draws, start + s.limit);
        bench_matrix_free(&A);
    }
    bench_require(fclose(csv) == 0, "the results", "could not be written to the end");
    fprintf(stderr, "torc-bench-corpus: %lld matrices in %.1f s: %.1f compiling, %.1f waiting for matrices\n",
        (long long)done, torc_now() - start, compiled - start, waited);
    corpus_queue_close(queue);
    corpus_operands_free(&operands);
    torc_context_destroy(operands.context);
    return 0;
}
