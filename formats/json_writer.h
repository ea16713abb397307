/* json_writer.h: JSON on standard output, value by value; commas and indentation come by themselves.
 *
 * key NULL: an element of an array, or the outermost value. Numbers that JSON cannot say (infinite, NaN) are
 * written as null. Strings are UTF-8, and stay as they are; bytes that are no UTF-8 are taken for Latin-1, so
 * that whatever a file holds, the output is valid.
 */
#ifndef TORC_JSON_WRITER_H
#define TORC_JSON_WRITER_H

#include <stdbool.h>

typedef struct torc_json {
    int depth;
    bool has_element; /* the innermost open object or array has one */
} torc_json;

void torc_json_open(torc_json *json, const char *key, char bracket); /* '{' or '[' */
void torc_json_close(torc_json *json, char bracket);                 /* '}' or ']' */
void torc_json_number(torc_json *json, const char *key, double value);
void torc_json_string(torc_json *json, const char *key, const char *value);

#endif
