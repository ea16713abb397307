/* The shape of a thread group keeps every promise of torc_shape in backend.h. */
#include "selection.h"
#include <criterion/criterion.h>

enum { MAX_COLUMNS = 1030, MAX_ALIGNMENT = 256 };

static bool is_power_of_two(int x, int most)
{
    return x >= 1 && x <= most && (x & (x - 1)) == 0;
}

/* A vector of `size`-byte values can be read at every place that `alignment` divides. */
static bool may_load(int vector, size_t size, uint64_t alignment)
{
    return vector == 1 || ((size_t)vector * size <= 16 && alignment % ((size_t)vector * size) == 0);
}

static const char *why_wrong(
    torc_shape shape, int64_t n, size_t b_size, size_t c_size, uint64_t b, uint64_t c)
{
    int64_t width = (int64_t)shape.lanes * shape.vector;
    if (!is_power_of_two(shape.lanes, 32) || !is_power_of_two(shape.vector, 4)) {
        return "no such shape";
    }
    if (n % shape.vector != 0) {
        return "the vector does not divide the columns";
    }
    if (!may_load(shape.vector, c_size, c) || (b_size > 0 && !may_load(shape.vector, b_size, b))) {
        return "the vector is too wide or not aligned";
    }
    if (width < n && shape.lanes != 32) {
        return "the group does not reach across";
    }
    if (shape.lanes > 1 && width / 2 >= n) {
        return "half of the lanes are idle";
    }
    int twice = 2 * shape.vector;
    bool could_double = twice <= 4 && n % twice == 0 && may_load(twice, c_size, c) &&
                        (b_size == 0 || may_load(twice, b_size, b));
    return could_double ? "a wider vector fits" : NULL;
}

Test(selection, keeps_every_constraint_of_a_shape)
{
    static const size_t b_sizes[] = {0, 1, 2, 4, 8, 16}, c_sizes[] = {1, 2, 4, 8, 16};
    for (int64_t n = 1; n <= MAX_COLUMNS; n++) {
        for (int t = 0; t < 30; t++) {
            size_t b_size = b_sizes[t % 6], c_size = c_sizes[t / 6];
            for (uint64_t b = 1; b <= MAX_ALIGNMENT; b *= 2) {
                for (uint64_t c = 1; c <= MAX_ALIGNMENT; c *= 2) {
                    torc_shape shape = torc_select_shape(n, b_size, c_size, b, c);
                    const char *why = why_wrong(shape, n, b_size, c_size, b, c);
                    if (why) {
                        cr_assert_fail("n %ld, sizes %zu %zu, alignments %lu %lu: lanes %d, vector %d: %s", n,
                            b_size, c_size, (unsigned long)b, (unsigned long)c, shape.lanes, shape.vector,
                            why);
                    }
                }
            }
        }
    }
}

Test(selection, takes_an_address_or_ed_with_a_stride)
{
    torc_shape even = torc_select_shape(64, 4, 4, 0x7000 | 8 * 4, 0x7000 | 64 * 4);
    torc_shape odd = torc_select_shape(64, 4, 4, 0x7000 | 65 * 4, 0x7000 | 64 * 4);
    torc_shape half = torc_select_shape(64, 4, 4, 0x7008 | 64 * 4, 0x7000 | 64 * 4);
    cr_expect(even.vector == 4 && even.lanes == 16);
    cr_expect(odd.vector == 1 && odd.lanes == 32);
    cr_expect(half.vector == 2 && half.lanes == 32);
}

static torc_spmm_kernel kernel_of(torc_monoid add, torc_multiply multiply, int64_t ncols, int64_t mean_row)
{
    torc_statistics rows = {.nrows = 3000, .empty_rows = 1000, .nnz = 2000 * mean_row};
    bool reads_b = multiply == TORC_TIMES;
    torc_spmm_kernel kernel = {
        .semiring = {add, multiply, TORC_INT32}, .b_access = reads_b ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE};
    torc_select_kernel(&kernel, ncols, reads_b ? 4 : 0, 4, 256, 256, true, &rows);
    return kernel;
}

Test(selection, shares_long_rows_of_a_narrow_product_out_to_ways)
{
    for (int64_t n = 1; n <= 64; n++) {
        for (int64_t mean = 0; mean <= 300; mean++) {
            torc_spmm_kernel kernel = kernel_of(TORC_PLUS_MONOID, TORC_TIMES, n, mean);
            int lanes = kernel.shape.lanes, ways = kernel.ways;
            cr_assert_not(kernel.is_uniform);
            cr_assert(ways == 0 || (ways > 1 && ways <= 4 && is_power_of_two(lanes * ways, 8)),
                "n %ld mean %ld", n, mean);
            cr_assert(ways == 0 || 3 * ways <= mean, "n %ld mean %ld: ways without work", n, mean);
        }
    }
    cr_expect(kernel_of(TORC_PLUS_MONOID, TORC_TIMES, 4, 16).ways == 4);
    cr_expect(kernel_of(TORC_PLUS_MONOID, TORC_TIMES, 1, 1000).ways == 4);
    cr_expect(kernel_of(TORC_PLUS_MONOID, TORC_TIMES, 16, 1000).ways == 2);
    cr_expect(kernel_of(TORC_PLUS_MONOID, TORC_TIMES, 32, 1000).ways == 0);
    cr_expect(kernel_of(TORC_PLUS_MONOID, TORC_TIMES, 4, 2).ways == 0);
    cr_expect(kernel_of(TORC_ANY_MONOID, TORC_TIMES, 4, 1000).ways == 0);
}

Test(selection, gives_a_uniform_product_the_lanes_of_its_rows_or_its_columns)
{
    torc_spmm_kernel narrow = kernel_of(TORC_PLUS_MONOID, TORC_FIRST, 1, 64);
    torc_spmm_kernel wide = kernel_of(TORC_PLUS_MONOID, TORC_FIRSTJ, 64, 4);
    torc_spmm_kernel any = kernel_of(TORC_ANY_MONOID, TORC_PAIR, 1, 64);
    cr_expect(narrow.is_uniform && narrow.ways == 0 && narrow.shape.lanes == 4);
    cr_expect(wide.is_uniform && wide.ways == 0 && wide.shape.lanes == 8 && wide.shape.vector == 4);
    cr_expect(any.is_uniform && any.ways == 0 && any.shape.lanes == 1);
}

Test(selection, knows_that_secondj_differs_from_column_to_column)
{
    cr_expect_not(kernel_of(TORC_MIN_MONOID, TORC_SECONDJ, 4, 16).is_uniform);
    cr_expect_not(kernel_of(TORC_MIN_MONOID, TORC_SECONDJ1, 4, 16).is_uniform);
    cr_expect(kernel_of(TORC_MIN_MONOID, TORC_SECONDI, 4, 16).is_uniform);
}
