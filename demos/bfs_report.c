/* bfs_report.c: one row of L and P at a time, as plain arrays. */
#include "bfs_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bfs_queue.h"
#include "grb_try.h"
#include "way_print.h"

enum { COLUMNS = 10 }; /* levels with a column of their own */

typedef struct row {
    GrB_Index n;
    GrB_Vector vector, parents;
    GrB_Index *index;
    int32_t *level, *values; /* level[v] of every vertex; values as they come from GraphBLAS */
    int64_t *parent, *vertices;
    uint64_t reached, farthest;
} row;

static GrB_Info row_allocate(row *r, GrB_Index n, bool has_parents)
{
    GrB_Info info;
    *r = (row){.n = n};
    r->index = malloc(n * sizeof *r->index);
    r->level = malloc(n * sizeof *r->level);
    r->values = malloc(n * sizeof *r->values);
    r->parent = has_parents ? malloc(n * sizeof *r->parent) : NULL;
    r->vertices = has_parents ? malloc(n * sizeof *r->vertices) : NULL;
    if (!r->index || !r->level || !r->values || (has_parents && (!r->parent || !r->vertices))) {
        return GrB_OUT_OF_MEMORY;
    }
    TRY(GrB_Vector_new(&r->vector, GrB_INT32, n));
    TRY(GrB_Vector_new(&r->parents, GrB_INT64, n));
done:
    return info;
}

static void row_release(row *r)
{
    GrB_Vector_free(&r->vector);
    GrB_Vector_free(&r->parents);
    free(r->index);
    free(r->level);
    free(r->values);
    free(r->parent);
    free(r->vertices);
}

static GrB_Info row_read(row *r, GrB_Matrix L, GrB_Matrix P, GrB_Index s)
{
    GrB_Index count = r->n;
    GrB_Info info;
    TRY(GrB_Col_extract(r->vector, NULL, NULL, L, GrB_ALL, r->n, s, GrB_DESC_T0));
    TRY(GrB_Vector_extractTuples_INT32(r->index, r->values, &count, r->vector));
    for (GrB_Index v = 0; v < r->n; v++) {
        r->level[v] = TORC_NOT_REACHED;
    }
    r->reached = count;
    r->farthest = 0;
    for (GrB_Index i = 0; i < count; i++) {
        r->level[r->index[i]] = r->values[i];
        r->farthest = (uint64_t)r->values[i] > r->farthest ? (uint64_t)r->values[i] : r->farthest;
    }
    if (P) {
        count = r->n;
        memset(r->parent, 0xff, r->n * sizeof *r->parent);
        TRY(GrB_Col_extract(r->parents, NULL, NULL, P, GrB_ALL, r->n, s, GrB_DESC_T0));
        TRY(GrB_Vector_extractTuples_INT64(r->index, r->vertices, &count, r->parents));
        for (GrB_Index i = 0; i < count; i++) {
            r->parent[r->index[i]] = r->vertices[i];
        }
    }
done:
    return info;
}

/* The way to the first of the farthest vertices, into `way`, room for farthest + 1; returns its length. */
static uint64_t row_way(const row *r, uint64_t *way)
{
    uint64_t v = 0, length = 0;
    while (r->level[v] != (int32_t)r->farthest) {
        v++;
    }
    way[length++] = v;
    while (length <= r->farthest) {
        way[length] = (uint64_t)r->parent[way[length - 1]];
        length++;
    }
    return length;
}

static void print_head(int width, uint64_t nlevels)
{
    printf("\n%-*s", width, "steps from");
    for (uint64_t level = 1; level < nlevels && level <= COLUMNS; level++) {
        printf(" %7llu", (unsigned long long)level);
    }
    printf("%s   reached  farthest\n", nlevels > COLUMNS + 1 ? "    more" : "");
}

static void print_row(const torc_demo *demo, const row *r, const char *name, int width, uint64_t nlevels)
{
    uint64_t counts[COLUMNS + 2] = {0};
    for (GrB_Index v = 0; v < r->n; v++) {
        if (r->level[v] != TORC_NOT_REACHED) {
            counts[r->level[v] <= COLUMNS ? r->level[v] : COLUMNS + 1]++;
        }
    }
    printf("%-*s", width, name);
    for (uint64_t level = 1; level < nlevels && level <= COLUMNS + 1; level++) {
        if (counts[level]) {
            printf(" %7llu", (unsigned long long)counts[level]);
        } else {
            printf(" %7s", ".");
        }
    }
    printf(" %8.1f%%  %8llu\n", 100 * (double)r->reached / (double)demo->graph.nvertices,
        (unsigned long long)r->farthest);
}

static void row_to_json(torc_demo *demo, const row *r, const char *name, const uint64_t *way, uint64_t length)
{
    torc_json *json = &demo->json;
    torc_json_open(json, NULL, '{');
    torc_json_string(json, "source", name);
    torc_json_number(json, "reached", (double)r->reached);
    torc_json_number(json, "farthest", (double)r->farthest);
    if (length > 0) {
        torc_way_to_json(json, &demo->graph, way, length);
    }
    torc_json_close(json, '}');
}

static void levels_to_json(torc_json *json, const torc_bfs_report *report)
{
    torc_json_open(json, "levels", '[');
    for (uint64_t level = 0; level < report->nlevels; level++) {
        torc_json_open(json, NULL, '{');
        torc_json_number(json, "frontier", (double)report->levels[level].frontier);
        torc_json_string(json, "by", report->levels[level].is_pulled ? "pull" : "push");
        torc_json_close(json, '}');
    }
    torc_json_close(json, ']');
}

static GrB_Info print_ways(torc_demo *demo, row *r, uint64_t *way, GrB_Matrix L, GrB_Matrix P, uint64_t shown)
{
    GrB_Info info;
    printf("\nto one of the farthest\n");
    for (uint64_t s = 0; s < shown; s++) {
        TRY(row_read(r, L, P, s));
        printf("    ");
        torc_way_print(&demo->graph, way, row_way(r, way));
        printf("\n");
    }
    info = GrB_SUCCESS;
done:
    return info;
}

GrB_Info torc_bfs_print(torc_demo *demo, const torc_bfs_report *report, GrB_Matrix L, GrB_Matrix P)
{
    row r = {0};
    uint64_t *way = malloc(report->nlevels * sizeof *way);
    uint64_t top = (uint64_t)demo->top, shown = demo->is_json || demo->count < top ? demo->count : top;
    int width = (int)strlen("steps from");
    char number[TORC_VERTEX_NUMBER];
    GrB_Info info;
    TRY(row_allocate(&r, demo->graph.nvertices, P != NULL));
    if (!way) {
        info = GrB_OUT_OF_MEMORY;
        goto done;
    }
    for (uint64_t s = 0; s < shown; s++) {
        int length = (int)strlen(torc_graph_name(&demo->graph, demo->sources[s], number));
        width = length > width ? length : width;
    }
    if (demo->is_json) {
        levels_to_json(&demo->json, report);
        torc_json_open(&demo->json, "results", '[');
    } else {
        print_head(width, report->nlevels);
    }
    for (uint64_t s = 0; s < shown; s++) {
        const char *name = torc_graph_name(&demo->graph, demo->sources[s], number);
        TRY(row_read(&r, L, P, s));
        if (demo->is_json) {
            row_to_json(demo, &r, name, way, P ? row_way(&r, way) : 0);
        } else {
            print_row(demo, &r, name, width, report->nlevels);
        }
    }
    if (demo->is_json) {
        torc_json_close(&demo->json, ']');
    } else if (P) {
        TRY(print_ways(demo, &r, way, L, P, shown));
    }
done:
    free(way);
    row_release(&r);
    return info;
}

GrB_Info torc_bfs_count_edges(double *edges, GrB_Matrix L, GrB_Matrix A)
{
    GrB_Vector degree = NULL, one = NULL, followed = NULL;
    GrB_Index n, K;
    GrB_Info info;
    TRY(GrB_Matrix_nrows(&K, L));
    TRY(GrB_Matrix_ncols(&n, L));
    TRY(GrB_Vector_new(&one, GrB_FP64, n));
    TRY(GrB_Vector_new(&degree, GrB_FP64, n));
    TRY(GrB_Vector_new(&followed, GrB_FP64, K));
    TRY(GrB_Vector_assign_FP64(one, NULL, NULL, 1, GrB_ALL, n, NULL));
    TRY(GrB_mxv(degree, NULL, NULL, GxB_PLUS_SECOND_FP64, A, one, NULL));
    TRY(GrB_mxv(followed, NULL, NULL, GxB_PLUS_SECOND_FP64, L, degree, NULL));
    *edges = 0;
    TRY(GrB_Vector_reduce_FP64(edges, NULL, GrB_PLUS_MONOID_FP64, followed, NULL));
done:
    GrB_Vector_free(&one);
    GrB_Vector_free(&degree);
    GrB_Vector_free(&followed);
    return info;
}

GrB_Info torc_bfs_check(torc_demo *demo, GrB_Matrix L, GrB_Matrix P)
{
    GrB_Index n = demo->graph.nvertices;
    torc_adjacency adjacency = {0};
    row r = {0};
    int32_t *expected = malloc(n * sizeof *expected);
    uint64_t *queue = malloc(n * sizeof *queue);
    GrB_Info info;
    TRY(row_allocate(&r, n, P != NULL));
    if (!torc_adjacency_build(&adjacency, &demo->graph) || !expected || !queue) {
        info = GrB_OUT_OF_MEMORY;
        goto done;
    }
    for (uint64_t s = 0; s < demo->count && !demo->has_failed; s++) {
        uint64_t v;
        char from[TORC_VERTEX_NUMBER], to[TORC_VERTEX_NUMBER];
        TRY(row_read(&r, L, P, s));
        torc_bfs_queue(expected, queue, &adjacency, demo->sources[s]);
        const char *difference = torc_bfs_difference(
            &v, r.level, P ? r.parent : NULL, expected, queue, &adjacency, demo->sources[s]);
        if (difference) {
            torc_demo_fail(demo, "from %s to %s: %s", torc_graph_name(&demo->graph, demo->sources[s], from),
                torc_graph_name(&demo->graph, v, to), difference);
        }
        torc_progress_show(
            &demo->progress, s + 1, (double)(s + 1) / (double)demo->count, "checking source %d", (int)s + 1);
    }
    torc_demo_checked(demo, "a search with a queue");
done:
    free(expected);
    free(queue);
    torc_adjacency_release(&adjacency);
    row_release(&r);
    return info;
}

GrB_Info torc_bfs_plot(torc_demo *demo, const torc_bfs_report *report)
{
    if (!demo->plot) {
        return GrB_SUCCESS;
    }
    double *level = malloc(report->nlevels * sizeof *level), *size = malloc(report->nlevels * sizeof *size);
    GrB_Info info = level && size ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    for (uint64_t i = 0; info == GrB_SUCCESS && i < report->nlevels; i++) {
        level[i] = (double)i;
        size[i] = (double)report->levels[i].frontier;
    }
    if (info == GrB_SUCCESS) {
        torc_plot plot = {.title = "Frontier",
            .x_title = "level",
            .y_title = "vertices, all sources",
            .x = level,
            .y = size,
            .count = (int)report->nlevels,
            .has_bars = true};
        torc_demo_plot(demo, &plot, 1);
    }
    free(level);
    free(size);
    return info;
}
