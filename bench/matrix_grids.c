/* matrix_grids.c: roads, finite elements and stencils. */
#include "bench_random.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

enum { STREET_PERCENT = 70, COUPLING_PERCENT = 77, UNKNOWNS = 3 };

static void add_street(bench_rows *rows, int64_t v, int64_t w)
{
    if (bench_pair_chance(v, w, STREET_PERCENT)) {
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
            if (exists && (other == node || bench_pair_chance(node, other, COUPLING_PERCENT))) {
                for (int u = 0; u < UNKNOWNS; u++) {
                    bench_rows_add(&rows, other * UNKNOWNS + u);
                }
            }
        }
        bench_rows_close(&rows);
    }
    return bench_rows_end(&rows);
}

/* The coordinate `step` beside a; -1: none. */
static int64_t beside(int64_t a, int step, int64_t size, bool wraps)
{
    int64_t other = a + step;
    if (is_inside(other, size)) {
        return other;
    }
    return wraps ? size - 1 - a : -1; /* from either end to the other */
}

static void add_stencil(bench_rows *rows, const bench_stencil *grid, int64_t a, int64_t b, int64_t c)
{
    for (int step = 0; step < 27; step++) {
        int da = step % 3 - 1, db = step / 3 % 3 - 1, dc = step / 9 - 1;
        bool is_point = grid->is_box || abs(da) + abs(db) + abs(dc) <= 1;
        int64_t x = beside(a, da, grid->x, grid->wraps), y = beside(b, db, grid->y, grid->wraps);
        int64_t z = beside(c, dc, grid->z, grid->wraps);
        if (is_point && x >= 0 && y >= 0 && z >= 0) {
            bench_rows_add(rows, x + grid->x * (y + grid->y * z));
        }
    }
}

bench_matrix bench_make_stencil(const bench_stencil *grid)
{
    int64_t n = grid->x * grid->y * grid->z;
    bench_rows rows;
    bench_rows_begin(&rows, n, n, n * (grid->is_box ? 9 : 5));
    for (int64_t c = 0; c < grid->z; c++) {
        for (int64_t b = 0; b < grid->y; b++) {
            for (int64_t a = 0; a < grid->x; a++) {
                add_stencil(&rows, grid, a, b, c);
                bench_rows_close(&rows);
            }
        }
    }
    return bench_rows_end(&rows);
}
