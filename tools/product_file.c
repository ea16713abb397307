/* product_file.c: the command line and the file of a product that a command is asked about. */
#include "product_file.h"

#include "matrix_market.h"
#include "tool.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many rows an entry GraphBLAS keeps a matrix hypersparse, and the engine gets other rows. */
enum { MOST_ROWS_AN_ENTRY = 16, ROWS_ANYWAY = 1 << 20 };

int torc_product_fail(const char *command, const char *what, const char *problem)
{
    fprintf(stderr, "torc %s: %s: %s\n", command, what, problem);
    return TORC_EXIT_FAILED;
}

/* "plus-times-fp32". */
static bool parse_semiring(torc_semiring *semiring, const char *name)
{
    int count = TORC_MONOID_COUNT * TORC_MULTIPLY_COUNT * TORC_TYPE_COUNT;
    for (int i = 0; i < count; i++) {
        *semiring = (torc_semiring){(torc_monoid)(i / TORC_TYPE_COUNT / TORC_MULTIPLY_COUNT),
            (torc_multiply)(i / TORC_TYPE_COUNT % TORC_MULTIPLY_COUNT), (torc_type)(i % TORC_TYPE_COUNT),
            NULL, false};
        char known[64];
        snprintf(known, sizeof known, "%s-%s-%s", torc_monoid_name(semiring->add),
            torc_multiply_name(semiring->multiply), torc_type_name(semiring->type));
        if (strcmp(known, name) == 0) {
            return torc_semiring_traits(*semiring).is_supported;
        }
    }
    return false;
}

static bool parse_width(int64_t *ncols, const char *text)
{
    char *end;
    *ncols = strtoll(text, &end, 10);
    return end != text && *end == '\0' && *ncols >= 1 && *ncols <= INT32_MAX;
}

int torc_product_parse(torc_product_question *found, int argc, char **argv)
{
    static const struct option names[] = {{"n", required_argument, NULL, 'n'},
        {"semiring", required_argument, NULL, 's'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    *found = (torc_product_question){.command = argv[0], .ncols = 32, .semiring_name = "plus-times-fp32"};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (option == 'n' && !parse_width(&found->ncols, optarg)) {
            return torc_product_fail(argv[0], optarg, "not a number of columns");
        }
        if (option == 's') {
            found->semiring_name = optarg;
        }
        if (option == '?') { /* in the midst of -xyz getopt has not gone on to the next word */
            char letter[] = {'-', (char)optopt, '\0'};
            bool is_letter = optopt != 0 && !strchr("nsj", optopt);
            return torc_product_fail(
                argv[0], is_letter ? letter : argv[optind - 1], "not an option, or without its argument");
        }
        found->is_json = found->is_json || option == 'j';
    }
    if (optind != argc - 1) {
        return torc_product_fail(
            argv[0], "FILE.mtx", optind < argc ? "only one matrix at a time" : "which matrix?");
    }
    found->path = argv[optind];
    return parse_semiring(&found->semiring, found->semiring_name)
               ? 0
               : torc_product_fail(argv[0], found->semiring_name, "no such semiring; one is plus-times-fp32");
}

/* Entries as they come: `entries` grow by what is there, not by what is announced. */
typedef struct entry_list {
    struct {
        uint32_t row, column;
        double value;
    } * entries;
    size_t count, capacity;
} entry_list;

static bool append(entry_list *list, uint64_t row, uint64_t column, double value)
{
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 1024;
        void *grown = realloc(list->entries, capacity * sizeof *list->entries);
        if (!grown) {
            return false;
        }
        list->entries = grown;
        list->capacity = capacity;
    }
    list->entries[list->count].row = (uint32_t)row;
    list->entries[list->count].column = (uint32_t)column;
    list->entries[list->count++].value = value;
    return true;
}

static bool read_entries(entry_list *list, torc_mtx *mtx)
{
    torc_mtx_entry entry;
    bool has_memory = true;
    while (has_memory && torc_mtx_next(&entry, mtx)) {
        has_memory = append(list, entry.row, entry.column, entry.value);
        if (has_memory && mtx->is_symmetric && entry.row != entry.column) {
            has_memory = append(list, entry.column, entry.row, mtx->mirrored * entry.value);
        }
    }
    return has_memory;
}

/* False: not enough memory. */
static bool sort_by_row(torc_file_matrix *m, const entry_list *list)
{
    int64_t *next = m->row_ptr = calloc((size_t)m->nrows + 2, sizeof *next);
    m->col_idx = calloc(list->count + 1, sizeof *m->col_idx);
    m->values = calloc(list->count + 1, sizeof *m->values);
    if (!next || !m->col_idx || !m->values) {
        return false;
    }
    for (size_t p = 0; p < list->count; p++) {
        next[list->entries[p].row + 2]++;
    }
    for (int64_t i = 1; i <= m->nrows; i++) {
        next[i + 1] += next[i];
    }
    for (size_t p = 0; p < list->count; p++) { /* row i's next place is next[i+1], at last its end */
        int64_t at = next[list->entries[p].row + 1]++;
        m->col_idx[at] = list->entries[p].column;
        m->values[at] = list->entries[p].value;
    }
    return true;
}

int torc_file_matrix_read(torc_file_matrix *m, const torc_product_question *asked)
{
    torc_mtx mtx;
    entry_list list = {0};
    int status = 0;
    *m = (torc_file_matrix){0};
    bool is_read = torc_mtx_open(&mtx, asked->path);
    if (is_read && (mtx.nrows > UINT32_MAX || mtx.ncols > UINT32_MAX)) {
        status = torc_product_fail(asked->command, asked->path, "more than 2^32-1 rows or columns");
    } else if (is_read && !read_entries(&list, &mtx)) {
        status = torc_product_fail(asked->command, asked->path, "not enough memory");
    } else if (mtx.error[0]) {
        fprintf(stderr, "torc %s: %s\n", asked->command, mtx.error);
        status = TORC_EXIT_FAILED;
    } else if (mtx.nrows > ROWS_ANYWAY && mtx.nrows / MOST_ROWS_AN_ENTRY > list.count) {
        status = torc_product_fail(asked->command, asked->path, "fewer than one entry in 16 rows");
    } else {
        m->nrows = (int64_t)mtx.nrows;
        m->ncols = (int64_t)mtx.ncols;
        m->has_values = mtx.has_values;
        status =
            sort_by_row(m, &list) ? 0 : torc_product_fail(asked->command, asked->path, "not enough memory");
    }
    free(list.entries);
    torc_mtx_close(&mtx);
    return status;
}

void torc_file_matrix_free(torc_file_matrix *m)
{
    free(m->row_ptr);
    free(m->col_idx);
    free(m->values);
}
