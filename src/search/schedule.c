#include "schedule.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32, WORD = 4, REGISTERS = 65536, REGISTER_UNIT = 8 };
enum { VALUES_ON_THEIR_WAY = 16, ALWAYS = 14 }; /* registers; ours: what NVRTC 13.0 takes is less */
static const double MOST_IMBALANCE = .25, MOST_PADDING = .25;

static int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

int torc_counted_registers(int rows, size_t value_size)
{
    int words = (int)((value_size + WORD - 1) / WORD);
    return ALWAYS + (rows + VALUES_ON_THEIR_WAY) * words;
}

const char *torc_verdict_text(torc_verdict verdict)
{
    static const char *const texts[] = {
#define X(name, text) text,
        TORC_VERDICT_MAP(X)
#undef X
    };
    return texts[verdict];
}

void torc_schedule_name(char name[TORC_SCHEDULE_NAME], const torc_schedule *schedule)
{
    snprintf(name, TORC_SCHEDULE_NAME, "constant/%dx%d%s", schedule->rows, schedule->columns,
        schedule->is_dealt ? "/dealt" : "");
}

bool torc_schedule_parse(torc_schedule *schedule, const char *name)
{
    int length = 0;
    *schedule = (torc_schedule){0};
    bool is_schedule = sscanf(name, "constant/%dx%d%n", &schedule->rows, &schedule->columns, &length) == 2;
    schedule->is_dealt = is_schedule && strcmp(name + length, "/dealt") == 0;
    return is_schedule && schedule->rows >= 1 && schedule->rows <= TORC_MOST_TILE_ROWS &&
           schedule->columns >= 1 && schedule->columns <= TORC_MOST_TILE_COLUMNS;
}

/* ---- Rows of tiles ------------------------------------------------------------------------------------ */

typedef struct measured_row {
    uint32_t length, row;
} measured_row;

/* Longest first; of equals the first one. */
static int compare_rows(const void *x, const void *y)
{
    const measured_row *a = x, *b = y;
    return a->length != b->length ? (a->length < b->length) - (a->length > b->length)
                                  : (a->row > b->row) - (a->row < b->row);
}

/* The last tile may have fewer rows: it is passed by once it is full. */
static void deal(uint32_t *order, const measured_row *rows, int64_t nrows, int tile_rows)
{
    int64_t ntiles = ceiling(nrows, tile_rows), last_rows = nrows - (ntiles - 1) * tile_rows, dealt = 0;
    for (int64_t turn = 0; dealt < nrows; turn++) {
        for (int64_t place = 0; place < ntiles; place++) {
            int64_t tile = turn % 2 ? ntiles - 1 - place : place;
            if (tile < ntiles - 1 || turn < last_rows) {
                order[tile * tile_rows + turn] = rows[dealt++].row;
            }
        }
    }
}

torc_status torc_arrange_rows(uint32_t *order, const torc_host_csr *A, const torc_schedule *schedule)
{
    if (!schedule->is_dealt) {
        for (int64_t i = 0; i < A->nrows; i++) {
            order[i] = (uint32_t)i;
        }
        return TORC_SUCCESS;
    }
    measured_row *rows = malloc((size_t)A->nrows * sizeof *rows + 1);
    if (!rows) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < A->nrows; i++) {
        rows[i] = (measured_row){A->row_ptr[i + 1] - A->row_ptr[i], (uint32_t)i};
    }
    qsort(rows, (size_t)A->nrows, sizeof *rows, compare_rows);
    deal(order, rows, A->nrows, schedule->rows);
    free(rows);
    return TORC_SUCCESS;
}

/* Where tile number `tile` ends in the order. */
static int64_t end_of(const torc_host_csr *A, int64_t tile, int rows)
{
    return (tile + 1) * rows < A->nrows ? (tile + 1) * rows : A->nrows;
}

static int64_t entries_of(const torc_host_csr *A, const uint32_t *order, int64_t tile, int rows)
{
    int64_t entries = 0;
    for (int64_t p = tile * rows; p < end_of(A, tile, rows); p++) {
        entries += A->row_ptr[order[p] + 1] - A->row_ptr[order[p]];
    }
    return entries;
}

double torc_tile_imbalance(const torc_host_csr *A, const uint32_t *order, int rows)
{
    int64_t ntiles = ceiling(A->nrows, rows);
    double mean = (double)A->row_ptr[A->nrows] / (double)ntiles, squares = 0;
    for (int64_t tile = 0; tile < ntiles; tile++) {
        double away = (double)entries_of(A, order, tile, rows) - mean;
        squares += away * away;
    }
    return mean > 0 ? sqrt(squares / (double)ntiles) / mean : 0;
}

/* ---- Cost --------------------------------------------------------------------------------------------- */

/* The cost of an arrangement of rows, as far as it does not depend on N1. */
typedef struct tiling {
    double imbalance;
    double instructions; /* of the largest tile, for 32 columns */
} tiling;

/* Different columns that a tile names. seen: for each column the last tile that did. */
static int64_t columns_of(
    const torc_host_csr *A, const uint32_t *order, int64_t tile, int rows, uint32_t *seen)
{
    int64_t columns = 0;
    for (int64_t p = tile * rows; p < end_of(A, tile, rows); p++) {
        for (uint32_t e = A->row_ptr[order[p]]; e < A->row_ptr[order[p] + 1]; e++) {
            columns += seen[A->col_idx[e]] != tile + 1;
            seen[A->col_idx[e]] = (uint32_t)tile + 1;
        }
    }
    return columns;
}

/* A load per column, a store per row, and per entry a multiplication and an addition; a constant of 8 bytes
 * takes two instructions more. */
static double instructions_of(
    const torc_host_csr *A, const uint32_t *order, int rows, size_t value_size, uint32_t *seen)
{
    enum { START = 24 };
    double most = 0, per_entry = value_size > WORD ? 4 : 2;
    for (int64_t tile = 0; tile < ceiling(A->nrows, rows); tile++) {
        double entries = (double)entries_of(A, order, tile, rows);
        double columns = (double)columns_of(A, order, tile, rows, seen);
        most = fmax(most, START + rows + columns + per_entry * entries);
    }
    return most;
}

/* Blocks of a multiprocessor one after another; each fetches the instructions of its tile once, its warps
 * issue them. Measured on one H200 with fp32 matrices of 512 to 2048 rows, 2 to 30 % full, at N = 32 to 512:
 * what a multiprocessor runs in every launch it keeps, up to some 24 KiB; else a line of eight instructions
 * takes 50 cycles. */
static double predict(
    const tiling *t, const torc_schedule *schedule, int64_t blocks, const torc_device_facts *device)
{
    static const double LAUNCH = 2.2e-6, KEPT_BYTES = 24 << 10, KEPT_RATE = 11e9, FETCH_RATE = 4.7e9;
    enum { INSTRUCTION = 16, SCHEDULERS = 4 };
    double rounds = (double)ceiling(blocks, device->multiprocessors);
    double bytes = rounds * t->instructions * INSTRUCTION;
    double warps = rounds * schedule->columns / WARP;
    double cycles = t->instructions * fmax(1, warps / SCHEDULERS);
    return LAUNCH + bytes / (bytes <= KEPT_BYTES ? KEPT_RATE : FETCH_RATE) + cycles / device->clock;
}

/* ---- Search ------------------------------------------------------------------------------------------- */

static torc_verdict judge(
    const torc_search_problem *problem, const torc_candidate_schedule *candidate, const tiling *t)
{
    const torc_schedule *s = &candidate->schedule;
    int64_t registers = ceiling(candidate->registers, REGISTER_UNIT) * REGISTER_UNIT;
    double padded = (double)(ceiling(problem->ncols, s->columns) * s->columns);
    return registers * s->columns > REGISTERS                          ? TORC_SCHEDULE_REGISTERS
           : s->columns % WARP != 0                                    ? TORC_SCHEDULE_WARPS
           : 2 * candidate->blocks < problem->device.multiprocessors   ? TORC_SCHEDULE_BLOCKS
           : t->imbalance > MOST_IMBALANCE                             ? TORC_SCHEDULE_ROWS
           : (padded - (double)problem->ncols) / padded > MOST_PADDING ? TORC_SCHEDULE_COLUMNS
                                                                       : TORC_SCHEDULE_KEPT;
}

/* Schedules that are kept come first, by time; the others stay in order. */
static int compare_candidates(const void *x, const void *y)
{
    const torc_candidate_schedule *a = x, *b = y;
    bool keeps_a = a->verdict == TORC_SCHEDULE_KEPT, keeps_b = b->verdict == TORC_SCHEDULE_KEPT;
    if (keeps_a != keeps_b) {
        return keeps_b - keeps_a;
    }
    if (keeps_a && a->seconds != b->seconds) {
        return a->seconds < b->seconds ? -1 : 1;
    }
    const torc_schedule *s = &a->schedule, *t = &b->schedule;
    return s->rows != t->rows         ? s->rows - t->rows
           : s->columns != t->columns ? s->columns - t->columns
                                      : s->is_dealt - t->is_dealt;
}

/* All N1 of one arrangement of rows. */
static int list_columns(torc_candidate_schedule *list, const torc_search_problem *problem,
    torc_schedule schedule, const tiling *t)
{
    int count = 0;
    for (schedule.columns = TORC_COLUMN_STEP; schedule.columns <= TORC_MOST_TILE_COLUMNS;
         schedule.columns += TORC_COLUMN_STEP) {
        torc_candidate_schedule *c = &list[count++];
        *c = (torc_candidate_schedule){
            .schedule = schedule,
            .registers = torc_counted_registers(schedule.rows, problem->value_size),
            .blocks = ceiling(problem->A.nrows, schedule.rows) * ceiling(problem->ncols, schedule.columns),
        };
        c->verdict = judge(problem, c, t);
        c->seconds =
            c->verdict == TORC_SCHEDULE_KEPT ? predict(t, &schedule, c->blocks, &problem->device) : 0;
    }
    return count;
}

static int compare_columns(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* A's columns that some entry names, from 0 on: a matrix may have many more. */
static torc_status number_columns(torc_host_csr *numbered, uint32_t *numbers, const torc_host_csr *A)
{
    size_t nnz = A->row_ptr[A->nrows], count = 0;
    uint32_t *named = malloc(nnz * sizeof *named + 1);
    if (!named) {
        return TORC_OUT_OF_MEMORY;
    }
    memcpy(named, A->col_idx, nnz * sizeof *named);
    qsort(named, nnz, sizeof *named, compare_columns);
    for (size_t e = 0; e < nnz; e++) {
        if (e == 0 || named[e] != named[count - 1]) {
            named[count++] = named[e];
        }
    }
    for (size_t e = 0; e < nnz; e++) {
        uint32_t *found = bsearch(&A->col_idx[e], named, count, sizeof *named, compare_columns);
        numbers[e] = (uint32_t)(found - named);
    }
    free(named);
    *numbered = (torc_host_csr){A->nrows, (int64_t)count, A->row_ptr, numbers};
    return TORC_SUCCESS;
}

/* Entries: the instructions of more do not fit what multiprocessors keep from launch to launch. Measured on
 * an H200, fp32, N = 128, on the device alone: 26,000 take 3.2 us where the best general kernel took 5.5,
 * 105,000 take 11.3 where it took 10.2. Rows for each entry: the search walks over all rows, 8 us for each,
 * and nearly all that such a product takes is to write rows of C that have no entries. */
enum { MOST_ENTRIES = 1 << 15, MOST_ROWS = 16 };

bool torc_search_may_gain(int64_t nrows, int64_t nnz)
{
    return nnz > 0 && nnz <= MOST_ENTRIES && nrows <= MOST_ROWS * nnz;
}

int torc_search_schedules(torc_candidate_schedule *list, int *nkept, const torc_search_problem *problem)
{
    const torc_host_csr *A = &problem->A;
    size_t nnz = A->row_ptr[A->nrows];
    uint32_t *order = malloc((size_t)A->nrows * sizeof *order + 1);
    uint32_t *seen = malloc(nnz * sizeof *seen + 1), *numbers = malloc(nnz * sizeof *numbers + 1);
    torc_schedule schedule = {0};
    torc_host_csr numbered;
    int count = 0;
    bool has_memory = order && seen && numbers && number_columns(&numbered, numbers, A) == TORC_SUCCESS;
    for (int s = 0; has_memory && s < 2 * TORC_MOST_TILE_ROWS; s++) {
        schedule.rows = s / 2 + 1;
        schedule.is_dealt = s % 2;
        has_memory = torc_arrange_rows(order, A, &schedule) == TORC_SUCCESS;
        if (has_memory) {
            memset(seen, 0, (size_t)numbered.ncols * sizeof *seen);
            tiling t = {torc_tile_imbalance(A, order, schedule.rows),
                instructions_of(&numbered, order, schedule.rows, problem->value_size, seen)};
            count += list_columns(list + count, problem, schedule, &t);
        }
    }
    free(order);
    free(seen);
    free(numbers);
    if (!has_memory) {
        return 0;
    }
    qsort(list, (size_t)count, sizeof *list, compare_candidates);
    for (*nkept = 0; *nkept < count && list[*nkept].verdict == TORC_SCHEDULE_KEPT;) {
        ++*nkept;
    }
    return count;
}
