/* paths.c: the demo program: best paths from many sources, for six meanings of best, each a semiring, or for
 * one that the user gives as text.
 *
 * It uses GraphBLAS and nothing of torc: `torc run paths` gives the same program the GPU. Apart from the
 * lines that begin with "time", two runs print the same bytes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"
#include "graph_matrix.h"
#include "grb_try.h"
#include "paths_algorithm.h"
#include "paths_report.h"
#include "sources.h"
#include "user_algebra.h"
#include "way_print.h"

enum { MOST_ALL_PAIRS = 8192 }; /* vertices: X then takes 512 MiB */

typedef struct program {
    const char *problem, *semiring, *to;
    long random; /* the seed of weights that are drawn, 0: each edge weighs 1 */
    bool has_random_weights, is_all_pairs, is_checked;
    uint64_t *targets, ntargets; /* of `to`, or NULL */
} program;

static bool take_all_sources(torc_demo *demo)
{
    uint64_t n = demo->graph.nvertices;
    if (n > MOST_ALL_PAIRS) {
        torc_demo_fail(demo, "all pairs of %llu vertices are too many: at most %d vertices",
            (unsigned long long)n, MOST_ALL_PAIRS);
        return false;
    }
    free(demo->sources);
    demo->count = n;
    demo->sources = malloc(n * sizeof *demo->sources);
    for (uint64_t v = 0; demo->sources && v < n; v++) {
        demo->sources[v] = v;
    }
    if (!demo->sources) {
        torc_demo_fail(demo, "not enough memory");
    }
    return demo->sources != NULL;
}

static void print_problem(torc_demo *demo, const program *run, const torc_paths_problem *problem)
{
    const torc_algebra *algebra = problem->algebra;
    if (demo->is_json) {
        torc_json_string(&demo->json, "problem", algebra->name);
        torc_json_string(&demo->json, "semiring", algebra->semiring_name);
        return;
    }
    printf("problem    %s, %s", algebra->name, algebra->semiring_name);
    if (algebra->has_weights && demo->graph.has_weights) {
        printf(", weights of the file\n");
    } else if (algebra->has_weights && run->random > 0) {
        printf(", weights drawn with seed %ld\n", run->random);
    } else if (algebra->has_weights) {
        printf(", weight 1 for every edge; --random-weights draws others\n");
    } else {
        printf(", all edges alike\n");
    }
}

static void print_rounds(torc_demo *demo, const torc_paths_report *report)
{
    if (!demo->is_json) {
        printf("rounds     %llu, the last one changed nothing\n", (unsigned long long)report->rounds);
        return;
    }
    torc_json_open(&demo->json, "changed", '[');
    for (uint64_t r = 0; r < report->rounds; r++) {
        torc_json_number(&demo->json, NULL, (double)report->changed[r]);
    }
    torc_json_close(&demo->json, ']');
}

/* Σ of the weights around the cycle, of edges listed twice the better one */
static double cycle_weight(const torc_paths_report *report, const torc_paths_problem *problem)
{
    const torc_graph *graph = problem->graph;
    const torc_algebra *algebra = problem->algebra;
    const double *weights = problem->weight;
    double sum = 0;
    for (uint64_t i = 0; i < report->length; i++) {
        uint64_t u = report->cycle[(i + 1) % report->length], v = report->cycle[i];
        double weight = *(const double *)algebra->nothing;
        for (uint64_t e = 0; e < graph->nedges; e++) {
            if (graph->source[e] == u && graph->target[e] == v && algebra->is_better(&weights[e], &weight)) {
                weight = weights[e];
            }
        }
        sum += weight;
    }
    return sum;
}

static void print_cycle(torc_demo *demo, const torc_paths_report *report, const torc_paths_problem *problem)
{
    const torc_algebra *algebra = problem->algebra;
    char number[TORC_VERTEX_NUMBER];
    double sum = algebra->type ? NAN : cycle_weight(report, problem);
    if (demo->is_json) {
        torc_json_open(&demo->json, "cycle", '{');
        torc_json_number(&demo->json, "weight", sum);
        torc_way_to_json(&demo->json, problem->graph, report->cycle, report->length);
        torc_json_close(&demo->json, '}');
    } else {
        printf("cycle      ");
        torc_way_print(problem->graph, report->cycle, report->length);
        printf(" -> %s\n", torc_graph_name(problem->graph, report->cycle[report->length - 1], number));
    }
    if (algebra->type) {
        torc_demo_fail(demo, "no best paths: a cycle, of %llu edges, makes them better each time round",
            (unsigned long long)report->length);
    } else {
        torc_demo_fail(demo, "no %s paths: a %s cycle, of %llu edges with weights that sum to %g",
            algebra->name, sum < 0 ? "negative" : "positive", (unsigned long long)report->length, sum);
    }
}

static GrB_Info print_result(torc_demo *demo, const program *run, const torc_paths_problem *problem,
    GrB_Matrix X, const torc_paths_report *report)
{
    GrB_Info info = GrB_SUCCESS;
    print_rounds(demo, report);
    if (run->is_checked) {
        TRY(torc_paths_check(demo, X, problem));
    }
    if (run->is_all_pairs && !run->targets && !demo->is_json && demo->count <= TORC_MOST_PRINTED) {
        TRY(torc_paths_print_all(X, problem));
    } else {
        TRY(torc_paths_print(demo, X, problem, run->targets, run->ntargets));
    }
    TRY(torc_paths_table(demo, X, problem));
done:
    return info;
}

/* NULL where the demo has failed. */
static const torc_algebra *find_algebra(torc_demo *demo, const program *run, torc_user_algebra *user)
{
    char error[TORC_ALGEBRA_ERROR];
    const char *name = run->problem ? run->problem : "shortest";
    const torc_algebra *algebra = run->semiring ? &user->algebra : torc_algebra_find(name);
    if (run->semiring && run->problem) {
        torc_demo_fail(demo, "--problem or --semiring, please");
        return NULL;
    }
    if (run->semiring && !torc_user_algebra_open(user, run->semiring, error)) {
        torc_demo_fail(demo, "--semiring: %s", error);
        return NULL;
    }
    if (!algebra) {
        torc_demo_fail(demo, "%s: the problem is none of %s", name, torc_algebra_names());
    }
    return algebra;
}

static GrB_Info solve(torc_demo *demo, void *context)
{
    program *run = context;
    torc_user_algebra user = {.library = NULL};
    torc_paths_problem problem = {.algebra = find_algebra(demo, run, &user), .graph = &demo->graph};
    torc_paths_report report = {0};
    GrB_Matrix AT = NULL, X = NULL;
    GrB_Index nedges;
    void *weight = NULL;
    GrB_Info info = GrB_SUCCESS;
    if (!problem.algebra) {
        goto done;
    }
    if (run->is_all_pairs && !take_all_sources(demo)) {
        goto done;
    }
    if (run->to && !torc_sources_find(&run->targets, &run->ntargets, &demo->graph, run->to)) {
        torc_demo_fail(demo, "%s", demo->graph.error);
        goto done;
    }
    /* A generated graph has weights that are generated. */
    if (run->random == 0 && (run->has_random_weights || demo->rmat_scale > 0 || demo->grid_side > 0)) {
        run->random = 1;
    }
    weight = torc_algebra_weights(problem.algebra, &demo->graph, (uint64_t)run->random);
    if (!weight) {
        torc_demo_fail(demo, "%s", demo->graph.error);
        goto done;
    }
    problem.weight = weight;
    problem.sources = demo->sources;
    problem.K = demo->count;
    TRY(problem.algebra->has_weights
            ? torc_graph_weights(&AT, &demo->graph, torc_algebra_type(problem.algebra), weight,
                  torc_algebra_add(problem.algebra))
            : torc_graph_pattern(&AT, &demo->graph, true));
    TRY(GrB_Matrix_nvals(&nedges, AT));
    torc_demo_begin(demo, nedges);
    print_problem(demo, run, &problem);
    TRY(torc_paths(&X, &report, AT, &problem, &demo->progress));
    torc_progress_end(&demo->progress);
    if (report.cycle) {
        print_cycle(demo, &report, &problem);
    } else {
        TRY(print_result(demo, run, &problem, X, &report));
    }
    TRY(torc_paths_plot(demo, &report));
    torc_demo_times(demo, "search", report.seconds_mxm, report.seconds_total, report.rounds);
    torc_demo_end(demo);
done:
    torc_paths_release(&report);
    free(run->targets);
    free(weight);
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&X);
    torc_user_algebra_release(&user);
    return info;
}

static const char semiring_help[] =
    "\nA semiring is seven parts, each C between braces: members of a struct, z of an edge of weight w, "
    "whether x is\n"
    "better than y, z of path x and then y, the path that goes nowhere, no path, arguments of printf:\n"
    "  --semiring 'type     { double cost; int64_t hops; }\n"
    "              edge     { z.cost = w; z.hops = 1; }\n"
    "              better   { x.cost < y.cost || (x.cost == y.cost && x.hops < y.hops) }\n"
    "              multiply { z.cost = x.cost + y.cost; z.hops = x.hops + y.hops; }\n"
    "              source   { 0, 0 }\n"
    "              nothing  { INFINITY, 0 }\n"
    "              show     { \"%g in %lld\", x.cost, (long long)x.hops }'\n";

int main(int argc, char **argv)
{
    program run = {0};
    torc_demo demo = {.count_name = "sources",
        .wanted = 16,
        .most = 1024,
        .top = 8,
        .bytes_each = sizeof(double),
        .summary = "Best paths from many sources at once, one GrB_mxm of sparse x dense a round.",
        .more_help = semiring_help};
    const torc_option options[] = {
        {"problem", "P", "shortest, widest, reliable, longest, reach or count; shortest if none is given",
            .text = &run.problem},
        {"semiring", "TEXT", "best by a semiring of your own: the text, or a file that holds it",
            .text = &run.semiring},
        {"to", "A,B,...", "show the paths to these", .text = &run.to},
        {"all-pairs", NULL, "from every vertex, on graphs of at most 8192", .flag = &run.is_all_pairs},
        {"random-weights", NULL, "draw the weights of a graph that has none, instead of 1 for every edge",
            .flag = &run.has_random_weights},
        {"weights", "SEED", "the same, and by this seed; it is 1 else", .integer = &run.random, .least = 0,
            .most = 1e9},
        {"check", NULL, "compare with Dijkstra's algorithm, or one that applies", .flag = &run.is_checked},
        {0}};
    return torc_demo_main(&demo, options, argc, argv, solve, &run);
}
