/* paths_report.c: a column of X at a time; predecessors are found for the columns that are shown. */
#include "paths_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grb_try.h"
#include "paths_plain.h"
#include "vertex_table.h"
#include "way_print.h"

typedef struct column {
    const torc_paths_problem *problem;
    torc_adjacency adjacency;
    void *value;                  /* of every vertex */
    uint64_t *before, *way, *top; /* predecessors; a path from its end; the targets shown */
} column;

static bool column_allocate(column *c, const torc_paths_problem *problem, uint64_t ntop)
{
    uint64_t n = problem->graph->nvertices;
    *c = (column){.problem = problem};
    c->value = malloc(n * torc_algebra_size(problem->algebra));
    c->before = malloc(n * sizeof *c->before);
    c->way = malloc(n * sizeof *c->way);
    c->top = malloc((ntop + 1) * sizeof *c->top);
    return torc_adjacency_build(&c->adjacency, problem->graph) && c->value && c->before && c->way && c->top;
}

static void column_release(column *c)
{
    torc_adjacency_release(&c->adjacency);
    free(c->value);
    free(c->before);
    free(c->way);
    free(c->top);
}

static void *value_of(const column *c, uint64_t v)
{
    return torc_algebra_at(c->problem->algebra, c->value, v);
}

static bool is_nothing(const column *c, uint64_t v)
{
    return torc_algebra_is_nothing(c->problem->algebra, value_of(c, v));
}

/* Whether u is rather worth showing than v. */
static bool is_more_extreme(const column *c, uint64_t u, uint64_t v)
{
    const torc_algebra *algebra = c->problem->algebra;
    return algebra->is_best_shown ? algebra->is_better(value_of(c, u), value_of(c, v))
                                  : algebra->is_better(value_of(c, v), value_of(c, u));
}

/* The `most` most extreme values into c->top, ties to the smaller vertex; returns how many there are. */
static uint64_t find_extremes(column *c, uint64_t most, uint64_t source)
{
    uint64_t found = 0;
    for (uint64_t v = 0; v < c->problem->graph->nvertices; v++) {
        if (v == source || is_nothing(c, v) || (found == most && !is_more_extreme(c, v, c->top[most - 1]))) {
            continue;
        }
        uint64_t at = found < most ? found++ : most - 1;
        for (; at > 0 && is_more_extreme(c, v, c->top[at - 1]); at--) {
            c->top[at] = c->top[at - 1];
        }
        c->top[at] = v;
    }
    return found;
}

/* The path to v into c->way, from its end; returns its number of vertices, 0 where there is none. */
static uint64_t find_way(column *c, uint64_t v)
{
    if (is_nothing(c, v)) {
        return 0;
    }
    uint64_t length = 0;
    for (; v != TORC_NO_VERTEX; v = c->before[v]) {
        c->way[length++] = v;
    }
    return length;
}

static void value_to_json(torc_json *json, const torc_algebra *algebra, const void *value)
{
    char text[TORC_VALUE_TEXT];
    if (algebra->show) {
        torc_algebra_show(text, algebra, value, 0);
        torc_json_string(json, "value", text);
    } else {
        torc_json_number(json, "value", *(const double *)value);
    }
}

static void print_target(torc_demo *demo, column *c, uint64_t v, int width)
{
    char number[TORC_VERTEX_NUMBER], value[TORC_VALUE_TEXT];
    uint64_t length = find_way(c, v);
    const char *name = torc_graph_name(&demo->graph, v, number);
    if (demo->is_json) {
        torc_json_open(&demo->json, NULL, '{');
        torc_json_string(&demo->json, "vertex", name);
        if (length > 0) {
            value_to_json(&demo->json, c->problem->algebra, value_of(c, v));
        } else {
            torc_json_number(&demo->json, "value", NAN);
        }
        torc_way_to_json(&demo->json, &demo->graph, c->way, length);
        torc_json_close(&demo->json, '}');
    } else if (length == 0) {
        printf("    %-*s %12s  no path\n", width, name, "");
    } else {
        torc_algebra_show(value, c->problem->algebra, value_of(c, v), 7);
        printf("    %-*s %12s  ", width, name, value);
        torc_way_print(&demo->graph, c->way, length);
        printf("\n");
    }
}

static void print_column(torc_demo *demo, column *c, uint64_t j, const uint64_t *targets, uint64_t ntargets)
{
    const torc_algebra *algebra = c->problem->algebra;
    char number[TORC_VERTEX_NUMBER];
    uint64_t n = demo->graph.nvertices, reached = 0;
    int width = (int)strlen("to");
    for (uint64_t v = 0; v < n; v++) {
        reached += !is_nothing(c, v);
    }
    for (uint64_t i = 0; i < ntargets; i++) {
        int length = (int)strlen(torc_graph_name(&demo->graph, targets[i], number));
        width = length > width ? length : width;
    }
    const char *name = torc_graph_name(&demo->graph, demo->sources[j], number);
    if (demo->is_json) {
        torc_json_open(&demo->json, NULL, '{');
        torc_json_string(&demo->json, "source", name);
        torc_json_number(&demo->json, "reached", (double)reached);
        torc_json_open(&demo->json, "targets", '[');
    } else {
        printf("\n%s reaches %llu of %llu\n", name, (unsigned long long)reached, (unsigned long long)n);
        if (ntargets > 0) {
            printf("    %-*s %12s  path\n", width, "to", algebra->name);
        }
    }
    for (uint64_t i = 0; i < ntargets; i++) {
        print_target(demo, c, targets[i], width);
    }
    if (demo->is_json) {
        torc_json_close(&demo->json, ']');
        torc_json_close(&demo->json, '}');
    }
}

GrB_Info torc_paths_print(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem,
    const uint64_t *targets, uint64_t ntargets)
{
    column c;
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!column_allocate(&c, problem, (uint64_t)demo->top)) {
        goto done;
    }
    if (demo->is_json) {
        torc_json_open(&demo->json, "results", '[');
    }
    for (uint64_t j = 0; j < demo->count && (j < TORC_SHOWN_SOURCES || demo->is_json); j++) {
        uint64_t source = demo->sources[j];
        TRY(torc_paths_column(c.value, X, problem->algebra, j));
        if (!torc_plain_predecessors(c.before, c.value, &c.adjacency, problem, source)) {
            info = GrB_OUT_OF_MEMORY;
            goto done;
        }
        uint64_t found = targets ? ntargets : find_extremes(&c, (uint64_t)demo->top, source);
        print_column(demo, &c, j, targets ? targets : c.top, found);
    }
    if (demo->is_json) {
        torc_json_close(&demo->json, ']');
    }
    info = GrB_SUCCESS;
done:
    column_release(&c);
    return info;
}

GrB_Info torc_paths_print_all(GrB_Matrix X, const torc_paths_problem *problem)
{
    const torc_graph *graph = problem->graph;
    const torc_algebra *algebra = problem->algebra;
    uint64_t n = graph->nvertices;
    void *value = malloc(n * torc_algebra_size(algebra)); /* of the paths from one source, a column of X */
    char number[TORC_VERTEX_NUMBER], text[TORC_VALUE_TEXT];
    GrB_Info info = value ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    printf("\n%12s", "from \\ to");
    for (uint64_t v = 0; v < n; v++) {
        printf(" %8.8s", torc_graph_name(graph, v, number));
    }
    printf("\n");
    for (uint64_t u = 0; u < n; u++) {
        TRY(torc_paths_column(value, X, algebra, u));
        printf("%12.12s", torc_graph_name(graph, u, number));
        for (uint64_t v = 0; v < n; v++) {
            const void *best = torc_algebra_at(algebra, value, v);
            torc_algebra_show(text, algebra, best, 6);
            printf(" %8s", torc_algebra_is_nothing(algebra, best) ? "." : text);
        }
        printf("\n");
    }
done:
    free(value);
    return info;
}

GrB_Info torc_paths_table(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem)
{
    const torc_algebra *algebra = problem->algebra;
    char source[TORC_VERTEX_NUMBER], target[TORC_VERTEX_NUMBER], text[TORC_VALUE_TEXT];
    GrB_Info info = GrB_SUCCESS;
    FILE *file = torc_vertex_table_open(demo, "value");
    void *value = file ? malloc(demo->graph.nvertices * torc_algebra_size(algebra)) : NULL;
    if (!file) {
        return info;
    }
    info = value ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    for (uint64_t j = 0; info == GrB_SUCCESS && j < demo->count; j++) {
        TRY(torc_paths_column(value, X, algebra, j));
        for (uint64_t v = 0; v < demo->graph.nvertices; v++) {
            const void *best = torc_algebra_at(algebra, value, v);
            if (!torc_algebra_is_nothing(algebra, best)) {
                torc_algebra_show(text, algebra, best, 17);
                fprintf(file, "%s\t%s\t%s\n", torc_graph_name(&demo->graph, demo->sources[j], source),
                    torc_graph_name(&demo->graph, v, target), text);
            }
        }
    }
done:
    free(value);
    torc_vertex_table_close(demo, file);
    return info;
}

/* Choices are exact, for both sides add up each path in its own order. Counts beyond 2^53 are rounded: sums
 * of positive terms, each added at most once an edge, so within nedges roundings of the exact one on both
 * sides. */
static bool is_same(const void *value, const void *expected, const torc_paths_problem *problem)
{
    const torc_algebra *algebra = problem->algebra;
    bool is_choice = !algebra->is_counting;
    double count = is_choice ? 0 : *(const double *)value, other = is_choice ? 0 : *(const double *)expected;
    double bound = other > 0x1p53 ? 2 * (double)problem->graph->nedges * 0x1p-53 * other : 0;
    return is_choice ? !algebra->is_better(value, expected) && !algebra->is_better(expected, value)
                     : fabs(count - other) <= bound;
}

GrB_Info torc_paths_check(torc_demo *demo, GrB_Matrix X, const torc_paths_problem *problem)
{
    column c;
    const torc_algebra *algebra = problem->algebra;
    uint64_t n = demo->graph.nvertices;
    void *expected = malloc(n * torc_algebra_size(algebra));
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (!column_allocate(&c, problem, 0) || !expected) {
        goto done;
    }
    for (uint64_t j = 0; j < demo->count && !demo->has_failed; j++) {
        TRY(torc_paths_column(c.value, X, algebra, j));
        if (!torc_plain_values(expected, problem, &c.adjacency, demo->sources[j])) {
            info = GrB_OUT_OF_MEMORY;
            goto done;
        }
        for (uint64_t v = 0; v < n && !demo->has_failed; v++) {
            const void *value = value_of(&c, v), *other = torc_algebra_at(algebra, expected, v);
            char from[TORC_VERTEX_NUMBER], to[TORC_VERTEX_NUMBER], text[2][TORC_VALUE_TEXT];
            if (!is_same(value, other, problem)) {
                torc_algebra_show(text[0], algebra, value, 17);
                torc_algebra_show(text[1], algebra, other, 17);
                torc_demo_fail(demo, "from %s to %s: %s, but a plain algorithm says %s",
                    torc_graph_name(&demo->graph, demo->sources[j], from),
                    torc_graph_name(&demo->graph, v, to), text[0], text[1]);
            }
        }
        torc_progress_show(
            &demo->progress, j + 1, (double)(j + 1) / (double)demo->count, "checking source %d", (int)j + 1);
    }
    torc_demo_checked(demo, torc_plain_method(problem));
    info = GrB_SUCCESS;
done:
    free(expected);
    column_release(&c);
    return info;
}

GrB_Info torc_paths_plot(torc_demo *demo, const torc_paths_report *report)
{
    if (!demo->plot) {
        return GrB_SUCCESS;
    }
    double *round = malloc(report->rounds * sizeof *round), *size = malloc(report->rounds * sizeof *size);
    GrB_Info info = round && size ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
    for (uint64_t r = 0; info == GrB_SUCCESS && r < report->rounds; r++) {
        round[r] = (double)r + 1;
        size[r] = (double)report->changed[r];
    }
    if (info == GrB_SUCCESS) {
        torc_plot plot = {.title = "Convergence",
            .x_title = "round",
            .y_title = "values changed",
            .x = round,
            .y = size,
            .count = (int)report->rounds,
            .is_y_log = true};
        torc_demo_plot(demo, &plot, 1);
    }
    free(round);
    free(size);
    return info;
}
