/* Locality tells rows that share columns from those that do not, and a cache that has room for all from one
 * that has not. */
#include "locality.h"
#include <criterion/criterion.h>
#include <stdlib.h>

enum { ROWS = 1 << 16, EACH = 16, ENTRIES = ROWS * EACH };

static uint64_t *columns;

/* 16 entries a row, in columns near the diagonal, or anywhere. */
static torc_view matrix(bool is_banded)
{
    uint64_t state = 1;
    columns = malloc(ENTRIES * sizeof *columns);
    cr_assert_not_null(columns);
    for (uint64_t p = 0; p < ENTRIES; p++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        columns[p] = is_banded ? (p / EACH + p % EACH) % ROWS : (state >> 33) % ROWS;
    }
    return (torc_view){.nrows = ROWS,
        .ncols = ROWS,
        .nvals = ENTRIES,
        .format = TORC_SPARSE,
        .nvec = ROWS,
        .veclen = ROWS,
        .idx = columns,
        .idx_bits = 64};
}

static void finish(void)
{
    free(columns);
}

Test(locality, counts_the_columns_of_a_band, .fini = finish)
{
    torc_view S = matrix(true);
    torc_locality found = torc_locality_sample(&S);
    double exact = (1 << 16) / EACH + EACH - 1; /* of a far window */
    cr_expect(found.columns[1] > .98 * exact && found.columns[1] < 1.02 * exact, "%g", found.columns[1]);
    cr_expect_lt(torc_locality_misses(&found, 64), .2, "neighbouring rows find their columns");
}

Test(locality, is_chance_where_columns_are_random, .fini = finish)
{
    torc_view S = matrix(false);
    torc_locality found = torc_locality_sample(&S), chance = torc_locality_of_chance(ENTRIES, ROWS);
    for (int i = 0; i < 2; i++) {
        double ratio = found.columns[i] / chance.columns[i];
        cr_expect(ratio > .98 && ratio < 1.02, "%g", ratio);
    }
    cr_expect_gt(torc_locality_misses(&found, 64), .9);
    double half = torc_locality_misses(&found, ROWS / 2);
    cr_expect(half > .4 && half < .6, "%g", half);
}

Test(locality, misses_fall_with_the_size_of_the_cache_to_nothing)
{
    torc_locality chance = torc_locality_of_chance(1e7, 1e6);
    double before = 1;
    for (double kept = 1; kept <= 1e6; kept *= 2) {
        double share = torc_locality_misses(&chance, kept);
        cr_expect(share >= 0 && share <= before + 1e-9, "%g columns: %g after %g", kept, share, before);
        before = share;
    }
    cr_expect_eq(torc_locality_misses(&chance, 1e6), 0);
    cr_expect_eq(torc_locality_misses(&chance, 2e6), 0);
}

/* An S of so few entries that it has no far window, and none that has a column. */
Test(locality, small_matrices_have_a_locality_too)
{
    uint32_t one = 3;
    torc_view S = {.nvals = 1, .veclen = 7, .idx = &one, .idx_bits = 32};
    torc_locality found = torc_locality_sample(&S), none = torc_locality_of_chance(1, 7);
    cr_expect_leq(torc_locality_misses(&found, 7), 0);
    cr_expect(torc_locality_misses(&found, 1) >= 0 && torc_locality_misses(&found, 1) <= 1);
    cr_expect(torc_locality_misses(&none, 1) >= 0 && torc_locality_misses(&none, 1) <= 1);
}
