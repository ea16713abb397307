/* vertex_table.c: a source at a time, its values as an array with an element for each vertex. */
#include "vertex_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grb_try.h"

FILE *torc_vertex_table_open(torc_demo *demo, const char *titles)
{
    if (!demo->output) {
        return NULL;
    }
    FILE *file = fopen(demo->output, "we");
    if (file) {
        fprintf(file, "source\tvertex\t%s\n", titles);
    } else {
        torc_demo_fail(demo, "%s: %s", demo->output, strerror(errno));
    }
    return file;
}

void torc_vertex_table_close(torc_demo *demo, FILE *file)
{
    bool is_written = !ferror(file);
    if (fclose(file) != 0 || !is_written) {
        torc_demo_fail(demo, "%s cannot be written", demo->output);
    }
}

/* What one source has, by vertex; NAN where it has nothing. */
typedef struct vertex_values {
    double *of[TORC_VERTEX_COLUMNS], *entries;
    GrB_Index *index;
    GrB_Vector vector;
} vertex_values;

static GrB_Info allocate(vertex_values *values, GrB_Index n, int count)
{
    GrB_Info info;
    bool is_whole = true;
    for (int c = 0; c < count; c++) {
        values->of[c] = malloc(n * sizeof *values->of[c]);
        is_whole = is_whole && values->of[c];
    }
    values->entries = malloc(n * sizeof *values->entries);
    values->index = malloc(n * sizeof *values->index);
    if (!is_whole || !values->entries || !values->index) {
        return GrB_OUT_OF_MEMORY;
    }
    TRY(GrB_Vector_new(&values->vector, GrB_FP64, n));
done:
    return info;
}

static void release(vertex_values *values)
{
    for (int c = 0; c < TORC_VERTEX_COLUMNS; c++) {
        free(values->of[c]);
    }
    free(values->entries);
    free(values->index);
    GrB_Vector_free(&values->vector);
}

static GrB_Info read_source(
    vertex_values *values, int c, const torc_vertex_column *column, GrB_Index n, uint64_t s)
{
    GrB_Index count = n;
    GrB_Info info;
    TRY(GrB_Col_extract(
        values->vector, NULL, NULL, column->matrix, GrB_ALL, n, s, column->is_by_row ? GrB_DESC_T0 : NULL));
    TRY(GrB_Vector_extractTuples_FP64(values->index, values->entries, &count, values->vector));
    for (GrB_Index v = 0; v < n; v++) {
        values->of[c][v] = NAN;
    }
    for (GrB_Index i = 0; i < count; i++) {
        values->of[c][values->index[i]] = values->entries[i];
    }
done:
    return info;
}

static void write_source(FILE *file, const torc_demo *demo, const vertex_values *values,
    const torc_vertex_column *columns, int count, const char *source)
{
    char number[TORC_VERTEX_NUMBER];
    for (uint64_t v = 0; v < demo->graph.nvertices; v++) {
        if (isnan(values->of[0][v])) {
            continue;
        }
        fprintf(file, "%s\t%s", source, torc_graph_name(&demo->graph, v, number));
        for (int c = 0; c < count; c++) {
            double value = values->of[c][v];
            if (columns[c].is_vertex) {
                fprintf(
                    file, "\t%s", isnan(value) ? "" : torc_graph_name(&demo->graph, (uint64_t)value, number));
            } else {
                fprintf(file, "\t%.9g", value);
            }
        }
        fprintf(file, "\n");
    }
}

GrB_Info torc_vertex_table(torc_demo *demo, const torc_vertex_column *columns, int count)
{
    vertex_values values = {0};
    char number[TORC_VERTEX_NUMBER], titles[128];
    uint64_t nsources = demo->has_no_sources ? 1 : demo->count;
    GrB_Info info = GrB_SUCCESS;
    snprintf(titles, sizeof titles, "%s%s%s", columns[0].title, count > 1 ? "\t" : "",
        count > 1 ? columns[1].title : "");
    FILE *file = torc_vertex_table_open(demo, titles);
    if (!file) {
        return info;
    }
    TRY(allocate(&values, demo->graph.nvertices, count));
    for (uint64_t s = 0; s < nsources; s++) {
        for (int c = 0; c < count; c++) {
            TRY(read_source(&values, c, &columns[c], demo->graph.nvertices, s));
        }
        const char *source =
            demo->has_no_sources ? "everywhere" : torc_graph_name(&demo->graph, demo->sources[s], number);
        write_source(file, demo, &values, columns, count, source);
    }
done:
    release(&values);
    torc_vertex_table_close(demo, file);
    return info;
}
