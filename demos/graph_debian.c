/* graph_debian.c: one pass collects packages, relations and provided names; then the names are resolved. */
#include "graph_debian.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "name_table.h"
#include "text_lines.h"

typedef struct text {
    char *s;
    size_t length, capacity;
} text;

typedef struct pair {
    uint64_t package, symbol;
} pair;

typedef struct pair_list {
    pair *items;
    uint64_t count, capacity;
} pair_list;

typedef struct debian_reader {
    torc_graph *graph;
    torc_text_lines lines;
    const char *source;      /* for messages */
    torc_names packages;     /* the vertices */
    torc_names symbols;      /* every name that occurs in a relation or is provided */
    pair_list relations;     /* the package needs the symbol */
    pair_list provides;      /* the package provides the symbol */
    text name, needs, gives; /* of the stanza being read: Package; its relations, joined; Provides */
} debian_reader;

static bool fail(debian_reader *reader, const char *what)
{
    return torc_graph_fail(
        reader->graph, "%s, line %llu: %s", reader->source, (unsigned long long)reader->lines.number, what);
}

static bool append(debian_reader *reader, text *to, char separator, const char *s)
{
    size_t length = strlen(s);
    if (to->length + length + 2 > to->capacity) {
        size_t capacity = 2 * (to->length + length + 2);
        char *grown = realloc(to->s, capacity);
        if (!grown) {
            return fail(reader, "not enough memory");
        }
        to->s = grown;
        to->capacity = capacity;
    }
    to->s[to->length] = separator;
    memcpy(to->s + to->length + 1, s, length + 1);
    to->length += length + 1;
    return true;
}

static bool add_pair(debian_reader *reader, pair_list *list, pair item)
{
    if (list->count == list->capacity) {
        uint64_t capacity = list->capacity ? 2 * list->capacity : 1024;
        pair *grown = realloc(list->items, capacity * sizeof *grown);
        if (!grown) {
            return fail(reader, "not enough memory");
        }
        list->items = grown;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

/* Enter each name of a relation field: between commas and bars, up to a blank or a qualifier. */
static bool add_names(debian_reader *reader, pair_list *list, uint64_t package, const text *field)
{
    const char *at = field->length ? field->s : "";
    while (*at) {
        at += strspn(at, ",| \t");
        size_t length = strcspn(at, ",| \t([<:");
        if (length > 0) {
            uint64_t symbol = torc_names_enter(&reader->symbols, at, length);
            if (symbol == TORC_NO_NAME) {
                return fail(reader, "not enough memory");
            }
            if (!add_pair(reader, list, (pair){package, symbol})) {
                return false;
            }
        }
        at += strcspn(at, ",|");
    }
    return true;
}

static bool finish_stanza(debian_reader *reader)
{
    text *name = &reader->name;
    bool is_empty = name->length == 0 && reader->needs.length == 0 && reader->gives.length == 0;
    if (is_empty) {
        return true;
    }
    const char *first = name->length ? name->s + strspn(name->s, ", \t") : "";
    size_t length = strcspn(first, ", \t");
    if (length == 0) {
        return fail(reader, "a stanza ends that names no package");
    }

    uint64_t known = reader->packages.count;
    uint64_t package = torc_names_enter(&reader->packages, first, length);
    if (package == TORC_NO_NAME) {
        return fail(reader, "not enough memory");
    }
    bool is_done = package < known || (add_names(reader, &reader->relations, package, &reader->needs) &&
                                          add_names(reader, &reader->provides, package, &reader->gives));
    name->length = reader->needs.length = reader->gives.length = 0;
    return is_done;
}

/* Where the value of a field is collected; NULL for the fields that do not matter here. */
static text *field_text(debian_reader *reader, const char *field, size_t length)
{
    const struct {
        const char *name;
        text *to;
    } known[] = {{"Package", &reader->name}, {"Depends", &reader->needs}, {"Pre-Depends", &reader->needs},
        {"Recommends", &reader->needs}, {"Provides", &reader->gives}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == length && strncasecmp(known[i].name, field, length) == 0) {
            return known[i].to;
        }
    }
    return NULL;
}

static bool read_stanzas(debian_reader *reader)
{
    text *current = NULL;
    while (torc_text_lines_next(&reader->lines)) {
        const char *line = reader->lines.text;
        bool is_done = true;
        if (line[strspn(line, " \t")] == '\0') {
            current = NULL;
            is_done = finish_stanza(reader);
        } else if (line[0] == ' ' || line[0] == '\t') {
            is_done = !current || append(reader, current, ' ', line);
        } else {
            size_t length = strcspn(line, ":");
            if (line[length] != ':') {
                return fail(reader, "neither a field nor its continuation");
            }
            current = field_text(reader, line, length);
            is_done = !current || append(reader, current, ',', line + length + 1);
        }
        if (!is_done) {
            return false;
        }
    }
    return finish_stanza(reader);
}

/* Edges from relations, and the packages' names to the graph. */
static bool resolve(debian_reader *reader)
{
    torc_graph *graph = reader->graph;
    torc_names *packages = &reader->packages, *symbols = &reader->symbols;
    if (packages->count == 0) {
        return torc_graph_fail(graph, "%s: no packages (apt-get update fetches the lists)", reader->source);
    }
    for (uint64_t p = 0; p < packages->count; p++) {
        if (torc_names_enter(symbols, packages->names[p], strlen(packages->names[p])) == TORC_NO_NAME) {
            return fail(reader, "not enough memory");
        }
    }

    /* package[s]: the package of that name, + 1. provider[s]: the last provision of s, + 1; next: the one
     * before */
    uint64_t *package = calloc(symbols->count, sizeof *package);
    uint64_t *provider = calloc(symbols->count, sizeof *provider);
    uint64_t *next = calloc(reader->provides.count + 1, sizeof *next);
    bool is_done = package && provider && next;
    for (uint64_t p = 0; is_done && p < packages->count; p++) {
        package[torc_names_enter(symbols, packages->names[p], strlen(packages->names[p]))] = p + 1;
    }
    for (uint64_t i = 0; is_done && i < reader->provides.count; i++) {
        uint64_t symbol = reader->provides.items[i].symbol;
        next[i] = provider[symbol];
        provider[symbol] = i + 1;
    }
    if (!is_done) {
        fail(reader, "not enough memory");
    }
    for (uint64_t i = 0; is_done && i < reader->relations.count; i++) {
        pair need = reader->relations.items[i];
        if (package[need.symbol]) {
            is_done = torc_graph_add_edge(graph, need.package, package[need.symbol] - 1);
        } else {
            for (uint64_t at = provider[need.symbol]; is_done && at; at = next[at - 1]) {
                is_done = torc_graph_add_edge(graph, need.package, reader->provides.items[at - 1].package);
            }
        }
    }
    free(package);
    free(provider);
    free(next);

    graph->names = packages->names;
    graph->nvertices = packages->count;
    packages->names = NULL;
    packages->count = 0;
    return is_done;
}

static bool read_all(debian_reader *reader)
{
    bool is_read = read_stanzas(reader);
    const char *damage = torc_text_lines_error(&reader->lines);
    if (damage) {
        is_read = fail(reader, damage);
    }
    is_read = is_read && resolve(reader);

    torc_text_lines_close(&reader->lines);
    torc_names_release(&reader->packages);
    torc_names_release(&reader->symbols);
    free(reader->relations.items);
    free(reader->provides.items);
    free(reader->name.s);
    free(reader->needs.s);
    free(reader->gives.s);
    return is_read;
}

static bool read_apt_cache(debian_reader *reader)
{
    static const char command[] = "apt-cache dumpavail";
    reader->source = command;
    FILE *pipe = popen(command, "r");
    if (!pipe) {
        return torc_graph_fail(reader->graph, "%s: %s", command, strerror(errno));
    }
    int descriptor = dup(fileno(pipe));
    reader->lines.file = descriptor >= 0 ? gzdopen(descriptor, "rb") : NULL;
    bool is_read = reader->lines.file ? read_all(reader)
                                      : torc_graph_fail(reader->graph, "%s: %s", command, strerror(errno));
    int status = pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return torc_graph_fail(reader->graph, "%s: there is no apt-cache on this machine", command);
    }
    return is_read;
}

bool torc_graph_read_debian(torc_graph *graph, const char *path)
{
    *graph = (torc_graph){0};
    debian_reader reader = {.graph = graph};
    if (!path) {
        return read_apt_cache(&reader);
    }
    reader.source = torc_text_name(path);
    reader.lines.file = gzopen(path, "rb");
    if (!reader.lines.file) {
        return torc_graph_fail(graph, "%s: %s", reader.source, strerror(errno ? errno : ENOMEM));
    }
    return read_all(&reader);
}
