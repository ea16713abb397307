/* source_tokens.h: C source word by word, without spaces and comments. */
#ifndef TORC_SOURCE_TOKENS_H
#define TORC_SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* A word, a number, a literal with its quotes, "->", or another character. */
typedef struct torc_token {
    const char *text;
    size_t length;
} torc_token;

/* Moves *at behind it. Of length 0 at the end. */
torc_token torc_token_next(const char **at);

bool torc_token_is(torc_token t, const char *text);

/* A word or a number. */
bool torc_token_is_word(torc_token t);

/* Where the line ends, without a backslash before. */
const char *torc_source_line_end(const char *at);

#endif
