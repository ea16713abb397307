#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

enum { MEAN_LINKS = 11, MAX_LINKS = 250, COPY_PERCENT = 60, NEAR_PERCENT = 80, NEAR = 30 };

/* A page at most NEAR from i, or any. */
static int64_t draw_page(uint64_t *state, int64_t i, int64_t n)
{
    if (!bench_random_chance(state, NEAR_PERCENT)) {
        return bench_random_below(state, n);
    }
    int64_t page = i - NEAR + bench_random_below(state, 2 * NEAR);
    return page < 0 ? 0 : page < n ? page : n - 1;
}

bench_matrix bench_make_web(int64_t n)
{
    uint64_t state = 6;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, MEAN_LINKS * n);
    for (int64_t i = 0; i < n; i++) {
        const bench_matrix *pages = &rows.matrix;
        int64_t links = bench_lomax(&state, MEAN_LINKS, MAX_LINKS);
        int64_t model = i - 1 - bench_random_below(&state, i < NEAR ? i + 1 : NEAR); /* -1: none */
        int64_t model_links = model >= 0 ? bench_row_length(pages, model) : 0;
        while (bench_rows_length(&rows) < links) {
            bool is_copied = model_links > 0 && bench_random_chance(&state, COPY_PERCENT);
            int64_t from = is_copied ? pages->row_ptr[model] + bench_random_below(&state, model_links) : 0;
            bench_rows_add(&rows, is_copied ? pages->col_idx[from] : draw_page(&state, i, n));
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
