/* json_writer.c: a comma before every element but the first, and a line for each. */
#include "json_writer.h"

#include <math.h>
#include <stdio.h>

/* Bytes of the character beyond ASCII at `text`, or 0 where they are no UTF-8 (RFC 3629): what follows the
 * first byte is checked, the shortest form is the only one, and surrogates are no characters. */
static int utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last;        /* the first byte */
        unsigned char second, second_end; /* the range of the second; further ones are 80..BF */
        int length;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3},
        {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if (text[0] >= forms[f].first && text[0] <= forms[f].last) {
            int length = text[1] >= forms[f].second && text[1] <= forms[f].second_end ? 2 : 0;
            while (length > 0 && length < forms[f].length) {
                length = (text[length] & 0xc0) == 0x80 ? length + 1 : 0;
            }
            return length;
        }
    }
    return 0;
}

static void print_quoted(const char *quoted)
{
    const unsigned char *text = (const unsigned char *)quoted;
    putchar('"');
    while (*text) {
        int length = utf8_length(text);
        if (length > 0) {
            fwrite(text, 1, (size_t)length, stdout);
        } else if (*text == '"' || *text == '\\') {
            printf("\\%c", *text);
        } else if (*text < 0x20 || *text >= 0x7f) {
            printf("\\u%04x", *text);
        } else {
            putchar(*text);
        }
        text += length > 0 ? length : 1;
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
