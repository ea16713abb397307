/* matrix_grids.c: roads and finite elements. Whether two neighbours are connected is a hash of the pair, so
 * that both rows agree. */
#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"

enum { STREET_PERCENT = 70, COUPLING_PERCENT = 77, UNKNOWNS = 3 };

static bool are_connected(int64_t v, int64_t w, int percent)
{
    uint64_t low = (uint64_t)(v < w ? v : w), high = (uint64_t)(v < w ? w : v);
    return (int)(bench_mix(bench_mix(low + 1) + high) % 100) < percent;
}

static void add_street(bench_rows *rows, int64_t v, int64_t w)
{
    if (are_connected(v, w, STREET_PERCENT)) {
        bench_rows_add(rows, w);
    }
}

bench_matrix bench_make_road(int64_t side)
{
    int64_t n = side * side;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, 3 * n);
    for (int64_t v = 0; v < n; v++) {
        if (v >= side) {
            add_street(&rows, v, v - side);
        }
        if (v % side > 0) {
            add_street(&rows, v, v - 1);
        }
        if (v % side < side - 1) {
            add_street(&rows, v, v + 1);
        }
        if (v < n - side) {
            add_street(&rows, v, v + side);
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}

static bool is_inside(int64_t a, int64_t size)
{
    return a >= 0 && a < size;
}

bench_matrix bench_make_fem(int64_t x, int64_t y, int64_t z)
{
    int64_t nnodes = x * y * z, n = nnodes * UNKNOWNS;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, 63 * n);
    for (int64_t i = 0; i < n; i++) {
        int64_t node = i / UNKNOWNS, a = node % x, b = node / x % y, c = node / x / y;
        for (int step = 0; step < 27; step++) {
            int64_t da = step % 3 - 1, db = step / 3 % 3 - 1, dc = step / 9 - 1;
            int64_t other = node + da + x * (db + y * dc);
            bool exists = is_inside(a + da, x) && is_inside(b + db, y) && is_inside(c + dc, z);
            if (exists && (other == node || are_connected(node, other, COUPLING_PERCENT))) {
                for (int u = 0; u < UNKNOWNS; u++) {
                    bench_rows_add(&rows, other * UNKNOWNS + u);
                }
            }
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}
