/* pagerank_report.c: two rankings side by side, shares in percent. */
#include "pagerank_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranking.h"

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        info = (call);                                                                                       \
        if (info != GrB_SUCCESS)                                                                             \
            goto done;                                                                                       \
    } while (0)

const char *torc_vertex_name(const torc_graph *graph, uint64_t v)
{
    static char number[24];
    if (graph->names) {
        return graph->names[v];
    }
    snprintf(number, sizeof number, "%llu", (unsigned long long)v + 1);
    return number;
}

enum { HIGH, OWN, COLUMNS };

static const char *const titles[COLUMNS] = {"matters most", "matters to it above all"};

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

static void table_fill(table *t, int top, uint64_t seed)
{
    uint64_t n = t->graph->nvertices;
    for (uint64_t v = 0; v < n; v++) {
        double part = t->score[v] > 0 ? t->score[v] / t->sum[v] : 0;
        t->weight[v] = t->score[v] * part * part;
    }
    t->count[HIGH] = torc_ranking_top(t->ranks[HIGH], top, t->score, n, seed);
    t->count[OWN] = torc_ranking_top(t->ranks[OWN], top, t->weight, n, seed);
    for (int c = 0; c < COLUMNS; c++) {
        t->width[c] = (int)strlen(titles[c]);
        for (int i = 0; i < t->count[c]; i++) {
            int length = (int)strlen(torc_vertex_name(t->graph, t->ranks[c][i].vertex));
            t->width[c] = length > t->width[c] ? length : t->width[c];
        }
    }
}

static void table_print(const table *t)
{
    if (t->count[HIGH] == 0) {
        printf("    nothing but itself\n");
        return;
    }
    for (int c = 0; c < COLUMNS; c++) {
        printf("    %-*s %8s", t->width[c], titles[c], "share");
    }
    printf("\n");
    for (int i = 0; i < t->count[HIGH]; i++) {
        for (int c = 0; c < COLUMNS && i < t->count[c]; c++) {
            uint64_t v = t->ranks[c][i].vertex;
            double percent = (double)torc_ranking_round(t->score[v]) * 1e-7;
            printf("    %-*s %7.3f%%", t->width[c], torc_vertex_name(t->graph, v), percent);
        }
        printf("\n");
    }
}

GrB_Info torc_pagerank_print(
    GrB_Matrix R, const torc_graph *graph, const uint64_t *seeds, uint64_t K, uint64_t shown, int top)
{
    table t = {.graph = graph};
    GrB_Vector column = NULL, sums = NULL;
    GrB_Index n = graph->nvertices, length = n;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!table_allocate(&t, n, top)) {
        goto done;
    }
    TRY(GrB_Vector_new(&column, GrB_FP64, n));
    TRY(GrB_Vector_new(&sums, GrB_FP64, n));
    TRY(GrB_Matrix_reduce_Monoid(sums, NULL, NULL, GrB_PLUS_MONOID_FP64, R, NULL));
    TRY(GrB_Vector_extractTuples_FP64(NULL, t.sum, &length, sums));
    for (uint64_t j = 0; j < K && j < shown; j++) {
        TRY(GrB_Col_extract(column, NULL, NULL, R, GrB_ALL, n, j, NULL));
        TRY(GrB_Vector_extractTuples_FP64(NULL, t.score, &length, column));
        table_fill(&t, top, seeds[j]);
        printf("\n%s\n", torc_vertex_name(graph, seeds[j]));
        table_print(&t);
    }
done:
    GrB_Vector_free(&column);
    GrB_Vector_free(&sums);
    table_release(&t);
    return info;
}
