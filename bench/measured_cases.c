#include "measured_cases.h"
#include "bench_facts.h"
#include "bench_require.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 32, MAX_LINE = 1024 };

static const char *const wanted[] = {"matrix", "rows", "cols", "nnz", "mean", "deviation", "empty_rows",
    "max_row", "near", "far", "sectors", "N", "type", "semiring", "contender", "cache", "ms"};
enum {
    MATRIX,
    ROWS,
    COLS,
    NNZ,
    MEAN,
    DEVIATION,
    EMPTY_ROWS,
    MAX_ROW,
    NEAR,
    FAR,
    SECTORS,
    N,
    TYPE,
    SEMIRING,
    CONTENDER,
    CACHE,
    MS,
    WANTED
};

typedef struct reader {
    bench_measurements *measurements;
    const char *path;
    int place[WANTED]; /* of each column among the fields of a line; -1: not there */
    bool has_header;
} reader;

static int cut(char **fields, char *line)
{
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line, *field; count < MAX_FIELDS && (field = strsep(&rest, ","));) {
        fields[count++] = field;
    }
    return count;
}

static void read_header(reader *r, char **fields, int count)
{
    for (int w = 0; w < WANTED; w++) {
        r->place[w] = -1;
        for (int f = 0; f < count; f++) {
            if (strcmp(fields[f], wanted[w]) == 0) {
                r->place[w] = f;
            }
        }
        bench_require(r->place[w] >= 0, r->path, "lacks a column that torc-bench writes now");
    }
    r->has_header = true;
}

static torc_semiring semiring_of(const char *name, torc_type type)
{
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        size_t length = strlen(torc_monoid_name((torc_monoid)add));
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            if (strncmp(name, torc_monoid_name((torc_monoid)add), length) == 0 && name[length] == '_' &&
                strcmp(name + length + 1, torc_multiply_name((torc_multiply)multiply)) == 0) {
                return (torc_semiring){(torc_monoid)add, (torc_multiply)multiply, type, NULL, false};
            }
        }
    }
    bench_require(false, name, "no such semiring");
    return (torc_semiring){0};
}

/* As torc-bench multiplies: plain, B and C aligned and without gaps. */
static torc_problem describe(
    torc_semiring semiring, const torc_statistics *rows, int64_t ncols, const torc_device_facts *facts)
{
    static const torc_update overwrite = {0};
    torc_context context = {.facts = torc_device_complete(*facts)};
    torc_sparse A = {.context = &context,
        .type = semiring.type,
        .access = TORC_ACCESS_ARRAY,
        .partition.statistics = *rows};
    torc_dense B = {rows->ncols, ncols, ncols, TORC_ROW_MAJOR, semiring.type, false, NULL, NULL};
    torc_dense C = {rows->nrows, ncols, ncols, TORC_ROW_MAJOR, semiring.type, false, NULL, NULL};
    return torc_problem_of(&C, semiring, &A, &B, &overwrite, false);
}

static bench_measured_case *find_case(reader *r, char *const *field)
{
    bench_measurements *all = r->measurements;
    char name[sizeof all->cases->name];
    snprintf(name, sizeof name, "%s N=%s %s %s", field[MATRIX], field[N], field[TYPE], field[SEMIRING]);
    for (size_t i = all->ncases; i-- > 0;) { /* most often the last one */
        if (strcmp(all->cases[i].name, name) == 0) {
            return &all->cases[i];
        }
    }
    if (all->ncases == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        all->cases = realloc(all->cases, all->capacity * sizeof *all->cases);
        bench_require(all->cases != NULL, r->path, "not enough memory");
    }
    bench_measured_case *made = &all->cases[all->ncases++];
    *made = (bench_measured_case){.rows = {
                                      .nrows = atoll(field[ROWS]),
                                      .ncols = atoll(field[COLS]),
                                      .nnz = atoll(field[NNZ]),
                                      .empty_rows = atoll(field[EMPTY_ROWS]),
                                      .max_row = atoll(field[MAX_ROW]),
                                      .mean_row = atof(field[MEAN]),
                                      .deviation_row = atof(field[DEVIATION]),
                                      .near_footprint = atof(field[NEAR]),
                                      .far_footprint = atof(field[FAR]),
                                      .sector_footprint = atof(field[SECTORS]),
                                  }};
    snprintf(made->name, sizeof made->name, "%s", name);
    torc_type type = strcmp(field[TYPE], "fp32") == 0 ? TORC_FP32 : TORC_FP64;
    made->problem = describe(semiring_of(field[SEMIRING], type), &made->rows, atoll(field[N]), &all->facts);
    return made;
}

static void take_row(reader *r, char **fields, int count)
{
    static const char family[] = "torc ";
    char *field[WANTED];
    for (int w = 0; w < WANTED; w++) {
        bench_require(r->place[w] < count, r->path, "a line is cut short");
        field[w] = fields[r->place[w]];
    }
    if (strncmp(field[CONTENDER], family, strlen(family)) != 0 || strcmp(field[CACHE], "warm") != 0) {
        return;
    }
    bench_measured_case *measured = find_case(r, field);
    torc_problem problem = bench_case_problem(measured);
    torc_spmm_kernel list[TORC_MAX_CANDIDATES];
    int ncandidates = torc_list_candidates(list, &problem);
    for (int i = 0; i < ncandidates && measured->count < TORC_MAX_CANDIDATES; i++) {
        char name[TORC_KERNEL_NAME];
        torc_kernel_name(name, &list[i]);
        if (strcmp(name, field[CONTENDER] + strlen(family)) == 0) {
            measured->kernels[measured->count] = list[i];
            measured->seconds[measured->count++] = 1e-3 * atof(field[MS]);
        }
    }
}

/* The name of the device comes before its facts, or its multiprocessors are all that is known. */
static void read_device(torc_device_facts *facts, const char *line)
{
    int multiprocessors;
    if (sscanf(line, "# device: %*[^,], %d multiprocessors", &multiprocessors) == 1) {
        *facts = (torc_device_facts){.multiprocessors = multiprocessors};
    }
    bench_facts_read(facts, line);
}

void bench_measurements_read(bench_measurements *measurements, const char *path)
{
    reader r = {.measurements = measurements, .path = path};
    char line[MAX_LINE];
    FILE *file = fopen(path, "r");
    bench_require(file != NULL, path, "cannot be read");
    while (fgets(line, sizeof line, file)) {
        char *fields[MAX_FIELDS];
        if (line[0] == '#') {
            read_device(&measurements->facts, line);
        } else if (!r.has_header) {
            int count = cut(fields, line);
            read_header(&r, fields, count);
        } else {
            int count = cut(fields, line);
            take_row(&r, fields, count);
        }
    }
    fclose(file);
    bench_require(r.has_header, path, "no CSV of torc-bench");
}

void bench_measurements_free(bench_measurements *measurements)
{
    free(measurements->cases);
    *measurements = (bench_measurements){0};
}

torc_problem bench_case_problem(const bench_measured_case *measured)
{
    torc_problem problem = measured->problem;
    problem.rows = &measured->rows;
    return problem;
}

void bench_measurements_visit(
    int files, char *const paths[], void (*visit)(int file, const bench_measured_case *measured))
{
    for (int file = 1; file <= files; file++) {
        bench_measurements all = {0};
        bench_measurements_read(&all, paths[file - 1]);
        for (size_t i = 0; i < all.ncases; i++) {
            visit(file, &all.cases[i]);
        }
        bench_measurements_free(&all);
    }
}

int bench_case_family_length(const bench_measured_case *measured)
{
    const char *name = measured->name;
    int length = (int)strcspn(name, " "), end = length;
    while (end > 0 && isdigit((unsigned char)name[end - 1])) {
        end--;
    }
    return end > 1 && end < length && name[end - 1] == '-' ? end - 1 : length;
}
