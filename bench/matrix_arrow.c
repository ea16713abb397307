#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

static bool is_dense(const bench_arrow *model, int64_t i)
{
    return i >= model->first && i < model->first + model->dense;
}

/* Those of the columns from `first` to before `end` that row i has. */
static void add_run(bench_rows *rows, const bench_arrow *model, int64_t i, int64_t first, int64_t end)
{
    for (int64_t j = first > 0 ? first : 0; j < end && j < model->n; j++) {
        int percent = is_dense(model, i) || is_dense(model, j) ? model->filled : model->near;
        if (j == i || bench_pair_chance(i, j, percent)) {
            bench_rows_add(rows, j);
        }
    }
}

bench_matrix bench_make_arrow(const bench_arrow *model)
{
    int64_t in_100_rows = 100 + 2 * (model->reach * model->near + model->dense * model->filled);
    bench_rows rows;
    bench_rows_begin(&rows, model->n, model->n, model->n * in_100_rows / 100);
    for (int64_t i = 0; i < model->n; i++) {
        if (is_dense(model, i)) {
            add_run(&rows, model, i, 0, model->n);
        } else {
            add_run(&rows, model, i, i - model->reach, i + model->reach + 1);
            add_run(&rows, model, i, model->first, model->first + model->dense);
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
