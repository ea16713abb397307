#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <math.h>
#include <stdlib.h>

enum { TRIES_A_COLUMN = 4 };

/* The integral of x^-skew from 1 on grows as x^(1 - skew) - 1, which is `area` at the end: a rank is where it
 * comes to a random share of that. */
static int64_t draw_rank(const bench_ratings *model, double area, uint64_t *state)
{
    double reached = 1 + bench_random_fraction(state) * area;
    int64_t rank = (int64_t)(pow(reached, 1 / (1 - model->skew)) - 1);
    return rank < model->ncols ? rank : model->ncols - 1;
}

bench_matrix bench_make_ratings(const bench_ratings *model)
{
    uint64_t state = model->seed;
    int32_t *item = bench_random_order(model->ncols, &state); /* of a rank */
    double area = pow((double)model->ncols + 1, 1 - model->skew) - 1;
    bench_rows rows;
    bench_rows_begin(&rows, model->nrows, model->ncols, (int64_t)((double)model->nrows * model->mean));
    for (int64_t i = 0; i < model->nrows; i++) {
        int64_t length = bench_lomax(&state, model->mean, model->cap);
        for (int64_t tries = TRIES_A_COLUMN * length; tries > 0 && bench_rows_length(&rows) < length;
             tries--) {
            bench_rows_add(&rows, item[draw_rank(model, area, &state)]);
        }
        bench_rows_close(&rows);
    }
    free(item);
    return bench_rows_end(&rows);
}
