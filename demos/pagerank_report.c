/* pagerank_report.c: two rankings side by side, shares in percent. */
#include "pagerank_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grb_try.h"
#include "ranking.h"

enum { HIGH, OWN, COLUMNS };

static const char *const titles[COLUMNS] = {"matters most", "matters to it above all"};
static const char *const keys[COLUMNS] = {"highest", "own"};
static const char *const values[COLUMNS] = {"share", "score"}; /* that a column is ordered by */

typedef struct table {
    const torc_graph *graph;
    double *score, *weight, *sum; /* a column of R; what OWN orders by; the sum of the columns */
    torc_rank *ranks[COLUMNS];
    int count[COLUMNS], width[COLUMNS];
} table;

static bool table_allocate(table *t, uint64_t n, int top)
{
    t->score = malloc(n * sizeof *t->score);
    t->weight = malloc(n * sizeof *t->weight);
    t->sum = malloc(n * sizeof *t->sum);
    for (int c = 0; c < COLUMNS; c++) {
        t->ranks[c] = calloc((size_t)top, sizeof *t->ranks[c]);
    }
    return t->score && t->weight && t->sum && t->ranks[HIGH] && t->ranks[OWN];
}

static void table_release(table *t)
{
    free(t->score);
    free(t->weight);
    free(t->sum);
    for (int c = 0; c < COLUMNS; c++) {
        free(t->ranks[c]);
    }
}

/* seed: the vertex that is left out, or n */
static void table_fill(table *t, int top, uint64_t seed)
{
    uint64_t n = t->graph->nvertices;
    char number[TORC_VERTEX_NUMBER];
    for (uint64_t v = 0; v < n; v++) {
        double part = t->score[v] > 0 ? t->score[v] / t->sum[v] : 0;
        t->weight[v] = t->score[v] * part * part;
    }
    t->count[HIGH] = torc_ranking_top(t->ranks[HIGH], top, t->score, n, seed);
    t->count[OWN] = torc_ranking_top(t->ranks[OWN], top, t->weight, n, seed);
    for (int c = 0; c < COLUMNS; c++) {
        t->width[c] = (int)strlen(titles[c]);
        for (int i = 0; i < t->count[c]; i++) {
            int length = (int)strlen(torc_graph_name(t->graph, t->ranks[c][i].vertex, number));
            t->width[c] = length > t->width[c] ? length : t->width[c];
        }
    }
}

static void table_print(const table *t, int columns)
{
    char number[TORC_VERTEX_NUMBER];
    if (t->count[HIGH] == 0) {
        printf("    nothing but itself\n");
        return;
    }
    for (int c = 0; c < columns; c++) {
        printf("    %-*s %8s", t->width[c], titles[c], values[c]);
    }
    printf("\n");
    for (int i = 0; i < t->count[HIGH]; i++) {
        for (int c = 0; c < columns && i < t->count[c]; c++) {
            uint64_t v = t->ranks[c][i].vertex;
            double percent = (double)t->ranks[c][i].score * 1e-7;
            printf("    %-*s %7.3f%%", t->width[c], torc_graph_name(t->graph, v, number), percent);
        }
        printf("\n");
    }
}

static void table_to_json(const table *t, int columns, torc_json *json)
{
    char number[TORC_VERTEX_NUMBER];
    for (int c = 0; c < columns; c++) {
        torc_json_open(json, keys[c], '[');
        for (int i = 0; i < t->count[c]; i++) {
            uint64_t v = t->ranks[c][i].vertex;
            torc_json_open(json, NULL, '{');
            torc_json_string(json, "vertex", torc_graph_name(t->graph, v, number));
            torc_json_number(json, "share", (double)torc_ranking_round(t->score[v]) * 1e-9);
            if (c == OWN) {
                torc_json_number(json, values[OWN], (double)t->ranks[OWN][i].score * 1e-9);
            }
            torc_json_close(json, '}');
        }
        torc_json_close(json, ']');
    }
}

/* One table: of seed j, or without seeds of the only column. */
static void report_column(table *t, torc_demo *demo, uint64_t j)
{
    char number[TORC_VERTEX_NUMBER];
    bool has_seeds = demo->count > 0;
    int columns = has_seeds ? COLUMNS : 1;
    const char *name = has_seeds ? torc_graph_name(t->graph, demo->sources[j], number) : "everywhere";
    table_fill(t, (int)demo->top, has_seeds ? demo->sources[j] : t->graph->nvertices);
    if (demo->is_json) {
        torc_json_open(&demo->json, NULL, '{');
        torc_json_string(&demo->json, "seed", name);
        table_to_json(t, columns, &demo->json);
        torc_json_close(&demo->json, '}');
    } else {
        printf("\n%s\n", name);
        table_print(t, columns);
    }
}

/* sum[v] = Σ R(v,:) */
static GrB_Info sum_rows(double *sum, GrB_Matrix R, GrB_Index n)
{
    GrB_Vector sums = NULL;
    GrB_Index length = n;
    GrB_Info info;
    TRY(GrB_Vector_new(&sums, GrB_FP64, n));
    TRY(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_FP64, R, NULL));
    TRY(GrB_Vector_extractTuples_FP64(NULL, sum, &length, sums));
done:
    GrB_Vector_free(&sums);
    return info;
}

GrB_Info torc_pagerank_print(GrB_Matrix R, torc_demo *demo)
{
    table t = {.graph = &demo->graph};
    GrB_Vector column = NULL;
    GrB_Index n = demo->graph.nvertices, length = n, K;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!table_allocate(&t, n, (int)demo->top)) {
        goto done;
    }
    TRY(GrB_Vector_new(&column, GrB_FP64, n));
    TRY(sum_rows(t.sum, R, n));
    TRY(GrB_Matrix_ncols(&K, R));
    if (demo->is_json) {
        torc_json_open(&demo->json, "results", '[');
    }
    for (uint64_t j = 0; j < K && (j < TORC_SHOWN_SOURCES || demo->is_json); j++) {
        TRY(GrB_Col_extract(column, NULL, NULL, R, GrB_ALL, n, j, NULL));
        TRY(GrB_Vector_extractTuples_FP64(NULL, t.score, &length, column));
        report_column(&t, demo, j);
    }
    if (demo->is_json) {
        torc_json_close(&demo->json, ']');
    }
done:
    GrB_Vector_free(&column);
    table_release(&t);
    return info;
}

static int descending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

GrB_Info torc_pagerank_plot(GrB_Matrix R, torc_demo *demo, const double *residuals, int steps)
{
    GrB_Index n = demo->graph.nvertices;
    if (!demo->plot) {
        return GrB_SUCCESS;
    }
    double *share = malloc(n * sizeof *share), *rank = malloc(n * sizeof *rank);
    double *number = malloc((size_t)steps * sizeof *number);
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!share || !rank || !number) {
        goto done;
    }
    for (int s = 0; s < steps; s++) {
        number[s] = s + 1;
    }
    TRY(sum_rows(share, R, n));
    qsort(share, n, sizeof *share, descending);
    int points = 0;
    for (uint64_t v = 0; v < n; v += 1 + v / 64) { /* as dense as a logarithmic axis can show */
        share[points] = share[v];
        rank[points++] = (double)v + 1;
    }
    torc_plot plots[] = {{.title = "Convergence",
                             .x_title = "step",
                             .y_title = "residual",
                             .x = number,
                             .y = residuals,
                             .count = steps,
                             .is_y_log = true},
        {.title = "Rank distribution",
            .x_title = "rank of the vertex",
            .y_title = "share, all columns",
            .x = rank,
            .y = share,
            .count = points,
            .is_x_log = true,
            .is_y_log = true}};
    torc_demo_plot(demo, plots, 2);
done:
    free(share);
    free(rank);
    free(number);
    return info;
}
