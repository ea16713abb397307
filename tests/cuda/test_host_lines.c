/* test_host_lines.c: lines packed and unpacked, byte by byte, whatever their width, pitch, place and share of
 * the packed whole: small ones by the caller, large ones by all processors. */
#include "host_lines.h"
#include "ugly_csr.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct lines_case {
    size_t width, pitch, height, begin, size;
} lines_case;

static const lines_case cases[] = {
    {1, 1, 1, 0, 1},
    {1, 5, 1000, 3, 900},
    {7, 7, 300, 10, 2000},
    {15, 64, 100, 15, 1485},
    {256, 1000, 20, 256, 4864},
    {33, 40, 60000, 1, 1979998},
    {4096, 4099, 1000, 4095, 4091905},
    {3000001, 3000007, 2, 17, 5999001},
    {5 << 20, 5 << 20, 1, 1000003, 4 << 20},
};
enum { CASES = sizeof cases / sizeof cases[0], OFFSETS = 3 };

static char *random_text(uint64_t *state, size_t size)
{
    char *text = malloc(size);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)torc_random(state, 256);
    }
    return text;
}

static void check(const lines_case *c, size_t offset)
{
    uint64_t state = c->size + offset;
    size_t bytes = c->pitch * c->height + offset, packed_bytes = c->size + offset;
    char *lines = random_text(&state, bytes), *packed = random_text(&state, packed_bytes + 1);
    char *unpacked = malloc(bytes), end = packed[packed_bytes];
    memcpy(unpacked, lines, bytes);

    torc_lines_pack(packed + offset, lines + offset, c->pitch, c->width, c->begin, c->size);
    size_t differences = 0;
    for (size_t x = 0; x < c->size; x++) {
        size_t at = (c->begin + x) / c->width * c->pitch + (c->begin + x) % c->width;
        differences += packed[offset + x] != lines[offset + at];
        lines[offset + at] = (char)~packed[offset + x]; /* what unpacking it inverted makes */
        packed[offset + x] = (char)~packed[offset + x];
    }
    cr_expect_eq(differences, 0, "%zu of %zu bytes packed", differences, c->size);
    cr_expect_eq(packed[packed_bytes], end);

    torc_lines_unpack(unpacked + offset, c->pitch, c->width, packed + offset, c->begin, c->size);
    cr_expect_eq(
        memcmp(unpacked, lines, bytes), 0, "width %zu, pitch %zu, offset %zu", c->width, c->pitch, offset);
    free(lines);
    free(packed);
    free(unpacked);
}

Test(host_lines, go_there_and_back_and_touch_nothing_else)
{
    for (int i = 0; i < CASES; i++) {
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            check(&cases[i], offset * 5);
        }
    }
}

Test(host_lines, keep_the_lower_halves_of_wide_integers)
{
    static const size_t counts[] = {0, 1, 1000, 262144, 700001};
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        size_t count = counts[i], differences = 0;
        int64_t *wide = malloc((count + 1) * sizeof *wide);
        uint32_t *narrow = calloc(count + 1, sizeof *narrow);
        for (size_t k = 0; k < count; k++) {
            wide[k] = (int64_t)torc_random(&state, (uint64_t)UINT32_MAX + 1);
        }
        torc_narrow(narrow, wide, count);
        for (size_t k = 0; k < count; k++) {
            differences += (int64_t)narrow[k] != wide[k];
        }
        cr_expect_eq(differences, 0);
        cr_expect_eq(narrow[count], 0);
        free(wide);
        free(narrow);
    }
}
