/* matrix_uniform.c: columns without any structure, in the whole row or in a band. */
#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

enum { WINDOW = 192, WINDOW_ROWS = 16 };

bench_matrix bench_make_uniform(int64_t nrows, int64_t ncols, int draws)
{
    uint64_t state = 1;
    bench_rows rows;
    bench_rows_begin(&rows, nrows, ncols, nrows * draws);
    for (int64_t i = 0; i < nrows; i++) {
        for (int d = 0; d < draws; d++) {
            bench_rows_add(&rows, bench_random_below(&state, ncols));
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}

bench_matrix bench_make_band(int64_t n, int draws)
{
    uint64_t state = 2;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, n * draws);
    for (int64_t i = 0; i < n; i++) {
        int64_t first = i / WINDOW_ROWS * WINDOW_ROWS + WINDOW_ROWS / 2 - WINDOW / 2;
        first = first < 0 ? 0 : first > n - WINDOW ? n - WINDOW : first;
        for (int d = 0; d < draws; d++) {
            bench_rows_add(&rows, first + bench_random_below(&state, WINDOW));
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
