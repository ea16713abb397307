/* programs_bench.c: torc-bench-programs: one program on one graph, several times over in one process, and a
 * line of CSV on it. The first run is what a user waits for; the later ones show what is left once all is
 * warm. Nothing here knows torc: bench/programs runs it alone and under `torc run` and compares.
 */
#include "bench_graphblas.h"
#include "clock_now.h"
#include "graph_program.h"
#include "matrix_generators.h"
#include "option_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SCALE = 8, MOST_SCALE = 26 }; /* a page of the web has up to 250 links */

typedef struct options {
    const char *program, *graph;
    long scale, repeat, most_steps;
    bool is_list;
} options;

typedef struct measurement {
    double whole, settled,
        read; /* seconds: the first run; the fastest later one; reading that one's answer */
    int steps;
    bench_checksum checksum;
} measurement;

static bench_matrix make_graph(const char *name, long scale)
{
    int64_t n = INT64_C(1) << scale;
    if (strcmp(name, "rmat") == 0) {
        return bench_make_rmat((int)scale, true);
    }
    if (strcmp(name, "road") == 0) {
        return bench_make_road((int64_t)sqrt((double)n));
    }
    bench_require(strcmp(name, "web") == 0, name, "no such graph: rmat, road, web");
    return bench_make_web(n);
}

/* Every run must leave the same answer. */
static void compare(const bench_checksum *first, const bench_checksum *later)
{
    bench_require(first->exact == later->exact, "a later run", "another answer than the first one's");
    bench_require(fabs(first->sum - later->sum) <= first->bound, "a later run", "sums out of bounds");
}

static measurement measure(const bench_program *program, const bench_input *input, long repeat)
{
    measurement m = {.settled = INFINITY};
    for (long run = 0; run < repeat; run++) {
        bench_answer answer = {.steps = 0};
        double begin = torc_now();
        program->run(&answer, input, program->batch);
        double seconds = torc_now() - begin;
        begin = torc_now();
        bench_checksum checksum = bench_answer_checksum(&answer);
        double read = torc_now() - begin;
        if (run == 0) {
            m = (measurement){seconds, INFINITY, read, answer.steps, checksum};
        } else {
            compare(&m.checksum, &checksum);
            if (seconds < m.settled) {
                m.settled = seconds;
                m.read = read;
            }
        }
        bench_answer_free(&answer);
    }
    return m;
}

static void list_programs(void)
{
    for (const bench_program *program = bench_programs; program->name; program++) {
        printf("%s\n", program->name);
    }
}

static void run(const options *chosen)
{
    const bench_program *program = bench_program_find(chosen->program);
    bench_require(program, chosen->program, "no such program: see --list");
    TRY(GrB_init(GrB_NONBLOCKING)); /* first, as LAGraph's programs and python-graphblas do */
    bench_matrix graph = make_graph(chosen->graph, chosen->scale);
    long long n = graph.nrows, nedges = graph.nnz;
    bench_input input = bench_input_make(&graph, program->needs, (int)chosen->most_steps);
    bench_matrix_free(&graph);
    measurement m = measure(program, &input, chosen->repeat);
    bench_input_free(&input);
    TRY(GrB_finalize());
    printf("program,graph,scale,vertices,edges,steps,whole_s,settled_s,read_s,exact,sum,bound\n");
    printf("%s,%s,%ld,%lld,%lld,%d,%.6f,%.6f,%.6f,%016" PRIx64 ",%.17g,%.3g\n", program->name, chosen->graph,
        chosen->scale, n, nedges, m.steps, m.whole, m.settled, m.read, m.checksum.exact, m.checksum.sum,
        m.checksum.bound);
}

int main(int argc, char **argv)
{
    options chosen = {.program = "pagerank-64", .graph = "rmat", .scale = 20, .repeat = 3, .most_steps = 100};
    static const torc_option none[] = {{0}};
    const torc_option table[] = {
        {"program", "NAME", "which one; pagerank-64 unless told", .text = &chosen.program},
        {"graph", "NAME", "rmat, road or web; rmat unless told", .text = &chosen.graph},
        {"scale", "S", "2^S vertices", .integer = &chosen.scale, .least = 2, .most = MOST_SCALE},
        {"repeat", "R", "runs in this process", .integer = &chosen.repeat, .least = 2, .most = 1000},
        {"most-steps", "N", "searches and rounds end there", .integer = &chosen.most_steps, .least = 2,
            .most = 1 << 20},
        {"list", NULL, "print the programs' names", .flag = &chosen.is_list}, {0}};
    int first = torc_options_parse(table, none, argc, argv);
    if (first == TORC_OPTIONS_VERSION) {
        torc_options_print_version();
        return EXIT_SUCCESS;
    }
    if (first == TORC_OPTIONS_HELP) {
        printf("usage: torc-bench-programs [OPTIONS]\nA graph program on GraphBLAS, timed whole and "
               "settled.\n\n");
        torc_options_print(table);
        return EXIT_SUCCESS;
    }
    if (first != argc) {
        fprintf(stderr, "torc-bench-programs: see --help\n");
        return 2;
    }
    if (chosen.is_list) {
        list_programs();
    } else {
        run(&chosen);
    }
    return EXIT_SUCCESS;
}
