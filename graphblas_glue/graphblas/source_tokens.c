#include "source_tokens.h"
#include <ctype.h>
#include <string.h>

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
            at = torc_source_line_end(at);
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

torc_token torc_token_next(const char **at)
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
    return (torc_token){begin, (size_t)(end - begin)};
}

bool torc_token_is(torc_token t, const char *text)
{
    return t.length == strlen(text) && memcmp(t.text, text, t.length) == 0;
}

bool torc_token_is_word(torc_token t)
{
    return t.length > 0 && is_in_word(*t.text);
}

const char *torc_source_line_end(const char *at)
{
    while (*at && *at != '\n') {
        at += at[0] == '\\' && at[1] ? 2 : 1;
    }
    return at;
}
