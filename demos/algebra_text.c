/* algebra_text.c: find the braces that belong together; what is between them is left to the compiler, which
 * is told which part each line is of. */
#include "algebra_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE, EDGE, BETTER, MULTIPLY, SOURCE, NOTHING, SHOW, PARTS };

static const char *const names[PARTS] = {"type", "edge", "better", "multiply", "source", "nothing", "show"};
static const char *const all_names = "type, edge, better, multiply, source, nothing, show";

typedef struct part {
    const char *begin; /* NULL: not there yet */
    int length;
} part;

__attribute__((format(printf, 2, 3))) static bool fail(
    char error[TORC_ALGEBRA_ERROR], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, TORC_ALGEBRA_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

static int count_newlines(const char *text)
{
    int count = 0;
    while ((text = strchr(text, '\n'))) {
        count++;
        text++;
    }
    return count;
}

static char *read_file(const char *name, char error[TORC_ALGEBRA_ERROR])
{
    errno = 0;
    FILE *file = fopen(name, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = file ? getdelim(&text, &size, '\0', file) : -1;
    bool is_read = false;
    if (!file || (length < 0 && ferror(file))) {
        fail(error, "%s: %s", name, strerror(errno));
    } else if (length <= 0) {
        fail(error, "%s: an empty file", name);
    } else if (text[length - 1] == '\0') {
        fail(error, "%s, line %d: there is a NUL byte", name, 1 + count_newlines(text));
    } else {
        is_read = true;
    }
    if (!is_read) {
        free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at) || *at == '#') {
        at += *at == '#' ? strcspn(at, "\n") : 1;
    }
    return at;
}

/* The brace that closes the one before `at`, or NULL. */
static const char *closing_brace(const char *at)
{
    for (int depth = 1; *at; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0) {
            return at;
        }
    }
    return NULL;
}

static bool find_parts(part parts[PARTS], const char *text, char error[TORC_ALGEBRA_ERROR])
{
    for (const char *at = skip_space(text); *at; at = skip_space(at)) {
        int length = 0, p = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') {
            length++;
        }
        while (
            p < PARTS && !((int)strlen(names[p]) == length && strncmp(names[p], at, (size_t)length) == 0)) {
            p++;
        }
        if (p == PARTS) {
            return fail(error, "'%.*s' is none of its parts: %s", length ? length : (int)strcspn(at, "\n"),
                at, all_names);
        }
        if (parts[p].begin) {
            return fail(error, "two parts '%s'", names[p]);
        }
        at = skip_space(at + length);
        const char *end = *at == '{' ? closing_brace(at + 1) : NULL;
        if (!end) {
            return fail(error, "'%s' without C between braces", names[p]);
        }
        parts[p] = (part){at + 1, (int)(end - at - 1)};
        at = end + 1;
    }
    for (int p = 0; p < PARTS; p++) {
        if (!parts[p].begin) {
            return fail(error, "no part '%s'; there must be %s", names[p], all_names);
        }
    }
    return true;
}

__attribute__((format(printf, 1, 2))) static char *print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    return text;
}

#define PART(p) parts[p].length, parts[p].begin

static bool write_definitions(torc_algebra_text *text, const part parts[PARTS])
{
    text->type = print("typedef struct {%.*s} path ;", PART(TYPE));
    text->better = print("void path_better (bool *z, const path *px, const path *py)\n"
                         "{ const path x = *px, y = *py ; *z = (%.*s) ; }",
        PART(BETTER));
    text->add = print("void path_add (path *z, const path *px, const path *py)\n"
                      "{ const path x = *px, y = *py ; *z = (%.*s) ? x : y ; }",
        PART(BETTER));
    text->multiply = print("void path_multiply (path *pz, const path *py, const path *px)\n"
                           "{ const path x = *px, y = *py ; path z ; %.*s ; *pz = z ; }",
        PART(MULTIPLY));
    return text->type && text->better && text->add && text->multiply;
}

static bool write_host(torc_algebra_text *text, const part parts[PARTS])
{
    text->host =
        print("#include <float.h>\n#include <limits.h>\n#include <math.h>\n#include <stdbool.h>\n"
              "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
              "#line 1 \"type\"\n%s\n"
              "#line 1 \"better\"\n%s\n%s\n"
              "#line 1 \"multiply\"\n%s\n"
              "#line 1 \"edge\"\n"
              "void path_edge (path *pz, double w) { path z ; %.*s ; *pz = z ; }\n"
              "#line 1 \"source\"\nconst path path_source = {%.*s} ;\n"
              "#line 1 \"nothing\"\nconst path path_nothing = {%.*s} ;\n"
              "#line 1 \"show\"\n"
              "int path_show (char *to, size_t size, const path *px)\n"
              "{ const path x = *px ; return snprintf (to, size, %.*s) ; }\n"
              "bool path_is_better (const path *x, const path *y)\n"
              "{ bool z ; path_better (&z, x, y) ; return z ; }\n"
              "void path_extend (path *z, const path *x, const path *y) { path_multiply (z, y, x) ; }\n"
              "const size_t path_size = sizeof (path) ;\n",
            text->type, text->better, text->add, text->multiply, PART(EDGE), PART(SOURCE), PART(NOTHING),
            PART(SHOW));
    return text->host;
}

bool torc_algebra_text_read(torc_algebra_text *text, const char *argument, char error[TORC_ALGEBRA_ERROR])
{
    part parts[PARTS] = {{0}};
    *text = (torc_algebra_text){0};
    char *read = strchr(argument, '{') ? NULL : read_file(argument, error);
    if (!read && !strchr(argument, '{')) {
        return false;
    }
    bool is_read = find_parts(parts, read ? read : argument, error);
    if (is_read && !(write_definitions(text, parts) && write_host(text, parts))) {
        is_read = fail(error, "not enough memory");
    }
    free(read);
    return is_read;
}

void torc_algebra_text_release(torc_algebra_text *text)
{
    free(text->type);
    free(text->add);
    free(text->multiply);
    free(text->better);
    free(text->host);
    *text = (torc_algebra_text){0};
}
