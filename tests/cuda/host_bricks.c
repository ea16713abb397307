#include "host_bricks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = TORC_BRICK_COLUMNS, PAIRS = TORC_BRICK_PAIRS };

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        abort();
    }
    return memory;
}

/* What is made, and how much of it there is. */
typedef struct laying {
    torc_device *reference;
    const torc_device_csr *A;
    int rows; /* of a window */
    torc_brick_pair *pairs;
    uint32_t *window_begin; /* its first brick */
    char *values;
    int64_t nbricks, nvalues, nwindows;
    torc_status status;
} laying;

/* Memory of the executor's, with a copy of what was planned. */
static void *keep(laying *to, void *planned, int64_t count, size_t size)
{
    void *kept = NULL;
    torc_status status = torc_executor_reference()->allocate(&kept, to->reference, (size_t)count * size);
    if (status == TORC_SUCCESS && count > 0 && size > 0) {
        memcpy(kept, planned, (size_t)count * size);
    }
    to->status = to->status == TORC_SUCCESS ? status : to->status;
    free(planned);
    return kept;
}

static int64_t row_begin(const laying *to, int64_t row)
{
    return ((const uint32_t *)to->A->row_ptr)[row < to->A->nrows ? row : to->A->nrows];
}

/* The least column of the window above `last`; ncols: none. */
static int64_t next_column(const laying *to, int64_t window, int64_t last)
{
    int64_t least = to->A->ncols;
    for (int64_t e = row_begin(to, window * to->rows); e < row_begin(to, (window + 1) * to->rows); e++) {
        int64_t k = to->A->col_idx[e];
        least = k > last && k < least ? k : least;
    }
    return least;
}

/* Column k of a window, as column c of its last brick. */
static void lay_column(laying *to, int64_t window, int64_t k, int c)
{
    size_t size = to->A->value_size;
    torc_brick_pair *pair = &to->pairs[(to->nbricks - 1) * PAIRS + c / 2];
    pair->first_value = c % 2 == 0 ? (uint32_t)to->nvalues : pair->first_value;
    for (int64_t r = 0, first = window * to->rows; r < to->rows; r++) {
        for (int64_t e = row_begin(to, first + r); e < row_begin(to, first + r + 1); e++) {
            if (to->A->col_idx[e] == k) {
                pair->bits |= UINT32_C(1) << (c % 2 * to->rows + r);
                if (size > 0) {
                    memcpy(to->values + (size_t)to->nvalues * size,
                        (const char *)to->A->values + (size_t)e * size, size);
                }
                to->nvalues++;
            }
        }
    }
}

static void lay_window(laying *to, int64_t window)
{
    int c = COLUMNS;
    to->window_begin[window] = (uint32_t)to->nbricks;
    for (int64_t k = next_column(to, window, -1); k < to->A->ncols; k = next_column(to, window, k)) {
        if (c == COLUMNS) {
            c = 0;
            to->nbricks++;
        }
        lay_column(to, window, k, c);
        for (int rest = c++; rest < COLUMNS; rest++) {
            to->pairs[(to->nbricks - 1) * PAIRS + rest / 2].column[rest % 2] = (uint32_t)k;
        }
    }
}

static bool is_uneven(const laying *to)
{
    double mean = (double)to->nbricks / (double)to->nwindows, distance = 0;
    for (int64_t w = 0; w < to->nwindows; w++) {
        distance += fabs((double)(to->window_begin[w + 1] - to->window_begin[w]) - mean);
    }
    return distance / (double)to->nwindows > TORC_BRICK_IMBALANCE;
}

/* A piece, and its number in its window. */
typedef struct numbered_piece {
    torc_brick_piece piece;
    uint32_t number;
} numbered_piece;

/* By group of windows, number in the window, window. */
static int compare_pieces(const void *x, const void *y)
{
    const numbered_piece *a = x, *b = y;
    const int64_t keys[][2] = {{a->piece.window / TORC_BRICK_GROUP, b->piece.window / TORC_BRICK_GROUP},
        {a->number, b->number}, {a->piece.window, b->piece.window}};
    for (int i = 0; i < 3; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static void cut(torc_bricks *bricks, laying *to)
{
    bool cuts = is_uneven(to);
    numbered_piece *made = take((size_t)(to->nwindows + to->nbricks), sizeof *made);
    torc_split_row *split_rows = take((size_t)(to->nwindows * to->rows), sizeof *split_rows);
    for (int64_t w = 0; w < to->nwindows; w++) {
        uint32_t begin = to->window_begin[w], end = to->window_begin[w + 1], count = end - begin;
        uint32_t most = cuts ? TORC_BRICK_PIECE : count, parts = 1;
        while (parts * most < count) {
            parts++;
        }
        for (uint32_t q = 0; q < parts; q++) {
            torc_brick_piece piece = {(uint32_t)w, begin + q * most, begin + (q + 1) * most,
                parts > 1 ? (uint32_t)bricks->npartials + q : TORC_BRICK_WHOLE, parts};
            piece.end = piece.end < end ? piece.end : end;
            made[bricks->npieces++] = (numbered_piece){piece, q};
        }
        for (int64_t r = 0; parts > 1 && r < to->rows && w * to->rows + r < to->A->nrows; r++) {
            int64_t first = bricks->npartials + r * parts;
            split_rows[bricks->nsplit_rows++] = (torc_split_row){w * to->rows + r, first, first + parts};
        }
        bricks->npartials += parts > 1 ? (int64_t)to->rows * parts : 0;
    }
    qsort(made, (size_t)bricks->npieces, sizeof *made, compare_pieces);
    torc_brick_piece *pieces = take((size_t)bricks->npieces, sizeof *pieces);
    for (int64_t n = 0; n < bricks->npieces; n++) {
        pieces[n] = made[n].piece;
    }
    free(made);
    bricks->pieces = keep(to, pieces, bricks->npieces, sizeof *pieces);
    bricks->split_rows = keep(to, split_rows, bricks->nsplit_rows, sizeof *split_rows);
}

static double most_of(const torc_device_csr *A, torc_type type)
{
    double most = 0, value;
    for (int64_t e = 0; A->value_size > 0 && e < A->nnz; e++) {
        torc_cast(&value, TORC_FP64, (const char *)A->values + (size_t)e * A->value_size, type);
        most = isnan(value) ? INFINITY : fmax(most, fabs(value));
    }
    return most;
}

torc_status torc_host_plan_bricks(
    torc_device *reference, torc_bricks *bricks, const torc_device_csr *A, torc_type type, int height)
{
    *bricks = (torc_bricks){.most = most_of(A, type)};
    laying to = {.reference = reference, .A = A, .rows = height * TORC_BRICK_ROWS};
    to.nwindows = (A->nrows + to.rows - 1) / to.rows;
    size_t most_bricks = (size_t)A->nnz + TORC_BRICK_SPARE; /* each column might have one of its own */
    to.pairs = take(most_bricks * PAIRS, sizeof *to.pairs);
    to.window_begin = take((size_t)to.nwindows + 1, sizeof *to.window_begin);
    to.values = take((size_t)A->nnz, A->value_size + 1);
    for (int64_t w = 0; w < to.nwindows; w++) {
        lay_window(&to, w);
    }
    to.window_begin[to.nwindows] = (uint32_t)to.nbricks;
    cut(bricks, &to);
    bricks->nbricks = to.nbricks;
    bricks->pairs = keep(&to, to.pairs, (to.nbricks + TORC_BRICK_SPARE) * PAIRS, sizeof *to.pairs);
    bricks->values = keep(&to, to.values, to.nvalues, A->value_size);
    free(to.window_begin);
    return to.status;
}
