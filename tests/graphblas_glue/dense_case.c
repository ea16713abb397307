/* dense_case.c: see dense_case.h. */
#include "dense_case.h"
#include "entries.h"
#include "operator_handles.h"
#include "random_matrix.h"
#include "traced_mxm.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

int dense_case_step(void)
{
    enum { SAMPLE = 31 };
    return torc_trace_is_reference() || getenv("TORC_TEST_ALL") ? 1 : SAMPLE;
}

value_type dense_case_type(uint64_t *seed)
{
    return (value_type)random_below(seed, VALUE_FP64 + 1);
}

static GrB_Matrix random_matrix(
    uint64_t *seed, GrB_Index nrows, GrB_Index ncols, value_type type, bool is_vector, int format)
{
    return torc_random_matrix(&(matrix_recipe){
        .seed = random_word(seed),
        .nrows = nrows,
        .ncols = ncols,
        .type = type,
        .style = STYLE_SPECIAL,
        .format = format,
        .by_col = is_vector || random_below(seed, 2),
        .iso = random_below(seed, 6) == 0,
        .density = 0.8,
        .empty_vectors = 0.05,
    });
}

GrB_Matrix dense_case_operand(
    uint64_t *seed, GrB_Index nrows, GrB_Index ncols, value_type type, bool is_vector)
{
    int format = random_below(seed, 2) ? GxB_FULL : GxB_BITMAP;
    return random_matrix(seed, nrows, ncols, type, is_vector, format);
}

GrB_Matrix dense_case_copy(GrB_Matrix A)
{
    GrB_Matrix copy = NULL;
    cr_assert(!A || GrB_Matrix_dup(&copy, A) == GrB_SUCCESS);
    return copy;
}

static value_type type_of(GrB_Matrix A)
{
    value_type type = VALUE_BOOL;
    GrB_Type handle;
    cr_assert_eq(GxB_Matrix_type(&handle, A), GrB_SUCCESS);
    while (torc_value_handle(type) != handle) {
        type++;
    }
    return type;
}

static GrB_Matrix random_mask(uint64_t *seed, GrB_Index nrows, GrB_Index ncols, const dense_case *c)
{
    static const int formats[] = {GxB_FULL, GxB_BITMAP, GxB_SPARSE};
    value_type type = random_below(seed, 2) ? VALUE_BOOL : VALUE_INT32;
    return random_matrix(
        seed, nrows, ncols, type, c->is_vector, formats[random_below(seed, c->accum ? 2 : 3)]);
}

void dense_case_finish(dense_case *c, uint64_t *seed, GrB_Index mask_rows, GrB_Index mask_columns)
{
    static const torc_multiply accums[] = {
        TORC_PLUS, TORC_MINUS, TORC_MIN, TORC_SECOND, TORC_FIRST, TORC_TIMES};
    cr_assert_eq(GrB_Descriptor_new(&c->desc), GrB_SUCCESS);
    c->expected = dense_case_copy(c->C);
    c->accum =
        random_below(seed, 2) ? NULL : binary_handle(accums[random_below(seed, 6)], (torc_type)type_of(c->C));
    if (c->transposes) {
        GrB_Descriptor_set(c->desc, GrB_INP0, GrB_TRAN);
    }
    if (random_below(seed, 2)) {
        int64_t flags = random_below(seed, 8);
        int field = (flags & 1 ? GrB_COMP : 0) + (flags & 2 ? GrB_STRUCTURE : 0);
        c->mask = random_mask(seed, mask_rows, mask_columns, c);
        if (field) {
            GrB_Descriptor_set(c->desc, GrB_MASK, (GrB_Desc_Value)field);
        }
        if (flags & 4) {
            GrB_Descriptor_set(c->desc, GrB_OUTP, GrB_REPLACE);
        }
    }
}

torc_target dense_case_target(const dense_case *c)
{
    return (torc_target){"a dense call", c->C, c->mask, c->accum, c->desc, false};
}

void dense_case_expect_same(const dense_case *c)
{
    entries expected = torc_entries_of(c->expected), found = torc_entries_of(c->C);
    value_type type = type_of(c->C);
    cr_assert(expected.nvals == found.nvals, "seed %lu: %lu entries, GraphBLAS has %lu", c->seed, found.nvals,
        expected.nvals);
    bool has_entries = expected.nvals > 0;
    cr_assert((!has_entries || memcmp(expected.idx, found.idx, expected.nvals * sizeof *found.idx) == 0) &&
                  memcmp(expected.ptr, found.ptr, (expected.nlisted + 1) * sizeof *found.ptr) == 0,
        "seed %lu: other entries", c->seed);
    for (GrB_Index k = 0; k < expected.nvals; k++) {
        const char *x = (const char *)expected.values + k * expected.value_size;
        const char *y = (const char *)found.values + k * found.value_size;
        cr_assert(torc_value_equal(type, x, y), "seed %lu: value %lu is %g, GraphBLAS has %g", c->seed, k,
            torc_value_as_double(type, y), torc_value_as_double(type, x));
    }
    torc_entries_free(&expected);
    torc_entries_free(&found);
}

void dense_case_free(dense_case *c)
{
    GrB_Matrix_free(&c->C);
    GrB_Matrix_free(&c->expected);
    GrB_Matrix_free(&c->mask);
    GrB_Matrix_free(&c->A);
    GrB_Matrix_free(&c->B);
    GrB_Descriptor_free(&c->desc);
}
