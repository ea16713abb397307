/* row_windows.c: brings rows next to each other that name the same columns (Acc-SpMM, algorithm 1, lines 18
 * to 26).
 *
 * The paper compares a row with the one before. This compares it with all rows of the window so far, since
 * bricks share columns among all of them. It looks at the next LOOKS rows of the sequence at most, and cuts
 * the sequence into runs, which threads share. So n rows take O(n) comparisons.
 */
#include "row_windows.h"
#include "column_counts.h"
#include "spmm_args.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOKS = 64, COMMON = 8 }; /* fewest bricks of 2 to 1/4 of COMMON, on six kinds of matrices */
enum { RUN = 4096, SHARES = 32, ALWAYS_SHARED = 1 << 20 };

/* ---- Columns in common -------------------------------------------------------------------------------- */

static bool add_columns(torc_counts *window, const torc_row_lists *A, uint32_t row)
{
    if (!torc_counts_reserve(window, torc_row_length(A, row))) {
        return false;
    }
    for (int64_t p = torc_row_begin(A, row), end = p + torc_row_length(A, row); p < end; p++) {
        torc_counts_add(window, A->col_idx[p], 1);
    }
    return true;
}

/* Columns that the row shares with the window count COMMON, those that it would add to it 1 less than none.
 */
static int64_t affinity(const torc_counts *window, const torc_row_lists *A, uint32_t row)
{
    int64_t begin = torc_row_begin(A, row), count = torc_row_length(A, row), common = 0;
    for (int64_t p = begin; p < begin + count; p++) {
        common += torc_counts_find(window, A->col_idx[p])->weight > 0;
    }
    return COMMON * common - (count - common);
}

/* Rows that were not taken yet, linked. */
typedef struct row_links {
    uint32_t before[RUN], next[RUN + 1];
} row_links;

/* rows[0 .. count-1] become the order. */
static bool arrange_run(
    const torc_row_lists *A, torc_counts *window, row_links *links, uint32_t *rows, int64_t count)
{
    uint32_t *before = links->before, *next = links->next;
    for (int64_t i = 0; i < count; i++) {
        before[i] = rows[i];
        next[i] = (uint32_t)i + 1;
    }
    uint32_t head = 0, end = (uint32_t)count;
    for (int64_t placed = 0; placed < count; placed++) {
        uint32_t *best = &head; /* the link to it */
        if (placed % TORC_BRICK_ROWS == 0) {
            torc_counts_clear(window);
        } else {
            int64_t most = INT64_MIN;
            uint32_t *link = &head;
            for (int look = 0; look < LOOKS && *link != end; look++, link = &next[*link]) {
                int64_t own = affinity(window, A, before[*link]);
                if (own > most) {
                    most = own;
                    best = link;
                }
            }
        }
        uint32_t taken = *best;
        *best = next[taken];
        rows[placed] = before[taken];
        if (!add_columns(window, A, rows[placed])) {
            return false;
        }
    }
    return true;
}

typedef struct arranging {
    const torc_row_lists *A;
    uint32_t *sequence;
    int64_t count;
    atomic_bool lacks_memory;
} arranging;

static void arrange_share(void *argument, int64_t begin, int64_t end)
{
    arranging *all = argument;
    torc_counts window = {0};
    row_links *links = malloc(sizeof *links); /* the caller's stack may be small */
    if (!links) {
        all->lacks_memory = true;
    }
    for (int64_t share = begin; share < end; share++) {
        for (int64_t first = share * RUN; first < all->count && !all->lacks_memory;
             first += (int64_t)SHARES * RUN) {
            int64_t left = all->count - first;
            if (!arrange_run(all->A, &window, links, all->sequence + first, left < RUN ? left : RUN)) {
                all->lacks_memory = true;
            }
        }
    }
    free(links);
    torc_counts_free(&window);
}

bool torc_windows_arrange(uint32_t *sequence, int64_t count, const torc_row_lists *A)
{
    arranging all = {.A = A, .sequence = sequence, .count = count};
    torc_threads_loop(SHARES, ALWAYS_SHARED, arrange_share, &all);
    return !all.lacks_memory;
}

/* ---- Bricks ------------------------------------------------------------------------------------------- */

typedef struct counting {
    const torc_row_lists *A;
    const uint32_t *sequence;
    int64_t rows;           /* of a window */
    int64_t bricks[SHARES]; /* of each share's windows; -1: no memory */
} counting;

static bool add_window(torc_counts *window, const counting *c, int64_t first)
{
    bool has_memory = true;
    torc_counts_clear(window);
    for (int64_t i = first; i < c->A->nrows && i < first + c->rows && has_memory; i++) {
        has_memory = add_columns(window, c->A, c->sequence[i]);
    }
    return has_memory;
}

static void count_share(void *argument, int64_t begin, int64_t end)
{
    counting *c = argument;
    torc_counts window = {0};
    for (int64_t share = begin; share < end; share++) {
        int64_t *bricks = &c->bricks[share];
        for (int64_t first = share * c->rows; first < c->A->nrows && *bricks >= 0;
             first += SHARES * c->rows) {
            bool has_memory = add_window(&window, c, first);
            *bricks =
                has_memory ? *bricks + (window.nused + TORC_BRICK_COLUMNS - 1) / TORC_BRICK_COLUMNS : -1;
        }
    }
    torc_counts_free(&window);
}

int64_t torc_windows_count(const uint32_t *sequence, const torc_row_lists *A, int height)
{
    counting all = {.A = A, .sequence = sequence, .rows = (int64_t)height * TORC_BRICK_ROWS};
    int64_t bricks = 0;
    torc_threads_loop(SHARES, ALWAYS_SHARED, count_share, &all);
    for (int share = 0; share < SHARES; share++) {
        bricks = bricks < 0 || all.bricks[share] < 0 ? -1 : bricks + all.bricks[share];
    }
    return bricks;
}
