/* How many different columns windows of entries name: counted by brute force, exactly where a bit is one
 * column, and within the error of linear counting where it is several. */
#include "footprint.h"
#include "splitmix.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

/* Different ones among `count`, by sorting. */
static int compare(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static int64_t distinct(const uint32_t *columns, int64_t count)
{
    uint32_t *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    int64_t found = 0;
    cr_assert(sorted);
    for (int64_t p = 0; p < count; p++) {
        sorted[p] = columns[p];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    for (int64_t p = 0; p < count; p++) {
        found += p == 0 || sorted[p] != sorted[p - 1];
    }
    free(sorted);
    return found;
}

/* The mean number of different columns in windows of `size`, over their entries. */
static double footprint(const uint32_t *columns, int64_t nnz, int64_t size)
{
    int64_t entries = nnz < TORC_FAR_WINDOW ? nnz : TORC_FAR_WINDOW, counted = nnz < size ? nnz : size;
    int64_t windows = nnz > entries ? TORC_WINDOWS : 1; /* or else all are the same */
    double sum = 0;
    for (int64_t w = 0; w < windows; w++) {
        sum += (double)distinct(columns + (nnz - entries) * w / (TORC_WINDOWS - 1), counted);
    }
    return sum / (double)windows / (double)counted;
}

/* The same of sectors in runs, over the near windows. */
static double sector_footprint(const uint32_t *columns, int64_t nnz)
{
    int64_t entries = nnz < TORC_FAR_WINDOW ? nnz : TORC_FAR_WINDOW;
    int64_t near = nnz < TORC_NEAR_WINDOW ? nnz : TORC_NEAR_WINDOW;
    double sum = 0;
    for (int64_t w = 0; w < TORC_WINDOWS; w++) {
        for (int64_t p = 0; p < near; p += TORC_RUN) {
            uint32_t sectors[TORC_RUN];
            int64_t count = near - p < TORC_RUN ? near - p : TORC_RUN;
            for (int64_t e = 0; e < count; e++) {
                sectors[e] = columns[(nnz - entries) * w / (TORC_WINDOWS - 1) + p + e] / TORC_SECTOR_COLUMNS;
            }
            sum += (double)distinct(sectors, count);
        }
    }
    return sum / TORC_WINDOWS / (double)near;
}

/* 16 rows have fewer entries than the near window, or more; or 8 rows have. */
static int64_t rows_of_entries(int64_t nnz)
{
    static const int64_t entries_a_row[] = {37, 300, 1000};
    return nnz / entries_a_row[nnz % 3] + 1;
}

static torc_statistics measured(const uint32_t *columns, int64_t nnz, int64_t ncols)
{
    torc_window windows[TORC_WINDOWS];
    torc_statistics statistics = {.nrows = rows_of_entries(nnz), .nnz = nnz, .ncols = ncols};
    torc_footprint_count(windows, columns, nnz, statistics.nrows, ncols);
    torc_footprint_set(&statistics, windows);
    return statistics;
}

/* Entry p is one of `reach` columns around p · step. */
static uint32_t *local_columns(int64_t nnz, int64_t ncols, int64_t reach, double step, uint64_t seed)
{
    uint32_t *columns = malloc((size_t)(nnz + 1) * sizeof *columns);
    cr_assert(columns);
    for (int64_t p = 0; p < nnz; p++) {
        columns[p] = (uint32_t)(((int64_t)((double)p * step) + random_below(&seed, reach)) % ncols);
    }
    return columns;
}

Test(footprint, counts_the_columns_of_few_exactly)
{
    static const int64_t sizes[] = {1, 2, 63, 4095, 4096, 4097, 65535, 65536, 65537, 100000};
    static const struct {
        int64_t ncols, reach;
        double step;
    } patterns[] = {{1, 1, 0}, {50, 50, 0}, {TORC_WINDOW_BITS, TORC_WINDOW_BITS, 0},
        {TORC_WINDOW_BITS, 192, .02}, {TORC_WINDOW_BITS, 1, 1}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t turns = sizes[s] > TORC_NEAR_WINDOW + 1 ? 2 : 1; /* of long ones, which take a second each */
        for (size_t i = s % turns; i < sizeof patterns / sizeof patterns[0]; i += turns) {
            int64_t nnz = sizes[s], ncols = patterns[i].ncols;
            uint32_t *columns = local_columns(nnz, ncols, patterns[i].reach, patterns[i].step, s);
            torc_statistics found = measured(columns, nnz, ncols);
            double near = footprint(columns, nnz, TORC_NEAR_WINDOW),
                   far = footprint(columns, nnz, TORC_FAR_WINDOW);
            cr_expect(fabs(found.near_footprint - near) < 1e-12,
                "pattern %zu, seed %zu, %ld entries: near %g, not %g", i, s, (long)nnz, found.near_footprint,
                near);
            double sectors = sector_footprint(columns, nnz);
            cr_expect(fabs(found.sector_footprint - sectors) < 1e-12,
                "pattern %zu, seed %zu, %ld entries: sectors %g, not %g", i, s, (long)nnz,
                found.sector_footprint, sectors);
            for (int height = 1; height <= 2; height++) {
                double few = footprint(columns, nnz, torc_few_entries(nnz, found.nrows, height)),
                       of_bricks = height == 1 ? found.brick_footprint : found.tall_brick_footprint;
                cr_expect(fabs(of_bricks - few) < 1e-12,
                    "pattern %zu, seed %zu, %ld entries: of bricks of height %d %g, not %g", i, s, (long)nnz,
                    height, of_bricks, few);
            }
            cr_expect(fabs(found.far_footprint - far) < 1e-12,
                "pattern %zu, seed %zu, %ld entries: far %g, not %g", i, s, (long)nnz, found.far_footprint,
                far);
            free(columns);
        }
    }
}

/* n different columns in m bits: the estimate's standard error is √(m·(e^t - t - 1)), t = n / m (Whang et
 * al., equation 13); the windows differ, so the mean of them errs less than six of it. */
static double linear_counting_error(double n)
{
    double m = TORC_WINDOW_BITS, t = n / m;
    return sqrt(m * (exp(t) - t - 1));
}

Test(footprint, estimates_the_columns_of_many)
{
    enum { NNZ = 1000000 };
    static const struct {
        int64_t ncols, reach;
        double step;
    } patterns[] = {{TORC_WINDOW_BITS + 1, TORC_WINDOW_BITS + 1, 0}, {1 << 20, 1 << 20, 0},
        {3000000000, 2000, .1}, {3000000000, 1, 1}, {3000000000, 3000000000, 0}, {1 << 24, 40, 4}};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        uint64_t seed = i;
        uint32_t *columns = local_columns(NNZ, patterns[i].ncols, patterns[i].reach, patterns[i].step, seed);
        torc_statistics found = measured(columns, NNZ, patterns[i].ncols);
        double near = footprint(columns, NNZ, TORC_NEAR_WINDOW),
               far = footprint(columns, NNZ, TORC_FAR_WINDOW);
        double near_error = 6 * linear_counting_error(near * TORC_NEAR_WINDOW) / TORC_NEAR_WINDOW;
        double far_error = 6 * linear_counting_error(far * TORC_FAR_WINDOW) / TORC_FAR_WINDOW;
        cr_expect(fabs(found.near_footprint - near) <= near_error, "pattern %zu, seed %zu: near %g, not %g",
            i, i, found.near_footprint, near);
        cr_expect(fabs(found.far_footprint - far) <= far_error, "pattern %zu, seed %zu: far %g, not %g", i, i,
            found.far_footprint, far);
        free(columns);
    }
}

Test(footprint, of_nothing_is_nothing)
{
    torc_statistics found = measured(NULL, 0, 100);
    cr_expect(found.near_footprint == 0 && found.far_footprint == 0);
}

/* Whatever the footprints are, columns grow with entries, never faster, up to all of them; and the fewer
 * miss, the more columns are kept. */
Test(footprint, of_more_entries_is_larger_and_of_more_columns_misses_less)
{
    static const double shares[] = {0, 1e-5, .01, .3, .6, .99, 1};
    enum { SHARES = sizeof shares / sizeof shares[0] };
    static const int64_t sizes[] = {0, 1, 100, 5000, 70000, 10000000, 5000000000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        for (int64_t ncols = 1; ncols <= 4000000000; ncols = ncols * 37 + 1) {
            for (int i = 0; i < SHARES * SHARES; i++) {
                torc_statistics statistics = {.nnz = sizes[s],
                    .ncols = ncols,
                    .near_footprint = shares[i / SHARES],
                    .far_footprint = shares[i % SHARES]};
                torc_footprint footprint = torc_footprint_of(&statistics);
                double columns = 0, named = 0;
                for (double entries = 1; entries < 1e10; entries *= 3) {
                    torc_named_columns some = torc_footprint_named(&footprint, entries);
                    cr_assert(some.all >= named * (1 - 1e-9) && some.all <= footprint.all * (1 + 1e-9) &&
                                  some.once >= 0 && some.once <= some.all,
                        "%ld entries, %ld columns, case %d: %g after %g among %g, %g once", (long)sizes[s],
                        (long)ncols, i, some.all, named, entries, some.once);
                    named = some.all;
                    double more = torc_footprint_columns(&footprint, entries);
                    cr_assert(more >= columns * (1 - 1e-9) && more >= 1 - 1e-9 &&
                                  more <= entries * (1 + 1e-9) && more <= footprint.all * (1 + 1e-9),
                        "%ld entries, %ld columns, case %d: %g after %g among %g", (long)sizes[s],
                        (long)ncols, i, more, columns, entries);
                    columns = more;
                    double misses = torc_footprint_misses(&footprint, entries);
                    cr_assert(misses >= 0 && misses <= 1 + 1e-9,
                        "%ld entries, %ld columns, case %d: misses %g", (long)sizes[s], (long)ncols, i,
                        misses);
                }
                cr_assert_eq(torc_footprint_misses(&footprint, 1e10), 0);
            }
        }
    }
}

/* Columns at random: n·(1 - (1 - 1/n)^w) different ones, of which c are kept and 1 - c/n missed. */
Test(footprint, of_random_columns_is_known)
{
    double n = 1e6, near = TORC_NEAR_WINDOW, far = TORC_FAR_WINDOW;
    torc_statistics statistics = {.nnz = 20000000,
        .ncols = 1000000,
        .near_footprint = -n * expm1(near * log1p(-1 / n)) / near,
        .far_footprint = -n * expm1(far * log1p(-1 / n)) / far};
    torc_footprint footprint = torc_footprint_of(&statistics);
    for (double entries = 1; entries < 1e7; entries *= 2) {
        double columns = torc_footprint_columns(&footprint, entries);
        double expected = -n * expm1(entries * log1p(-1 / n));
        cr_expect(fabs(columns - expected) < .01 * expected, "%g columns among %g, not %g", columns, entries,
            expected);
        double misses = torc_footprint_misses(&footprint, columns);
        cr_expect(fabs(misses - (1 - columns / n)) < .02, "of %g columns %g missed", columns, misses);
    }
}

/* Columns whose popularity is of an exponential distribution, a Gamma distribution of shape 1: drawn. The far
 * window's 39,653 have a standard error of .4 %, by which all columns of the last window err by .3 %, and
 * those named once by 1 %: three times as much is allowed. */
Test(footprint, of_unequal_columns_says_how_many_are_named_once)
{
    enum { COLUMNS = 100000, DRAWS = 600000 };
    uint64_t state = 7;
    double *until = malloc(COLUMNS * sizeof *until), sum = 0; /* the popularity of columns so far */
    uint32_t *named = calloc(COLUMNS, sizeof *named);
    for (int c = 0; c < COLUMNS; c++) {
        sum -= log(((double)random_below(&state, 1000000) + .5) / 1e6);
        until[c] = sum;
    }
    torc_statistics statistics = {.nnz = 20000000, .ncols = COLUMNS};
    int64_t all = 0, once = 0;
    for (int64_t entries = 1; entries <= DRAWS; entries++) {
        double place = (double)random_below(&state, 1 << 30) / (1 << 30) * sum;
        int low = 0, high = COLUMNS - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            bool is_above = until[middle] > place;
            high = is_above ? middle : high;
            low = is_above ? low : middle + 1;
        }
        uint32_t before = named[low]++;
        all += before == 0;
        once += before == 0 ? 1 : before == 1 ? -1 : 0;
        double share = (double)all / (double)entries;
        statistics.near_footprint = entries == TORC_NEAR_WINDOW ? share : statistics.near_footprint;
        statistics.far_footprint = entries == TORC_FAR_WINDOW ? share : statistics.far_footprint;
        if (entries == TORC_FAR_WINDOW || entries == DRAWS) {
            torc_footprint footprint = torc_footprint_of(&statistics);
            torc_named_columns some = torc_footprint_named(&footprint, (double)entries);
            cr_expect(fabs(some.all - (double)all) < .01 * (double)all, "%lld entries: %g, not %lld",
                (long long)entries, some.all, (long long)all);
            cr_expect(fabs(some.once - (double)once) < .03 * (double)once, "%lld entries: %g once, not %lld",
                (long long)entries, some.once, (long long)once);
        }
    }
    free(until);
    free(named);
}
