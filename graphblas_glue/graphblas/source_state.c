#include "source_state.h"
#include "source_tokens.h"
#include <string.h>

typedef enum declaration {
    DECLARES_NO_OBJECT, /* or a constant */
    DECLARES_FUNCTION,  /* which it also defines */
    DECLARES_STATE,
} declaration;

/* `at`: after the first one. */
static const char *skip_parentheses(const char *at)
{
    int depth = 1;
    while (depth > 0) {
        torc_token t = torc_token_next(&at);
        depth = t.length == 0 ? 0 : depth + torc_token_is(t, "(") - torc_token_is(t, ")");
    }
    return at;
}

/* `at`: after ( in a declaration. */
static declaration read_function(const char *at)
{
    const char *inside = at, *behind = skip_parentheses(at);
    bool is_pointer = torc_token_is(torc_token_next(&inside), "*");
    return is_pointer || !torc_token_is(torc_token_next(&behind), "{") ? DECLARES_STATE : DECLARES_FUNCTION;
}

/* `at`: where it begins. *name: of a function. */
static declaration read_declaration(torc_token *name, const char *at)
{
    bool is_const = false, is_pointer = false, is_tag = false;
    int braces = 0;
    torc_token before = {at, 0};
    for (torc_token t = torc_token_next(&at); t.length > 0; t = torc_token_next(&at)) {
        braces += torc_token_is(t, "{") - torc_token_is(t, "}");
        if (braces == 0 && torc_token_is(t, "(")) {
            *name = before;
            return read_function(at);
        }
        if (braces == 0 && strchr(";=[,", *t.text)) {
            bool is_object = before.length > 0 && !is_tag && !torc_token_is(before, "}");
            return is_object && (is_pointer || !is_const) ? DECLARES_STATE : DECLARES_NO_OBJECT;
        }
        is_const = is_const || torc_token_is(t, "const");
        is_pointer = is_pointer || (braces == 0 && torc_token_is(t, "*"));
        is_tag = torc_token_is(before, "struct") || torc_token_is(before, "union");
        before = t;
    }
    return DECLARES_NO_OBJECT;
}

static const char *skip_typedef(const char *at)
{
    int braces = 0;
    torc_token t;
    do {
        t = torc_token_next(&at);
        braces += torc_token_is(t, "{") - torc_token_is(t, "}");
    } while (t.length > 0 && (braces > 0 || !torc_token_is(t, ";")));
    return at;
}

bool torc_source_has_state(const char *source)
{
    int braces = 0;
    bool begins = true;
    torc_token function = {"", 0}, before = function;
    for (torc_token t = torc_token_next(&source); t.length > 0; t = torc_token_next(&source)) {
        if (torc_token_is(t, "#")) {
            source = torc_source_line_end(source);
            continue;
        }
        if (torc_token_is(t, "typedef")) {
            source = skip_typedef(source);
            continue;
        }
        bool calls_itself = braces > 0 && torc_token_is(t, "(") && before.length > 0 &&
                            before.length == function.length &&
                            memcmp(before.text, function.text, before.length) == 0;
        bool is_declaration = begins || torc_token_is(t, "static");
        if (calls_itself || (is_declaration && read_declaration(&function, t.text) == DECLARES_STATE)) {
            return true;
        }
        braces += torc_token_is(t, "{") - torc_token_is(t, "}");
        begins = braces == 0 && (torc_token_is(t, ";") || torc_token_is(t, "}"));
        before = t;
    }
    return false;
}
