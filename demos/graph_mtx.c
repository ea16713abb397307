/* graph_mtx.c: banner, comments, size line, entries, each checked as it is read. */
#include "graph_mtx.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text_lines.h"

typedef struct mtx_reader {
    torc_graph *graph;
    torc_lines lines;
    const char *path;
    uint64_t nentries;
    int nvalues;       /* numbers after the two indices of an entry */
    bool is_symmetric; /* an entry stands for its mirror image too */
    double mirrored;   /* what the mirror image's value is multiplied by: 1, or -1 */
} mtx_reader;

static bool fail(mtx_reader *reader, const char *what)
{
    return torc_graph_fail(
        reader->graph, "%s, line %llu: %s", reader->path, (unsigned long long)reader->lines.number, what);
}

/* The next line that is neither blank nor a comment. */
static bool next_line(mtx_reader *reader)
{
    while (torc_lines_next(&reader->lines)) {
        const char *text = reader->lines.text;
        if (text[0] != '%' && text[strspn(text, " \t")] != '\0') {
            return true;
        }
    }
    return false;
}

static bool take_index(const char **cursor, uint64_t *value)
{
    *cursor += strspn(*cursor, " \t");
    if (!isdigit((unsigned char)**cursor)) {
        return false;
    }
    char *end;
    errno = 0;
    *value = strtoull(*cursor, &end, 10);
    *cursor = end;
    return errno == 0 && (*end == '\0' || *end == ' ' || *end == '\t');
}

static bool take_number(const char **cursor, double *value)
{
    char *end;
    *value = strtod(*cursor, &end);
    bool is_number = end != *cursor && (*end == '\0' || *end == ' ' || *end == '\t');
    *cursor = end;
    return is_number && isfinite(*value);
}

static bool is_at_end(const char *cursor)
{
    return cursor[strspn(cursor, " \t")] == '\0';
}

static bool read_banner(mtx_reader *reader)
{
    static const char *const fields[] = {"pattern", "real", "integer", "complex"};
    static const int nvalues[] = {0, 1, 1, 2};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    char object[32], format[32], field[32], symmetry[32];

    if (!torc_lines_next(&reader->lines) || sscanf(reader->lines.text, "%%%%MatrixMarket %31s %31s %31s %31s",
                                                object, format, field, symmetry) != 4) {
        return fail(reader, "no banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0) {
        return fail(reader, "not a matrix in coordinate format");
    }
    reader->nvalues = -1;
    for (int i = 0; i < 4; i++) {
        if (strcasecmp(field, fields[i]) == 0) {
            reader->nvalues = nvalues[i];
        }
    }
    if (reader->nvalues < 0) {
        return fail(reader, "the field is none of pattern, real, integer, complex");
    }
    int which = 0;
    while (which < 4 && strcasecmp(symmetry, symmetries[which]) != 0) {
        which++;
    }
    if (which == 4) {
        return fail(reader, "the symmetry is none of general, symmetric, skew-symmetric, hermitian");
    }
    reader->is_symmetric = which > 0;
    reader->mirrored = which == 2 ? -1 : 1;
    reader->graph->has_weights = reader->nvalues == 1;
    return true;
}

static bool read_size(mtx_reader *reader)
{
    uint64_t nrows, ncols;
    if (!next_line(reader)) {
        return fail(reader, "the file ends before its size line");
    }
    const char *cursor = reader->lines.text;
    if (!take_index(&cursor, &nrows) || !take_index(&cursor, &ncols) ||
        !take_index(&cursor, &reader->nentries) || !is_at_end(cursor)) {
        return fail(reader, "the size line is not 'ROWS COLUMNS ENTRIES'");
    }
    if (nrows != ncols) {
        return fail(reader, "a graph needs a square matrix");
    }
    if (nrows == 0) {
        return fail(reader, "the matrix is empty");
    }
    reader->graph->nvertices = nrows;
    return true;
}

static bool read_entry(mtx_reader *reader)
{
    torc_graph *graph = reader->graph;
    uint64_t i, j;
    double value = 1, imaginary;
    const char *cursor = reader->lines.text;
    if (!take_index(&cursor, &i) || !take_index(&cursor, &j)) {
        return fail(reader, "an entry does not begin with two indices");
    }
    for (int v = 0; v < reader->nvalues; v++) {
        if (!take_number(&cursor, v == 0 ? &value : &imaginary)) {
            return fail(reader, "an entry has no finite numeric value");
        }
    }
    if (!is_at_end(cursor)) {
        return fail(reader, "there is more on the line than an entry");
    }
    if (i < 1 || i > graph->nvertices || j < 1 || j > graph->nvertices) {
        return fail(reader, "an index is out of range");
    }
    return torc_graph_add_weighted_edge(graph, i - 1, j - 1, value) &&
           (!reader->is_symmetric ||
               torc_graph_add_weighted_edge(graph, j - 1, i - 1, reader->mirrored * value));
}

static bool read_entries(mtx_reader *reader)
{
    uint64_t count = 0;
    for (; next_line(reader); count++) {
        if (count == reader->nentries) {
            return fail(reader, "more entries than the size line announced");
        }
        if (!read_entry(reader)) {
            return false;
        }
    }
    if (count < reader->nentries) {
        return fail(reader, "the file ends before the last entry that the size line announced");
    }
    return true;
}

bool torc_graph_read_mtx(torc_graph *graph, const char *path)
{
    *graph = (torc_graph){0};
    mtx_reader reader = {.graph = graph, .path = path};
    reader.lines.file = gzopen(path, "rb");
    if (!reader.lines.file) {
        return torc_graph_fail(graph, "%s: %s", path, strerror(errno ? errno : ENOMEM));
    }
    bool is_read = read_banner(&reader) && read_size(&reader) && read_entries(&reader);
    const char *damage = torc_lines_error(&reader.lines);
    if (damage) {
        is_read = fail(&reader, damage); /* rather than what a cut line looked like */
    }
    torc_lines_close(&reader.lines);
    return is_read;
}
