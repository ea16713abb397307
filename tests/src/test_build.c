/* torc_build on the reference executor: a dense matrix from entries, beside the same written element by
 * element.
 */
#include "engine_fixture.h"
#include "splitmix.h"
#include <stdlib.h>
#include <torc/elementwise.h>

enum { ROWS = 7, COLUMNS = 11, CELLS = ROWS * COLUMNS };

/* As many different positions, in no order. */
static int64_t random_positions(uint64_t positions[CELLS], uint64_t *seed)
{
    int64_t count = (int64_t)random_below(seed, CELLS + 1);
    for (int p = 0; p < CELLS; p++) {
        positions[p] = (uint64_t)p;
    }
    for (int p = 0; p < CELLS; p++) {
        uint64_t other = random_below(seed, CELLS), kept = positions[p];
        positions[p] = positions[other];
        positions[other] = kept;
    }
    return count;
}

static void check(torc_context *context, uint64_t seed, torc_type type, bool has_values, bool iso)
{
    size_t size = torc_type_size(type);
    uint64_t positions[CELLS], start = seed;
    int64_t count = random_positions(positions, &seed);
    char values[CELLS * 16], cells[CELLS * 16];
    uint8_t bitmap[CELLS];
    for (size_t k = 0; k < CELLS * size; k++) {
        values[k] = (char)random_below(&seed, 256);
    }
    memset(bitmap, 7, CELLS);
    torc_dense C = {.nrows = ROWS, .ncols = COLUMNS, .ld = COLUMNS, .order = TORC_ROW_MAJOR, .type = type};
    C.bitmap = device_copy(context, bitmap, CELLS);
    C.data = has_values ? device_copy(context, values, CELLS * size) : NULL;
    cr_assert_eq(torc_build(&C, context, positions, values, iso, count), TORC_SUCCESS);
    cr_assert_eq(torc_memory_download(context, bitmap, C.bitmap, CELLS), TORC_SUCCESS);
    if (has_values) {
        cr_assert_eq(torc_memory_download(context, cells, C.data, CELLS * size), TORC_SUCCESS);
    }
    int64_t present = 0;
    for (int p = 0; p < CELLS; p++) {
        cr_assert_leq(bitmap[p], 1, "seed %lu", (unsigned long)start);
        present += bitmap[p];
    }
    cr_assert_eq(present, count, "seed %lu", (unsigned long)start);
    for (int64_t e = 0; e < count; e++) {
        const char *value = values + (iso ? 0 : (size_t)e * size);
        cr_assert_eq(bitmap[positions[e]], 1, "seed %lu", (unsigned long)start);
        cr_assert(!has_values || memcmp(cells + positions[e] * size, value, size) == 0, "seed %lu",
            (unsigned long)start);
    }
    torc_memory_release(context, C.data);
    torc_memory_release(context, C.bitmap);
}

Test(build, entries_go_to_their_positions)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        check(context, seed, (torc_type)(seed % TORC_TYPE_COUNT), seed % 5 != 0, seed % 3 == 0);
    }
    torc_context_destroy(context);
}

Test(build, what_does_not_fit_is_refused)
{
    torc_context *context = open_reference(0);
    uint64_t position = 3;
    double value = 1, cells[CELLS];
    uint8_t bytes[CELLS];
    torc_dense C = {
        .nrows = ROWS, .ncols = COLUMNS, .ld = COLUMNS, .order = TORC_ROW_MAJOR, .type = TORC_FP64};
    C.data = device_copy(context, cells, sizeof cells);
    cr_expect_eq(torc_build(&C, context, &position, &value, false, 1), TORC_INVALID_VALUE, "no bitmap");
    C.bitmap = device_copy(context, bytes, sizeof bytes);
    cr_expect_eq(torc_build(&C, context, NULL, &value, false, 1), TORC_NULL_POINTER);
    cr_expect_eq(torc_build(&C, context, &position, NULL, false, 1), TORC_NULL_POINTER);
    cr_expect_eq(torc_build(NULL, context, &position, &value, false, 1), TORC_NULL_POINTER);
    cr_expect_eq(torc_build(&C, NULL, &position, &value, false, 1), TORC_NULL_POINTER);
    torc_dense gaps = C;
    gaps.ld++;
    cr_expect_eq(torc_build(&gaps, context, &position, &value, false, 1), TORC_INVALID_VALUE);
    cr_expect_eq(torc_build(&C, context, &position, &value, false, CELLS + 1), TORC_INVALID_VALUE);
    cr_expect_eq(torc_build(&C, context, &position, &value, false, -1), TORC_INVALID_VALUE);
    cr_expect_eq(torc_build(&C, context, &position, &value, false, 1), TORC_SUCCESS);
    torc_memory_release(context, C.data);
    torc_memory_release(context, C.bitmap);
    torc_context_destroy(context);
}

/* Memory for its bitmap is NULL. */
Test(build, a_matrix_without_elements_needs_no_bitmap)
{
    torc_context *context = open_reference(0);
    uint64_t position = 0;
    double value = 1;
    torc_dense C = {.nrows = 0, .ncols = COLUMNS, .ld = COLUMNS, .order = TORC_ROW_MAJOR, .type = TORC_FP64};
    cr_expect_eq(torc_build(&C, context, NULL, NULL, false, 0), TORC_SUCCESS);
    cr_expect_eq(torc_build(&C, context, &position, &value, false, 1), TORC_INVALID_VALUE);
    torc_context_destroy(context);
}
