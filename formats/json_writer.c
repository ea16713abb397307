/* json_writer.c: a comma before every element but the first, and a line for each. */
#include "json_writer.h"

#include <math.h>
#include <stdio.h>

static void print_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20 || c >= 0x7f) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static void begin_element(torc_json *json, const char *key)
{
    if (json->depth > 0) {
        printf("%s\n%*s", json->has_element ? "," : "", 2 * json->depth, "");
    }
    json->has_element = true;
    if (key) {
        print_quoted(key);
        printf(": ");
    }
}

void torc_json_open(torc_json *json, const char *key, char bracket)
{
    begin_element(json, key);
    putchar(bracket);
    json->depth++;
    json->has_element = false;
}

void torc_json_close(torc_json *json, char bracket)
{
    json->depth--;
    if (json->has_element) {
        printf("\n%*s", 2 * json->depth, "");
    }
    putchar(bracket);
    json->has_element = true;
    if (json->depth == 0) {
        putchar('\n');
    }
}

void torc_json_number(torc_json *json, const char *key, double value)
{
    begin_element(json, key);
    if (isfinite(value)) {
        printf("%.17g", value);
    } else {
        printf("null");
    }
}

void torc_json_string(torc_json *json, const char *key, const char *value)
{
    begin_element(json, key);
    print_quoted(value);
}
