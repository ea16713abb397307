/* test_update.c: C⟨mask⟩ = accum (C, T) and bitmap operands, by hand, on the reference executor.
 *
 * Column number 4t + 2c + m of each of two rows: t, T has an element there; c, C has; m, the mask is nonzero.
 * What becomes of it is one letter: T  T's value     C  C's value     A  C - T     I  the identity     .
 * absent */
#include "engine_fixture.h"
#include <string.h>
#include <torc/elementwise.h>

enum { ROWS = 2, COLS = 8, LD = 11, CELLS = COLS * LD };

typedef struct update_case {
    bool has_bitmap, has_mask, complement, replace, has_accum;
    char expected[COLS + 1];
} update_case;

static const update_case cases[] = {
    /* bitmap, mask, complement, replace, accum */
    {true, false, false, false, false, "....TTTT"},
    {true, false, false, true, false, "....TTTT"},
    {true, false, false, false, true, "..CCTTAA"},
    {true, true, false, false, false, "..C..TCT"},
    {true, true, false, false, true, "..CC.TCA"},
    {true, true, false, true, false, ".....T.T"},
    {true, true, false, true, true, "...C.T.A"},
    {true, true, true, false, false, "...CT.TC"},
    {true, true, true, false, true, "..CCT.AC"},
    {true, true, true, true, false, "....T.T."},
    {true, true, true, true, true, "..C.T.A."},
    {false, false, false, false, false, "IIIITTTT"},
    {false, false, false, false, true, "CCCCAAAA"},
    {false, true, false, false, false, "CICICTCT"},
    {false, true, false, false, true, "CCCCCACA"},
    {false, true, true, false, false, "ICICTCTC"},
    {false, true, true, false, true, "CCCCACAC"},
};

typedef struct layout {
    torc_order order;
    bool is_iso; /* C before */
} layout;

static int64_t position(torc_order order, int64_t i, int64_t j)
{
    return order == TORC_ROW_MAJOR ? i * LD + j : i + j * LD;
}

/* Element (i,j) of T, and of C before. Elements that are absent hold rubbish. */
static int64_t value_of_t(int64_t i, int64_t j)
{
    return (i + 1) * (1000 + 10 * j);
}

static int64_t value_of_c(const layout *l, int64_t i, int64_t j)
{
    return l->is_iso ? 7 : 500 + 100 * i + j;
}

typedef struct arrays {
    int64_t b[CELLS], c[CELLS];
    uint8_t b_bitmap[CELLS], c_bitmap[CELLS], mask[CELLS];
} arrays;

/* A = [1 2; 2 5], and row 1 of B is absent: T(0,j) = b(0,j), T(1,j) = 2 b(0,j). */
static void fill(arrays *x, const layout *l)
{
    memset(x, 0xEE, sizeof *x);
    for (int64_t j = 0; j < COLS; j++) {
        x->b[position(l->order, 0, j)] = j & 4 ? value_of_t(0, j) : -1;
        x->b_bitmap[position(l->order, 0, j)] = (j & 4) != 0;
        x->b_bitmap[position(l->order, 1, j)] = 0;
        for (int64_t i = 0; i < ROWS; i++) {
            int64_t at = position(l->order, i, j);
            x->c[at] = value_of_c(l, i, j);
            x->c_bitmap[at] = (j & 2) != 0;
            x->mask[at] = j & 1 ? (uint8_t)(i + 1) : 0; /* any nonzero byte */
        }
    }
}

static void expect_element(const update_case *u, const layout *l, const arrays *after, int64_t i, int64_t j)
{
    int64_t at = position(l->order, i, j), t = value_of_t(i, j), c = value_of_c(l, i, j);
    char letter = u->expected[j];
    int64_t expected = letter == 'T' ? t : letter == 'C' ? c : letter == 'A' ? c - t : 0;
    int number = (int)(u - cases);
    if (u->has_bitmap) {
        cr_expect(after->c_bitmap[at] == (letter != '.'), "case %d, order %d, (%ld,%ld): presence %d", number,
            l->order, i, j, after->c_bitmap[at]);
    }
    cr_expect(letter == '.' || after->c[at] == expected, "case %d, order %d, iso %d, (%ld,%ld): %ld, not %ld",
        number, l->order, l->is_iso, i, j, after->c[at], expected);
}

static void check(const update_case *u, const layout *l)
{
    static const uint32_t row_ptr[] = {0, 2, 4}, col_idx[] = {1, 0, 0, 1};
    static const int64_t values[] = {2, 1, 2, 5}, iso = 7;
    torc_csr csr = {ROWS, 2, row_ptr, col_idx, values, 32, 32, TORC_INT64, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    arrays x;
    fill(&x, l);
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {2, COLS, LD, l->order, TORC_INT64, false, device_copy(context, x.b, sizeof x.b),
        device_copy(context, x.b_bitmap, sizeof x.b_bitmap)};
    if (l->is_iso) {
        memset(x.c, 0xEE, sizeof x.c);
    }
    torc_dense C = {ROWS, COLS, LD, l->order, TORC_INT64, false, device_copy(context, x.c, sizeof x.c),
        device_copy(context, x.c_bitmap, sizeof x.c_bitmap)};
    void *mask = device_copy(context, x.mask, sizeof x.mask), *one = device_copy(context, &iso, sizeof iso);
    void *bitmap = C.bitmap;
    torc_update update = {u->has_mask ? mask : NULL, u->complement, u->replace, u->has_accum, TORC_MINUS,
        l->is_iso ? one : NULL};
    C.bitmap = u->has_bitmap ? C.bitmap : NULL;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_INT64};
    cr_assert(torc_spmm(&C, semiring, A, false, &B, &update) == TORC_SUCCESS);

    arrays after;
    cr_assert(torc_memory_download(context, after.c, C.data, sizeof after.c) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, after.c_bitmap, bitmap, sizeof after.c_bitmap) == TORC_SUCCESS);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < COLS; j++) {
            expect_element(u, l, &after, i, j);
        }
    }
    int64_t outside = l->order == TORC_ROW_MAJOR ? COLS : ROWS; /* the first place of the padding */
    cr_expect(after.c[outside] == x.c[outside] && after.c_bitmap[outside] == 0xEE);
    void *memory[] = {B.data, B.bitmap, C.data, bitmap, mask, one};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        torc_memory_release(context, memory[i]);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(update, does_to_each_element_what_mask_accumulator_replace_and_presence_say)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int order = TORC_ROW_MAJOR; order <= TORC_COL_MAJOR; order++) {
            for (int is_iso = 0; is_iso < 2; is_iso++) {
                check(&cases[i], &(layout){(torc_order)order, is_iso});
            }
        }
    }
}

Test(update, tells_the_presence_of_rows_without_entries)
{
    static const uint32_t row_ptr[] = {0, 1, 1}, col_idx[] = {0};
    static const int32_t b[] = {5, 6, 7, 8, 9, 10, 11, 12};
    torc_csr csr = {2, 1, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    for (int order = TORC_ROW_MAJOR; order <= TORC_COL_MAJOR; order++) {
        torc_dense B = {1, 2, order == TORC_ROW_MAJOR ? 2 : 1, (torc_order)order, TORC_INT32, false,
            device_copy(context, b, sizeof b), NULL};
        torc_dense C = {2, 2, 2, (torc_order)order, TORC_INT32, false, device_copy(context, b, sizeof b),
            device_copy(context, b, sizeof b)};
        torc_semiring semiring = {TORC_MIN_MONOID, TORC_SECOND, TORC_INT32};
        uint8_t present[4];
        int32_t c[4];
        cr_assert(torc_spmm(&C, semiring, A, false, &B, NULL) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, present, C.bitmap, sizeof present) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, c, C.data, sizeof c) == TORC_SUCCESS);
        int second = order == TORC_ROW_MAJOR ? 1 : 2;
        cr_expect(present[0] == 1 && present[second] == 1 && present[3 - second] == 0 && present[3] == 0);
        cr_expect(c[0] == 5 && c[second] == 6);
        torc_memory_release(context, B.data);
        torc_memory_release(context, C.data);
        torc_memory_release(context, C.bitmap);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(update, refuses_what_cannot_be)
{
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    torc_csr csr = {1, 1, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    int32_t zero = 0;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    void *memory = device_copy(context, &zero, sizeof zero);
    torc_dense B = {1, 1, 1, TORC_ROW_MAJOR, TORC_INT32, false, memory, NULL}, C = B;
    C.data = device_copy(context, &zero, sizeof zero);
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_SECOND, TORC_INT32};
    const struct {
        torc_update update;
        torc_status status;
    } refusals[] = {
        {{.complement = true}, TORC_INVALID_VALUE}, {{.mask = memory, .replace = true}, TORC_INVALID_VALUE},
        {{.has_accum = true, .accum = TORC_EQ}, TORC_UNSUPPORTED}, /* bool results */
        {{.has_accum = true, .accum = TORC_FIRSTI}, TORC_UNSUPPORTED},
        {{.has_accum = true, .accum = TORC_MULTIPLY_COUNT}, TORC_UNSUPPORTED},
        {{.accum = TORC_MULTIPLY_COUNT}, TORC_SUCCESS}, /* not looked at */
    };
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        torc_status status = torc_spmm(&C, semiring, A, false, &B, &refusals[i].update);
        cr_expect(status == refusals[i].status, "%zu: %s", i, torc_status_text(status));
    }
    B.bitmap = memory;
    B.ld = 0;
    semiring.multiply = TORC_PAIR;
    cr_expect(torc_spmm(&C, semiring, A, false, &B, NULL) == TORC_INVALID_VALUE, "ld of a bitmap");
    torc_memory_release(context, memory);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* Memory for its bitmap and for the mask is NULL. */
Test(update, of_no_elements_needs_no_bitmap_and_no_mask)
{
    static const uint32_t row_ptr[] = {0};
    static const uint8_t mask = 1;
    torc_context *context = open_reference(0);
    torc_csr csr = {0, 3, row_ptr, NULL, NULL, 32, 32, TORC_FP64, false, NULL};
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};
    torc_operation negate = {.kind = TORC_APPLY, .unary = TORC_UNARY_AINV, .type = TORC_FP64};
    torc_operand value = {.value = {.type = TORC_FP64}};
    torc_update complement = {.complement = true, .replace = true},
                replace = {.mask = &mask, .replace = true};
    double b[3 * 2] = {0};
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {3, 2, 2, TORC_ROW_MAJOR, TORC_FP64, false, device_copy(context, b, sizeof b), NULL};
    torc_dense C = {0, 2, 2, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL}, wide = C;
    wide.nrows = 3;
    wide.ncols = 0;
    cr_expect(torc_spmm(&C, plus_times, A, false, &B, &complement) == TORC_SUCCESS);
    cr_expect(torc_spmm(&C, plus_times, A, false, &B, &replace) == TORC_SUCCESS);
    cr_expect(torc_elementwise(&C, &negate, context, &value, NULL, &complement) == TORC_SUCCESS);
    cr_expect(torc_elementwise(&wide, &negate, context, &value, NULL, &replace) == TORC_SUCCESS);
    torc_sparse_destroy(A);
    torc_memory_release(context, B.data);
    torc_context_destroy(context);
}
