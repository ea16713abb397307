/* matrix_pruned.c: weights of which most were pruned: each place is kept by itself. */
#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

bench_matrix bench_make_pruned(int64_t n, int zeros)
{
    uint64_t state = (uint64_t)(n * 100 + zeros);
    bench_rows rows;
    bench_rows_begin(&rows, n, n, n * n * (100 - zeros) / 100);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            if (!bench_random_chance(&state, zeros)) {
                bench_rows_add(&rows, j);
            }
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
