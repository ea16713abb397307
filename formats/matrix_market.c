/* matrix_market.c: banner, comments, size line, entries, each checked as it is read. */
#include "matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool torc_mtx_fail(torc_mtx *mtx, const char *what)
{
    const char *damage = torc_text_lines_error(&mtx->lines); /* rather than what a cut line looks like */
    snprintf(mtx->error, sizeof mtx->error, "%s, line %llu: %s", mtx->path,
        (unsigned long long)mtx->lines.number, damage ? damage : what);
    return false;
}

/* The next line that is neither blank nor a comment. */
static bool next_line(torc_mtx *mtx)
{
    while (torc_text_lines_next(&mtx->lines)) {
        const char *text = mtx->lines.text;
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

static bool read_banner(torc_mtx *mtx)
{
    static const char *const fields[] = {"pattern", "real", "integer", "complex"};
    static const int nvalues[] = {0, 1, 1, 2};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    char object[32], format[32], field[32], symmetry[32];

    if (!torc_text_lines_next(&mtx->lines) || sscanf(mtx->lines.text, "%%%%MatrixMarket %31s %31s %31s %31s",
                                                  object, format, field, symmetry) != 4) {
        return torc_mtx_fail(mtx, "no banner '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0) {
        return torc_mtx_fail(mtx, "not a matrix in coordinate format");
    }
    mtx->nvalues = -1;
    for (int i = 0; i < 4; i++) {
        if (strcasecmp(field, fields[i]) == 0) {
            mtx->nvalues = nvalues[i];
        }
    }
    if (mtx->nvalues < 0) {
        return torc_mtx_fail(mtx, "the field is none of pattern, real, integer, complex");
    }
    int which = 0;
    while (which < 4 && strcasecmp(symmetry, symmetries[which]) != 0) {
        which++;
    }
    if (which == 4) {
        return torc_mtx_fail(mtx, "the symmetry is none of general, symmetric, skew-symmetric, hermitian");
    }
    mtx->is_symmetric = which > 0;
    mtx->mirrored = which == 2 ? -1 : 1;
    mtx->has_values = mtx->nvalues == 1;
    return true;
}

static bool read_size(torc_mtx *mtx)
{
    if (!next_line(mtx)) {
        return torc_mtx_fail(mtx, "the file ends before its size line");
    }
    const char *cursor = mtx->lines.text;
    if (!take_index(&cursor, &mtx->nrows) || !take_index(&cursor, &mtx->ncols) ||
        !take_index(&cursor, &mtx->nentries) || !is_at_end(cursor)) {
        return torc_mtx_fail(mtx, "the size line is not 'ROWS COLUMNS ENTRIES'");
    }
    if (mtx->is_symmetric && mtx->nrows != mtx->ncols) {
        return torc_mtx_fail(mtx, "a symmetric matrix is square");
    }
    if (mtx->nrows == 0 || mtx->ncols == 0) {
        return torc_mtx_fail(mtx, "the matrix is empty");
    }
    return true;
}

bool torc_mtx_open(torc_mtx *mtx, const char *path)
{
    *mtx = (torc_mtx){.path = torc_text_name(path)};
    mtx->lines.file = gzopen(path, "rb");
    if (!mtx->lines.file) {
        snprintf(mtx->error, sizeof mtx->error, "%s: %s", mtx->path, strerror(errno ? errno : ENOMEM));
        return false;
    }
    return read_banner(mtx) && read_size(mtx);
}

bool torc_mtx_next(torc_mtx_entry *entry, torc_mtx *mtx)
{
    uint64_t i, j;
    double value = 1, imaginary;
    if (!next_line(mtx)) {
        bool is_short = mtx->count < mtx->nentries || torc_text_lines_error(&mtx->lines);
        return is_short &&
               torc_mtx_fail(mtx, "the file ends before the last entry that the size line announced");
    }
    if (mtx->count == mtx->nentries) {
        return torc_mtx_fail(mtx, "more entries than the size line announced");
    }
    const char *cursor = mtx->lines.text;
    if (!take_index(&cursor, &i) || !take_index(&cursor, &j)) {
        return torc_mtx_fail(mtx, "an entry does not begin with two indices");
    }
    for (int v = 0; v < mtx->nvalues; v++) {
        if (!take_number(&cursor, v == 0 ? &value : &imaginary)) {
            return torc_mtx_fail(mtx, "an entry has no finite numeric value");
        }
    }
    if (!is_at_end(cursor)) {
        return torc_mtx_fail(mtx, "there is more on the line than an entry");
    }
    if (i < 1 || i > mtx->nrows || j < 1 || j > mtx->ncols) {
        return torc_mtx_fail(mtx, "an index is out of range");
    }
    mtx->count++;
    *entry = (torc_mtx_entry){i - 1, j - 1, mtx->has_values ? value : 1};
    return true;
}

void torc_mtx_close(torc_mtx *mtx)
{
    if (mtx->lines.file) {
        torc_text_lines_close(&mtx->lines);
    }
}
