/* text_lines.h: the lines of a text, gzipped or not, of any length, with their numbers. */
#ifndef TORC_TEXT_LINES_H
#define TORC_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

typedef struct torc_text_lines {
    gzFile file;
    char *text;          /* the current line, without its end */
    size_t capacity;     /* bytes of text */
    uint64_t number;     /* of the current line, from 1 */
    const char *problem; /* with that line, or NULL */
} torc_text_lines;

/* Move to the next line. false at the end, and where reading fails: torc_text_lines_error tells them apart.
 */
bool torc_text_lines_next(torc_text_lines *lines);

/* NULL, or what is wrong with the file: damaged, cut short, unreadable, too large for memory, or no text. */
const char *torc_text_lines_error(const torc_text_lines *lines);

/* What to call a file before saying what is wrong with it: its path, or the end of a long one. */
const char *torc_text_name(const char *path);

/* Close the file and free the line. */
void torc_text_lines_close(torc_text_lines *lines);

#endif
