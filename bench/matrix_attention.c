#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

static bool is_global(const bench_attention *model, int64_t i)
{
    return i % model->spacing == 0 && i / model->spacing < model->globals;
}

static void add_run(bench_rows *rows, int64_t first, int64_t end)
{
    int64_t ncols = rows->matrix.ncols;
    for (int64_t column = first > 0 ? first : 0; column < end && column < ncols; column++) {
        bench_rows_add(rows, column);
    }
}

/* The same for all rows of blocks number `band`. */
static void add_blocks(bench_rows *rows, const bench_attention *model, int64_t band)
{
    uint64_t state = bench_mix(model->seed + (uint64_t)band);
    int64_t across = (model->n + model->block - 1) / model->block, count = (int64_t)model->blocks;
    count += bench_random_fraction(&state) < model->blocks - (double)count;
    for (; count > 0; count--) {
        int64_t first = bench_random_below(&state, across) * model->block;
        add_run(rows, first, first + model->block);
    }
}

bench_matrix bench_make_attention(const bench_attention *model)
{
    int64_t n = model->n;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, n * (2 * (model->window + model->globals) + 1));
    for (int64_t i = 0; i < n; i++) {
        if (is_global(model, i)) {
            add_run(&rows, 0, n);
        } else {
            add_run(&rows, i - model->window, i + model->window + 1);
            for (int64_t g = 0; g < model->globals; g++) {
                bench_rows_add(&rows, g * model->spacing);
            }
            add_blocks(&rows, model, i / model->block);
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
