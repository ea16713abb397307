/* bfs.c: the demo program: how many steps from some vertices to all others.
 *
 * It uses GraphBLAS and nothing of torc: `torc run bfs` gives the same program the GPU. Apart from the lines
 * that begin with "time", two runs print the same bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bfs_algorithm.h"
#include "bfs_report.h"
#include "demo.h"
#include "graph_matrix.h"
#include "grb_try.h"
#include "vertex_table.h"

typedef struct program {
    bool has_parents, is_checked;
} program;

static void print_levels(torc_demo *demo, const torc_bfs_report *report)
{
    uint64_t reached = 0, pulled = 0;
    for (uint64_t level = 0; level < report->nlevels; level++) {
        reached += report->levels[level].frontier;
        pulled += report->levels[level].is_pulled;
    }
    if (!demo->is_json) {
        printf("levels     %llu after the sources, %llu of them pulled; %llu pairs reached\n",
            (unsigned long long)report->nlevels - 1, (unsigned long long)pulled, (unsigned long long)reached);
    }
}

/* Traversed edges per second, as Graph500 counts them. */
static void print_rate(torc_demo *demo, double edges, double seconds)
{
    double rate = edges / seconds, per_source = rate / (double)demo->count;
    if (demo->is_json) {
        torc_json_number(&demo->json, "edges_traversed", edges);
        torc_json_number(&demo->json, "teps", rate);
        torc_json_number(&demo->json, "teps_per_source", per_source);
    } else {
        printf("time and edges    %.3g edges followed, %.3g a second, %.3g a second and source\n", edges,
            rate, per_source);
    }
}

static GrB_Info solve(torc_demo *demo, void *context)
{
    const program *run = context;
    torc_bfs_report report = {0};
    GrB_Matrix A = NULL, AT = NULL, L = NULL, P = NULL;
    GrB_Index nedges;
    double edges;
    GrB_Info info;
    TRY(torc_graph_pattern(&A, &demo->graph, false));
    TRY(torc_graph_pattern(&AT, &demo->graph, true));
    TRY(GrB_Matrix_nvals(&nedges, A));
    torc_demo_begin(demo, nedges);
    TRY(torc_bfs(
        &L, run->has_parents ? &P : NULL, &report, A, AT, demo->sources, demo->count, &demo->progress));
    torc_progress_end(&demo->progress);
    print_levels(demo, &report);
    if (run->is_checked) {
        TRY(torc_bfs_check(demo, L, P));
    }
    const torc_vertex_column columns[] = {
        {"level", L, .is_by_row = true}, {"parent", P, .is_by_row = true, .is_vertex = true}};
    TRY(torc_bfs_print(demo, &report, L, P));
    TRY(torc_bfs_plot(demo, &report));
    TRY(torc_vertex_table(demo, columns, P ? 2 : 1));
    TRY(torc_bfs_count_edges(&edges, L, A));
    torc_demo_times(demo, "search", report.seconds_mxm, report.seconds_total, report.nlevels);
    print_rate(demo, edges, report.seconds_total);
    torc_demo_end(demo);
done:
    free(report.levels);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&AT);
    GrB_Matrix_free(&L);
    GrB_Matrix_free(&P);
    return info;
}

int main(int argc, char **argv)
{
    program run = {0};
    torc_demo demo = {.count_name = "sources",
        .wanted = 64,
        .most = 1024,
        .top = 16,
        .summary = "Breadth-first search from many sources at once, one GrB_mxm of dense x sparse a level."};
    const torc_option options[] = {
        {"parents", NULL, "also the ways: to one of the farthest vertices", .flag = &run.has_parents},
        {"check", NULL, "compare with a search with a queue", .flag = &run.is_checked}, {0}};
    return torc_demo_main(&demo, options, argc, argv, solve, &run);
}
