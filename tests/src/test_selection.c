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
