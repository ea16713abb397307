#include "bench_random.h"
#include "bench_require.h"
#include "matrix_generators.h"
#include "matrix_rows.h"
#include <stdlib.h>

enum { STARS = 5, MOST_REVIEWS = 2500 };
static const double MEAN_REVIEWS = 150;

/* Of a review, 1 to STARS: 9, 8, 12, 28 and 43 %. */
static int rate(uint64_t *state)
{
    static const int64_t up_to[STARS] = {9, 17, 29, 57, 100};
    int64_t chance = bench_random_below(state, 100);
    int stars = 0;
    while (chance >= up_to[stars]) {
        stars++;
    }
    return stars + 1;
}

bench_matrix bench_make_reviews(int64_t n)
{
    uint64_t state = 7;
    uint8_t *stars = bench_allocate(MOST_REVIEWS, sizeof *stars);
    bench_rows rows;
    bench_rows_begin(&rows, n, n, n);
    for (int64_t first = 0, size; first < n; first += size) {
        size = bench_lomax(&state, MEAN_REVIEWS, MOST_REVIEWS);
        size = size < n - first ? size : n - first;
        for (int64_t i = 0; i < size; i++) {
            stars[i] = (uint8_t)rate(&state);
        }
        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 0; j < size; j++) {
                if (j != i && stars[j] == stars[i]) {
                    bench_rows_add(&rows, first + j);
                }
            }
            bench_rows_close(&rows);
        }
    }
    free(stars);
    return bench_rows_end(&rows);
}
