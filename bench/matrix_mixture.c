/* matrix_mixture.c: rows of any lengths, whose columns lie partly near the diagonal; and matrices in another
 * order. */
#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <math.h>
#include <stdlib.h>

enum { TRIES_A_COLUMN = 4 };

static int64_t within(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static int64_t draw_length(const bench_mixture *model, int64_t i, uint64_t *state)
{
    if (model->rows_a_hub > 0 && i % model->rows_a_hub == model->rows_a_hub / 2) {
        return model->hub < model->ncols ? model->hub : model->ncols;
    }
    int64_t whole = (int64_t)model->mean;
    int64_t length = model->is_skewed ? bench_lomax(state, model->mean, model->cap)
                                      : whole + (bench_random_fraction(state) < model->mean - (double)whole);
    return within(length, 0, model->cap < model->ncols ? model->cap : model->ncols);
}

/* Of row i's window the first column: rows that share it are in its middle. */
static int64_t window_of(const bench_mixture *model, int64_t i)
{
    double middle = (double)(i - i % model->sharers) + (double)model->sharers / 2;
    int64_t column = (int64_t)(middle / (double)model->nrows * (double)model->ncols);
    return within(column - model->window / 2, 0, model->ncols - model->window);
}

bench_matrix bench_make_mixture(const bench_mixture *model)
{
    uint64_t state = model->seed;
    bench_rows rows;
    bench_rows_begin(
        &rows, model->nrows, model->ncols, (int64_t)((double)model->nrows * model->mean) + model->hub);
    for (int64_t i = 0; i < model->nrows; i++) {
        int64_t length = draw_length(model, i, &state), first = window_of(model, i);
        for (int64_t tries = TRIES_A_COLUMN * length; tries > 0 && bench_rows_length(&rows) < length;
             tries--) {
            int64_t column =
                bench_random_chance(&state, model->near)
                    ? first + bench_random_below(&state, model->window)
                    : (int64_t)((double)model->ncols * pow(bench_random_fraction(&state), model->power));
            bench_rows_add(&rows, column);
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}

int32_t *bench_random_order(int64_t n, uint64_t *state)
{
    int32_t *order = bench_allocate((size_t)n, sizeof *order);
    for (int64_t k = 0; k < n; k++) {
        int64_t other = bench_random_below(state, k + 1);
        order[k] = order[other];
        order[other] = (int32_t)k;
    }
    return order;
}

static int32_t *inverse_of(const int32_t *order, int64_t n)
{
    int32_t *inverse = bench_allocate((size_t)n, sizeof *inverse);
    for (int64_t k = 0; k < n; k++) {
        inverse[order[k]] = (int32_t)k;
    }
    return inverse;
}

bench_matrix bench_shuffle(const bench_matrix *matrix, bool with_columns, uint64_t seed)
{
    uint64_t state = seed;
    bool is_square = matrix->nrows == matrix->ncols;
    int32_t *from = bench_random_order(matrix->nrows, &state), *to = NULL;
    if (with_columns) {
        to = is_square ? inverse_of(from, matrix->nrows) : bench_random_order(matrix->ncols, &state);
    }
    bench_rows rows;
    bench_rows_begin(&rows, matrix->nrows, matrix->ncols, matrix->nnz);
    for (int64_t i = 0; i < matrix->nrows; i++) {
        for (int64_t p = matrix->row_ptr[from[i]]; p < matrix->row_ptr[from[i] + 1]; p++) {
            bench_rows_add(&rows, to ? to[matrix->col_idx[p]] : matrix->col_idx[p]);
        }
        bench_rows_close(&rows);
    }
    free(from);
    free(to);
    return bench_rows_end(&rows);
}
