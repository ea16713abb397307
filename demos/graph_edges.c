/* graph_edges.c: the first edge tells whether there are weights; vertex numbers become names. */
#include "graph_edges.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "name_table.h"
#include "text_lines.h"

#define BETWEEN ", \t"

typedef struct edges_reader {
    torc_graph *graph;
    torc_text_lines lines;
    const char *path; /* for messages */
    torc_names vertices;
    bool has_edge; /* so the graph's has_weights is known */
} edges_reader;

static bool fail(edges_reader *reader, const char *what)
{
    return torc_graph_fail(
        reader->graph, "%s, line %llu: %s", reader->path, (unsigned long long)reader->lines.number, what);
}

/* The digits at the cursor without leading zeros; 0 where there is no number. */
static size_t take_digits(const char **cursor, const char **digits)
{
    *cursor += strspn(*cursor, BETWEEN);
    size_t length = strspn(*cursor, "0123456789"), zeros = strspn(*cursor, "0");
    const char *end = *cursor + length;
    if (length == 0 || (*end != '\0' && !strchr(BETWEEN, *end))) {
        return 0;
    }
    zeros -= zeros == length;
    *digits = *cursor + zeros;
    *cursor = end;
    return length - zeros;
}

static bool take_vertex(edges_reader *reader, const char **cursor, uint64_t *vertex)
{
    const char *digits;
    size_t length = take_digits(cursor, &digits);
    if (length == 0) {
        return fail(reader, "an edge does not begin with two vertex numbers");
    }
    *vertex = torc_names_enter(&reader->vertices, digits, length);
    return *vertex != TORC_NO_NAME || fail(reader, "not enough memory");
}

static bool read_edge(edges_reader *reader)
{
    torc_graph *graph = reader->graph;
    const char *cursor = reader->lines.text;
    uint64_t source, target;
    if (!take_vertex(reader, &cursor, &source) || !take_vertex(reader, &cursor, &target)) {
        return false;
    }
    cursor += strspn(cursor, BETWEEN);
    bool has_weight = *cursor != '\0';
    if (reader->has_edge && has_weight != graph->has_weights) {
        return fail(reader,
            has_weight ? "a weight, and earlier edges have none" : "no weight, and earlier edges have one");
    }
    reader->has_edge = true;
    graph->has_weights = has_weight;
    double weight = 1;
    if (has_weight) {
        char *end;
        weight = strtod(cursor, &end);
        if (end == cursor || end[strspn(end, BETWEEN)] != '\0' || !isfinite(weight)) {
            return fail(reader, "after the two vertices there is something other than a finite weight");
        }
    }
    return torc_graph_add_weighted_edge(graph, source, target, weight);
}

static bool read_edges(edges_reader *reader)
{
    while (torc_text_lines_next(&reader->lines)) {
        const char *text = reader->lines.text;
        if (text[0] != '#' && text[strspn(text, BETWEEN)] != '\0' && !read_edge(reader)) {
            return false;
        }
    }
    return reader->has_edge || fail(reader, "the file ends without an edge");
}

bool torc_graph_read_edges(torc_graph *graph, const char *path)
{
    *graph = (torc_graph){0};
    edges_reader reader = {.graph = graph, .path = torc_text_name(path)};
    reader.lines.file = gzopen(path, "rb");
    if (!reader.lines.file) {
        return torc_graph_fail(graph, "%s: %s", reader.path, strerror(errno ? errno : ENOMEM));
    }
    bool is_read = read_edges(&reader);
    const char *damage = torc_text_lines_error(&reader.lines);
    if (damage) {
        is_read = fail(&reader, damage); /* rather than what a cut line looked like */
    }
    torc_text_lines_close(&reader.lines);

    graph->names = reader.vertices.names;
    graph->nvertices = reader.vertices.count;
    reader.vertices.names = NULL;
    reader.vertices.count = 0;
    torc_names_release(&reader.vertices);
    return is_read;
}
