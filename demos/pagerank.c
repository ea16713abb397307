/* pagerank.c: the demo program: options, a graph, torc_pagerank, the report.
 *
 * It uses GraphBLAS and nothing of torc: `torc run pagerank` gives the same program the GPU. Apart from the
 * lines that begin with "time", two runs print the same bytes.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"
#include "graph_matrix.h"
#include "grb_try.h"
#include "pagerank_algorithm.h"
#include "pagerank_report.h"
#include "vertex_table.h"

typedef struct program {
    double damping, tolerance;
    long steps;
} program;

static void print_steps(torc_demo *demo, const torc_pagerank_report *report)
{
    if (demo->is_json) {
        torc_json_number(&demo->json, "steps", report->steps);
        torc_json_number(&demo->json, "residual", report->residual);
    } else {
        printf("steps      %d, the last one changed no column by more than %.1e\n", report->steps,
            report->residual);
    }
}

static GrB_Info solve(torc_demo *demo, void *context)
{
    const program *run = context;
    torc_pagerank_options options = {.damping = run->damping,
        .tolerance = run->tolerance,
        .max_steps = (int)run->steps,
        .progress = &demo->progress};
    torc_pagerank_report report;
    GrB_Matrix AT = NULL, R = NULL;
    GrB_Index nedges;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    options.residuals = malloc((size_t)options.max_steps * sizeof *options.residuals);
    if (!options.residuals) {
        goto done;
    }
    TRY(torc_graph_pattern(&AT, &demo->graph, true));
    TRY(GrB_Matrix_nvals(&nedges, AT));
    torc_demo_begin(demo, nedges);
    TRY(torc_pagerank(&R, &report, AT, demo->sources, demo->has_no_sources ? 1 : demo->count, &options));
    torc_progress_end(&demo->progress);
    print_steps(demo, &report);
    TRY(torc_pagerank_print(R, demo));
    TRY(torc_vertex_table(demo, &(torc_vertex_column){"share", R}, 1));
    TRY(torc_pagerank_plot(R, demo, options.residuals, report.steps));
    torc_demo_times(demo, "PageRank", report.seconds_mxm, report.seconds_total, (uint64_t)report.steps);
    torc_demo_end(demo);
done:
    free(options.residuals);
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&R);
    return info;
}

int main(int argc, char **argv)
{
    program run = {.damping = 0.85, .tolerance = 1e-6, .steps = 100};
    torc_demo demo = {.count_name = "seeds",
        .wanted = 64,
        .most = 1 << 20,
        .top = 8,
        .bytes_each = 2 * sizeof(double), /* before a step, and after it */
        .summary = "Personalised PageRank of many seeds at once, one GrB_mxm of sparse x dense a step."};
    const torc_option options[] = {
        {"plain", NULL, "PageRank without seeds: what matters to all", .flag = &demo.has_no_sources},
        {"damping", "D", "how likely the walker goes on", .real = &run.damping, .least = 0.01, .most = 0.999},
        {"steps", "N", "most steps", .integer = &run.steps, .least = 1, .most = 1000000},
        {"tolerance", "X", "stop when no column changes by more in the 1-norm", .real = &run.tolerance,
            .least = DBL_MIN, .most = 2},
        {0}};
    return torc_demo_main(&demo, options, argc, argv, solve, &run);
}
