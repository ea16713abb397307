#include "source_meaning.h"
#include "source_state.h"
#include "source_tokens.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words -------------------------------------------------------------------------------------------- */

static bool is_among(torc_token t, const char *const *words)
{
    while (*words && !torc_token_is(t, *words)) {
        words++;
    }
    return *words;
}

/* Keywords of C++ that are names in C, or mean int, as auto; and what the program has outside of the source.
 */
static bool is_foreign_word(torc_token t)
{
    static const char *const words[] = {"and", "and_eq", "auto", "bitand", "bitor", "catch", "class", "compl",
        "const_cast", "constexpr", "decltype", "delete", "dynamic_cast", "explicit", "export", "extern",
        "friend", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
        "or_eq", "private", "protected", "public", "reinterpret_cast", "static_cast", "template", "this",
        "throw", "try", "typeid", "typename", "using", "virtual", "xor", "xor_eq", NULL};
    static const char *const words_of_compilers[] = {
        "__inline", "__inline__", "__restrict", "__restrict__", "__VA_ARGS__", NULL};
    bool is_of_a_compiler = t.length > 2 && memcmp(t.text, "__", 2) == 0;
    return is_of_a_compiler ? !is_among(t, words_of_compilers) : is_among(t, words);
}

/* 3.0L. Hexadecimal integers with an e are taken for such. */
static bool is_long_real(torc_token t)
{
    char last = t.length > 0 ? t.text[t.length - 1] : 0;
    return (isdigit((unsigned char)*t.text) || *t.text == '.') && (last == 'l' || last == 'L') &&
           strcspn(t.text, ".eEpP") < t.length;
}

/* ---- Types -------------------------------------------------------------------------------------------- */

/* gcc counts in a bit-field of more bits than int with these bits alone, C++ with those of its type. */
static bool is_long_width(torc_token t)
{
    long bits = strtol(t.text, NULL, 0);
    return bits < 1 || bits > 31;
}

/* `at`: after typedef, struct or union. Members may be pointers, and what typedef names. A struct without
 * members has a size in C++. */
static bool has_unlike_member(const char *at, bool is_typedef)
{
    int depth = 0;
    torc_token before = {at, 0};
    for (torc_token t = torc_token_next(&at); t.length > 0; t = torc_token_next(&at)) {
        depth += torc_token_is(t, "{") - torc_token_is(t, "}");
        bool is_inside = is_typedef || depth > 0,
             is_empty = torc_token_is(before, "{") && torc_token_is(t, "}");
        if (is_empty ||
            (is_inside && (torc_token_is(t, "*") || (torc_token_is(before, ":") && is_long_width(t))))) {
            return true;
        }
        if (depth == 0 && (is_typedef ? torc_token_is(t, ";") : !torc_token_is_word(t))) {
            return false;
        }
        before = t;
    }
    return false;
}

/* `at`: after enum. Its objects are unsigned to gcc where no value is negative. Constants alone, if they are
 * ints, are that in both languages. */
static bool has_unlike_enum(const char *at)
{
    torc_token before = torc_token_next(&at);
    bool is_plain = torc_token_is(before, "{");
    for (torc_token t = torc_token_next(&at); is_plain && t.length > 0 && !torc_token_is(t, "}");
         t = torc_token_next(&at)) {
        bool is_int = t.length < 10 && strspn(t.text, "0123456789") >= t.length;
        is_plain = torc_token_is(before, "=") || torc_token_is(before, "-")
                       ? is_int || torc_token_is(t, "-")
                       : torc_token_is_word(t) || torc_token_is(t, "=") || torc_token_is(t, ",");
        before = t;
    }
    return !is_plain || !torc_token_is(torc_token_next(&at), ";");
}

/* `at`: after sizeof. Types and objects have the same size; of what is computed, only multiplying and looking
 * up are sure not to be a character or a comparison. */
static bool has_another_size(const char *at)
{
    int depth = 0;
    torc_token t = torc_token_next(&at);
    do {
        depth += torc_token_is(t, "(") - torc_token_is(t, ")");
        bool is_plain = torc_token_is_word(t) || strchr("().*[]", *t.text) || torc_token_is(t, "->");
        if (!is_plain || torc_token_is(t, "true") || torc_token_is(t, "false") || torc_token_is(t, "NULL")) {
            return true;
        }
        t = torc_token_next(&at);
    } while (depth > 0 && t.length > 0);
    return false;
}

bool torc_source_keeps_meaning(const char *source)
{
    if (torc_source_has_state(source)) {
        return false;
    }
    torc_token before = {source, 0};
    for (torc_token t = torc_token_next(&source); t.length > 0; t = torc_token_next(&source)) {
        bool is_typedef = torc_token_is(t, "typedef");
        bool is_long_double = (torc_token_is(before, "long") && torc_token_is(t, "double")) ||
                              (torc_token_is(before, "double") && torc_token_is(t, "long"));
        bool is_condition = torc_token_is(before, "#") && t.length > 1 && memcmp(t.text, "if", 2) == 0;
        if (is_foreign_word(t) || is_condition || is_long_double || is_long_real(t) ||
            (torc_token_is(t, "sizeof") && has_another_size(source)) ||
            (torc_token_is(t, "enum") && has_unlike_enum(source)) ||
            ((is_typedef || torc_token_is(t, "struct") || torc_token_is(t, "union")) &&
                has_unlike_member(source, is_typedef))) {
            return false;
        }
        before = t;
    }
    return true;
}
