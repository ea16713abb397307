#include "source_meaning.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* A word, a number, a literal with its quotes, "->", or another character. */
typedef struct token {
    const char *text;
    size_t length;
} token;

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_space(const char *at)
{
    for (;;) {
        const char *end;
        at += strspn(at, " \t\n\r\f\v\\");
        if (strncmp(at, "/*", 2) == 0) {
            end = strstr(at + 2, "*/");
            at = end ? end + 2 : at + strlen(at);
        } else if (strncmp(at, "//", 2) == 0) {
            at += strcspn(at, "\n");
        } else {
            return at;
        }
    }
}

static const char *skip_literal(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n') {
        at += at[0] == '\\' && at[1] ? 2 : 1;
    }
    return *at == quote ? at + 1 : at;
}

/* Of length 0 at the end. */
static token next(const char **at)
{
    const char *begin = skip_space(*at), *end = begin;
    if (*end == '"' || *end == '\'') {
        end = skip_literal(end);
    } else if (is_in_word(*end) || (*end == '.' && isdigit((unsigned char)end[1]))) {
        bool is_number = !isalpha((unsigned char)*end) && *end != '_';
        while (is_in_word(*end) || (is_number && *end == '.')) {
            end++;
        }
    } else {
        end += strncmp(end, "->", 2) == 0 ? 2 : *end ? 1 : 0;
    }
    *at = end;
    return (token){begin, (size_t)(end - begin)};
}

static bool is(token t, const char *text)
{
    return t.length == strlen(text) && memcmp(t.text, text, t.length) == 0;
}

static bool is_word(token t)
{
    return t.length > 0 && is_in_word(*t.text);
}

/* `at`: after typedef, struct or union. Members may be pointers, and what typedef names. */
static bool has_pointer(const char *at, bool is_typedef)
{
    int depth = 0;
    for (token t = next(&at); t.length > 0; t = next(&at)) {
        depth += is(t, "{") - is(t, "}");
        bool is_inside = is_typedef || depth > 0;
        if (is(t, "*") && is_inside) {
            return true;
        }
        if (depth == 0 && (is_typedef ? is(t, ";") : !is_word(t))) {
            return false;
        }
    }
    return false;
}

/* 3.0L. Hexadecimal integers with an e are taken for such. */
static bool is_long_real(token t)
{
    char last = t.length > 0 ? t.text[t.length - 1] : 0;
    return (isdigit((unsigned char)*t.text) || *t.text == '.') && (last == 'l' || last == 'L') &&
           strcspn(t.text, ".eEpP") < t.length;
}

/* `at`: after sizeof. Types and objects have the same size; of what is computed, only multiplying and looking
 * up are sure not to be a character or a comparison. */
static bool has_another_size(const char *at)
{
    int depth = 0;
    token t = next(&at);
    do {
        depth += is(t, "(") - is(t, ")");
        bool is_plain = is_word(t) || strchr("().*[]", *t.text) || is(t, "->");
        if (!is_plain || is(t, "true") || is(t, "false")) {
            return true;
        }
        t = next(&at);
    } while (depth > 0 && t.length > 0);
    return false;
}

bool torc_source_keeps_meaning(const char *source)
{
    token before = {source, 0};
    for (token t = next(&source); t.length > 0; t = next(&source)) {
        bool is_typedef = is(t, "typedef");
        bool is_long_double =
            (is(before, "long") && is(t, "double")) || (is(before, "double") && is(t, "long"));
        if (is_long_double || is_long_real(t) || (is(t, "sizeof") && has_another_size(source)) ||
            ((is_typedef || is(t, "struct") || is(t, "union")) && has_pointer(source, is_typedef))) {
            return false;
        }
        before = t;
    }
    return true;
}
