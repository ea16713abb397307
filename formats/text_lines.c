/* text_lines.c: zlib reads plain files as they are, so one reader serves both kinds. */
#include "text_lines.h"

#include <stdlib.h>
#include <string.h>

static bool grow(torc_text_lines *lines)
{
    size_t capacity = lines->capacity ? 2 * lines->capacity : 4096;
    char *text = capacity <= 1u << 30 ? realloc(lines->text, capacity) : NULL;
    if (!text) {
        return false;
    }
    lines->text = text;
    lines->capacity = capacity;
    return true;
}

/* The next line is the one that is wrong. */
static bool fail(torc_text_lines *lines, const char *problem)
{
    lines->problem = problem;
    lines->number++;
    return false;
}

bool torc_text_lines_next(torc_text_lines *lines)
{
    size_t length = 0;
    for (int c = 0; c != '\n' && (c = gzgetc(lines->file)) >= 0;) {
        if (c == '\0') { /* as in UTF-16, or in a file of another kind */
            return fail(lines, "there is a NUL byte");
        }
        if (lines->capacity - length < 2 && !grow(lines)) {
            return fail(lines, "a line is too long");
        }
        lines->text[length++] = (char)c;
    }
    if (length == 0 || torc_text_lines_error(lines)) {
        lines->number += lines->number == 0; /* what is wrong with an empty file is wrong in line 1 */
        return false;
    }
    lines->number++;
    while (length > 0 && (lines->text[length - 1] == '\n' || lines->text[length - 1] == '\r')) {
        length--;
    }
    lines->text[length] = '\0';
    return true;
}

const char *torc_text_lines_error(const torc_text_lines *lines)
{
    if (lines->problem) {
        return lines->problem;
    }
    int status;
    gzerror(lines->file, &status);
    switch (status) {
    case Z_OK:
    case Z_STREAM_END:
        return NULL;
    case Z_BUF_ERROR:
        return "the compressed file is cut short";
    case Z_DATA_ERROR:
        return "the compressed file is damaged";
    default:
        return "the file cannot be read";
    }
}

const char *torc_text_name(const char *path)
{
    enum { MOST = 150 };
    size_t length = strlen(path);
    return length > MOST ? path + length - MOST : path;
}

void torc_text_lines_close(torc_text_lines *lines)
{
    gzclose(lines->file);
    free(lines->text);
    *lines = (torc_text_lines){0};
}
