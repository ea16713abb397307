/* explain.c: torc explain FILE.mtx --n N --semiring S: which kernel would compute that product, and why. The
 * columns of B and C lie as GraphBLAS's full matrices by row do, and nothing is computed. */
#include "tool.h"

#include "bit_packing.h"
#include "explanation.h"
#include "footprint.h"
#include "matrix_market.h"
#include "partition.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double COPIED = .875; /* of the memory's bandwidth, by a copy on an H200: bench/results/ */

/* Beyond so many rows an entry GraphBLAS keeps a matrix hypersparse, and the engine gets other rows. */
enum { MOST_ROWS_AN_ENTRY = 16, ROWS_ANYWAY = 1 << 20 };

typedef struct arguments {
    const char *path, *semiring_name;
    torc_semiring semiring;
    int64_t ncols;
    bool is_json;
} arguments;

static int fail(const char *what, const char *problem)
{
    fprintf(stderr, "torc explain: %s: %s\n", what, problem);
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

static int parse(arguments *found, int argc, char **argv)
{
    static const struct option names[] = {{"n", required_argument, NULL, 'n'},
        {"semiring", required_argument, NULL, 's'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    *found = (arguments){.ncols = 32, .semiring_name = "plus-times-fp32"};
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (option == 'n' && !parse_width(&found->ncols, optarg)) {
            return fail(optarg, "not a number of columns");
        }
        if (option == 's') {
            found->semiring_name = optarg;
        }
        if (option == '?') {
            return fail(argv[optind - 1], "not an option, or without its argument");
        }
        found->is_json = found->is_json || option == 'j';
    }
    if (optind != argc - 1) {
        return fail("FILE.mtx", optind < argc ? "only one matrix at a time" : "which matrix?");
    }
    found->path = argv[optind];
    return parse_semiring(&found->semiring, found->semiring_name)
               ? 0
               : fail(found->semiring_name, "no such semiring; one is plus-times-fp32");
}

/* Entries as they come: `entries` grow by what is there, not by what is announced. */
typedef struct entry_list {
    struct {
        uint32_t row, column;
    } * entries;
    size_t count, capacity;
} entry_list;

static bool append(entry_list *list, uint64_t row, uint64_t column)
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
    list->entries[list->count++].column = (uint32_t)column;
    return true;
}

static bool read_entries(entry_list *list, torc_mtx *mtx)
{
    torc_mtx_entry entry;
    bool has_memory = true;
    while (has_memory && torc_mtx_next(&entry, mtx)) {
        has_memory = append(list, entry.row, entry.column);
        if (has_memory && mtx->is_symmetric && entry.row != entry.column) {
            has_memory = append(list, entry.column, entry.row);
        }
    }
    return has_memory;
}

/* Statistics as a sparse operand has them; false: not enough memory. */
static bool measure(torc_statistics *statistics, const entry_list *list, int64_t nrows, int64_t ncols)
{
    int64_t *row_ptr = calloc((size_t)nrows + 2, sizeof *row_ptr);
    uint32_t *col_idx = calloc(list->count + 1, sizeof *col_idx);
    bool has_memory = row_ptr && col_idx;
    if (has_memory) {
        for (size_t p = 0; p < list->count; p++) {
            row_ptr[list->entries[p].row + 2]++;
        }
        for (int64_t i = 1; i <= nrows; i++) {
            row_ptr[i + 1] += row_ptr[i];
        }
        for (size_t p = 0; p < list->count; p++) { /* row i's next place is row_ptr[i+1], at last its end */
            col_idx[row_ptr[list->entries[p].row + 1]++] = list->entries[p].column;
        }
        torc_partition partition;
        torc_window windows[TORC_WINDOWS];
        torc_partition_measure(&partition, row_ptr, 64, nrows, ncols);
        torc_footprint_count(windows, col_idx, (int64_t)list->count, nrows, ncols);
        *statistics = partition.statistics;
        torc_footprint_set(statistics, windows);
    }
    free(row_ptr);
    free(col_idx);
    return has_memory;
}

/* Statistics of the matrix; has_values as the file says. */
static int read_rows(torc_statistics *rows, bool *has_values, const char *path)
{
    torc_mtx mtx;
    entry_list list = {0};
    int status = 0;
    bool is_read = torc_mtx_open(&mtx, path);
    if (is_read && (mtx.nrows > UINT32_MAX || mtx.ncols > UINT32_MAX)) {
        status = fail(path, "more than 2^32-1 rows or columns");
    } else if (is_read && !read_entries(&list, &mtx)) {
        status = fail(path, "not enough memory");
    } else if (mtx.error[0]) {
        fprintf(stderr, "torc explain: %s\n", mtx.error);
        status = TORC_EXIT_FAILED;
    } else if (mtx.nrows > ROWS_ANYWAY && mtx.nrows / MOST_ROWS_AN_ENTRY > list.count) {
        status = fail(path, "fewer than one entry in 16 rows");
    } else if (!measure(rows, &list, (int64_t)mtx.nrows, (int64_t)mtx.ncols)) {
        status = fail(path, "not enough memory");
    }
    *has_values = mtx.has_values;
    free(list.entries);
    torc_mtx_close(&mtx);
    return status;
}

/* The device that there is, or an H200. */
static void look_at_device(torc_explanation *e, torc_context *described)
{
    torc_options options;
    torc_options_from_environment(&options);
    torc_context *context = NULL;
    torc_device_info info = {0};
    if (torc_context_create(&context, &options) == TORC_SUCCESS) {
        torc_context_info(&info, context);
    }
    torc_context_destroy(context);
    e->rule = options.kernel ? options.kernel : "";
    e->is_assumed = info.multiprocessors == 0;
    snprintf(e->device, sizeof e->device, "%s", e->is_assumed ? "NVIDIA H200" : info.name);
    *described = (torc_context){
        .facts = torc_device_complete(torc_device_facts_of(&info)), .precision = options.precision};
}

/* As torc_spmm would ask. */
static void pose(torc_explanation *e, torc_semiring semiring, bool has_values, torc_context *context)
{
    static const torc_update overwrite = {0};
    torc_traits traits = torc_semiring_traits(semiring);
    torc_sparse A = {.context = context,
        .type = semiring.type,
        .access = has_values ? TORC_ACCESS_ARRAY : TORC_ACCESS_ISO,
        .csr.wide_offsets = e->rows.nnz > UINT32_MAX,
        .partition.statistics = e->rows};
    torc_dense B = {e->rows.ncols, e->ncols, e->ncols, TORC_ROW_MAJOR, semiring.type, false, NULL, NULL};
    torc_dense C = {e->rows.nrows, e->ncols, e->ncols, TORC_ROW_MAJOR, traits.z_type, false, NULL, NULL};
    e->is_packed = torc_packing_pays(&C, semiring, &A, &B);
    if (e->is_packed) {
        B.ncols = B.ld = C.ncols = C.ld = (e->ncols + TORC_WORD_COLUMNS - 1) / TORC_WORD_COLUMNS;
        B.type = C.type = TORC_UINT64;
    }
    e->problem = torc_problem_of(&C, semiring, &A, &B, &overwrite, e->is_packed);
    e->problem.rows = &e->rows;
}

static int compare_times(const void *x, const void *y)
{
    double a = ((const torc_candidate *)x)->time.seconds, b = ((const torc_candidate *)y)->time.seconds;
    return (a > b) - (a < b);
}

static void answer(torc_explanation *e)
{
    torc_floor bytes = torc_floor_of(&e->problem);
    e->bandwidth = COPIED * e->problem.device.bandwidth;
    e->compulsory = bytes.compulsory / e->bandwidth;
    e->gather = bytes.gather / e->bandwidth;
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    e->count = torc_list_candidates(list, &e->problem);
    for (int i = 0; i < e->count; i++) {
        e->candidates[i].kernel = list[i];
        e->candidates[i].time = torc_predict(&list[i], &e->problem, &torc_measured_rates);
        torc_kernel_name(e->candidates[i].name, &list[i]);
    }
    qsort(e->candidates, (size_t)e->count, sizeof e->candidates[0], compare_times);
    const struct {
        const char *rule;
        char *name;
    } rules[] = {{e->rule, e->chosen}, {"yang", e->yang}, {"huang", e->huang}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        torc_spmm_kernel kernel = torc_select_kernel(&e->problem, rules[i].rule);
        torc_kernel_name(rules[i].name, &kernel);
    }
}

int torc_explain(int argc, char **argv)
{
    arguments asked;
    torc_context context;
    bool has_values;
    int status = parse(&asked, argc, argv);
    if (status != 0) {
        return status;
    }
    torc_explanation e = {.path = asked.path, .semiring = asked.semiring_name, .ncols = asked.ncols};
    status = read_rows(&e.rows, &has_values, asked.path);
    if (status != 0) {
        return status;
    }
    look_at_device(&e, &context);
    pose(&e, asked.semiring, has_values, &context);
    answer(&e);
    if (asked.is_json) {
        torc_explanation_print_json(&e);
    } else {
        torc_explanation_print(&e);
    }
    return 0;
}
