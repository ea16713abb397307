/* torc_spmm with user-defined types and operators, on the reference executor, which calls their functions of
 * the host: beside the formula written out on dense arrays. */
#include "engine_fixture.h"
#include "splitmix.h"
#include "user_semirings.h"
#include <stdlib.h>
#include <string.h>

enum { NROWS = 9, NCOLS = 6, WIDTH = 4 };

/* A CSR pattern of which some rows are empty. */
typedef struct pattern {
    uint32_t row_ptr[NROWS + 1], col_idx[NROWS * NCOLS];
    bool present[NROWS][NCOLS];
    int at[NROWS][NCOLS]; /* the number of the entry */
} pattern;

static pattern random_pattern(uint64_t *seed)
{
    pattern A = {.row_ptr = {0}};
    uint32_t nnz = 0;
    for (int i = 0; i < NROWS; i++) {
        for (int k = 0; k < NCOLS; k++) {
            A.present[i][k] = i % 3 && random_below(seed, 2);
            if (A.present[i][k]) {
                A.at[i][k] = (int)nnz;
                A.col_idx[nnz++] = (uint32_t)k;
            }
        }
        A.row_ptr[i + 1] = nnz;
    }
    return A;
}

static void load(void *x, torc_type type, const char *values, torc_type stored, int64_t p, bool iso)
{
    const char *value = values + (iso ? 0 : (size_t)p * torc_type_size(stored));
    if (type > TORC_OPAQUE) {
        memcpy(x, value, torc_type_size(type));
    } else {
        torc_cast(x, type, value, stored);
    }
}

static void times_int32(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const int32_t *)x * *(const int32_t *)y;
}

static void plus_double(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}

static void lor(void *z, const void *x, const void *y)
{
    *(bool *)z = *(const bool *)x || *(const bool *)y;
}

typedef struct problem {
    const torc_user_case *c;
    pattern A;
    const char *a, *b;
    uint8_t b_bitmap[NROWS * WIDTH]; /* as b */
    bool b_is_bitmap;                /* and so is C then */
    bool transpose, a_iso, b_iso;
    torc_order b_order, c_order;
} problem;

/* C(i,j) of the formula; false where there is no term, and C gets the identity. */
static bool expected_value(void *sum, const problem *p, int i, int j)
{
    torc_semiring s = p->c->semiring;
    const torc_definition *d = s.definition;
    torc_traits traits = torc_semiring_traits(s);
    torc_function add = d->add_on_host ? d->add_on_host : s.add == TORC_LOR_MONOID ? lor : plus_double;
    torc_function multiply = d->multiply_on_host ? d->multiply_on_host : times_int32;
    int inner = p->transpose ? NROWS : NCOLS, nterms = 0;
    size_t size = torc_type_size(traits.z_type);
    memset(sum, 0, size);
    if (s.add == TORC_USER_MONOID && d->identity) {
        memcpy(sum, d->identity, size);
    }
    for (int k = 0; k < inner; k++) {
        int row = p->transpose ? k : i, col = p->transpose ? i : k;
        if (!p->A.present[row][col]) {
            continue;
        }
        char x[64], y[64], z[64], next[64];
        int64_t at_b = p->b_order == TORC_ROW_MAJOR ? k * WIDTH + j : j * inner + k;
        if (p->b_is_bitmap && !p->b_bitmap[at_b]) {
            continue;
        }
        load(x, traits.x_type, p->a, p->c->a_type, p->A.at[row][col], p->a_iso);
        load(y, traits.y_type, p->b, p->c->b_type, at_b, p->b_iso);
        multiply(z, s.is_flipped ? y : x, s.is_flipped ? x : y);
        if (nterms++ == 0) {
            memcpy(sum, z, size);
        } else {
            add(next, sum, z);
            memcpy(sum, next, size);
        }
    }
    return nterms > 0;
}

static void check(torc_context *context, const problem *p, uint64_t seed)
{
    int m = p->transpose ? NCOLS : NROWS, inner = p->transpose ? NROWS : NCOLS;
    torc_type z_type = torc_semiring_traits(p->c->semiring).z_type;
    size_t size = torc_type_size(z_type), b_size = torc_type_size(p->c->b_type);
    torc_csr csr = {NROWS, NCOLS, p->A.row_ptr, p->A.col_idx, p->a, 32, 32, p->c->a_type, p->a_iso};
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    char *c = calloc(NROWS * WIDTH, size);
    torc_dense B = {inner, WIDTH, p->b_order == TORC_ROW_MAJOR ? WIDTH : inner, p->b_order, p->c->b_type,
        p->b_iso, device_copy(context, p->b, NROWS * WIDTH * b_size),
        p->b_is_bitmap ? device_copy(context, p->b_bitmap, sizeof p->b_bitmap) : NULL};
    torc_dense C = {m, WIDTH, p->c_order == TORC_ROW_MAJOR ? WIDTH : m, p->c_order, z_type, false,
        device_copy(context, c, NROWS * WIDTH * size),
        p->b_is_bitmap ? device_copy(context, p->b_bitmap, sizeof p->b_bitmap) : NULL};
    uint8_t present[NROWS * WIDTH];
    torc_status status = torc_spmm(&C, p->c->semiring, A, p->transpose, &B, NULL);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s", p->c->name, torc_status_text(status));
    cr_assert_eq(torc_memory_download(context, c, C.data, (size_t)m * WIDTH * size), TORC_SUCCESS);
    memset(present, 1, sizeof present);
    if (C.bitmap) {
        cr_assert_eq(torc_memory_download(context, present, C.bitmap, (size_t)m * WIDTH), TORC_SUCCESS);
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < WIDTH; j++) {
            char expected[64];
            bool is_expected = expected_value(expected, p, i, j) || !C.bitmap;
            int at = p->c_order == TORC_ROW_MAJOR ? i * WIDTH + j : j * m + i;
            bool is_right = !is_expected || memcmp(c + (size_t)at * size, expected, size) == 0;
            cr_expect(is_right && present[at] == is_expected,
                "%s%s%s%s%s, B order %d, C order %d, seed %llu: C(%d,%d)", p->c->name,
                p->transpose ? ", transposed" : "", p->a_iso ? ", A iso" : "", p->b_iso ? ", B iso" : "",
                p->b_is_bitmap ? ", bitmaps" : "", (int)p->b_order, (int)p->c_order, (unsigned long long)seed,
                i, j);
        }
    }
    void *memory[] = {B.data, B.bitmap, C.data, C.bitmap};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        torc_memory_release(context, memory[i]);
    }
    torc_sparse_destroy(A);
    free(c);
}

Test(user_spmm, every_user_semiring_gives_what_the_formula_says)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 0; seed < TORC_USER_CASES * 128; seed++) {
        uint64_t random = seed;
        const torc_user_case *c = &torc_user_cases[seed / 128];
        problem p = {
            .c = c,
            .A = random_pattern(&random),
            .transpose = seed & 1,
            .a_iso = (seed >> 1 & 3) == 3,
            .b_iso = (seed >> 2 & 3) == 3,
            .b_order = seed >> 4 & 1 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
            .c_order = seed >> 5 & 1 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
            .b_is_bitmap = seed >> 6 & 1,
        };
        for (int at = 0; at < NROWS * WIDTH; at++) {
            p.b_bitmap[at] = random_below(&random, 3) > 0;
        }
        void *a = torc_user_values(&random, c->a_type, c->fill_a, NROWS * NCOLS);
        void *b = torc_user_values(&random, c->b_type, c->fill_b, NROWS * WIDTH);
        p.a = a;
        p.b = b;
        check(context, &p, seed);
        free(a);
        free(b);
    }
    torc_context_destroy(context);
}

Test(user_spmm, traits_tell_the_types_and_a_transpose_exchanges_them)
{
    torc_semiring vectors = torc_user_cases[1].semiring;
    torc_traits traits = torc_semiring_traits(vectors), flipped;
    flipped = torc_semiring_traits(torc_semiring_transpose(vectors));
    cr_expect(traits.is_supported && traits.reads_a && traits.reads_b && !traits.is_exact);
    cr_expect_eq(traits.x_type, TORC_FP64);
    cr_expect_eq(traits.y_type, torc_opaque_type(24));
    cr_expect_eq(flipped.x_type, torc_opaque_type(24));
    cr_expect_eq(flipped.y_type, TORC_FP64);
    cr_expect_eq(flipped.z_type, torc_opaque_type(24));
    torc_semiring back = torc_semiring_transpose(torc_semiring_transpose(vectors));
    cr_expect_eq(back.is_flipped, vectors.is_flipped);
}

Test(user_spmm, opaque_types_have_their_size_and_are_not_cast)
{
    cr_expect_eq(torc_type_size(torc_opaque_type(1)), 1);
    cr_expect_eq(torc_type_size(torc_opaque_type(12345)), 12345);
    cr_expect_eq(torc_type_size(torc_opaque_type(0)), 0);
    cr_expect_eq(torc_type_size(torc_opaque_type((size_t)1 << 30)), 0);
    cr_expect(torc_can_cast(TORC_FP64, TORC_BOOL));
    cr_expect(torc_can_cast(torc_opaque_type(8), torc_opaque_type(8)));
    cr_expect_not(torc_can_cast(torc_opaque_type(8), torc_opaque_type(4)));
    cr_expect_not(torc_can_cast(torc_opaque_type(8), TORC_FP64));
    cr_expect_not(torc_can_cast(TORC_FP64, torc_opaque_type(8)));
}

Test(user_spmm, definitions_that_do_not_fit_are_unsupported)
{
    torc_semiring paths = torc_user_cases[0].semiring, wrong = paths;
    torc_definition definition = *paths.definition;
    wrong.definition = NULL;
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "no definition");
    wrong.definition = &definition;
    cr_expect(torc_semiring_traits(wrong).is_supported);
    definition.x.name = NULL;
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "a type without a name");
    definition.x = (torc_user_type){TORC_FC64, NULL};
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "complex");
    definition.x = paths.definition->x;
    wrong.add = TORC_PLUS_MONOID;
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "plus on an opaque type");
    wrong.add = TORC_ANY_MONOID;
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "any on an opaque type");
    wrong = (torc_semiring){TORC_USER_MONOID, TORC_TIMES, TORC_FP64, .definition = &definition};
    cr_expect_not(torc_semiring_traits(wrong).is_supported, "an add on another type");
}

Test(user_spmm, operands_of_other_types_and_operators_without_functions_are_refused)
{
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    static const double values[3] = {1, 0, 0};
    torc_context *context = open_reference(0);
    torc_semiring paths = torc_user_cases[0].semiring;
    torc_definition definition = *paths.definition;
    torc_csr csr = {1, 1, row_ptr, col_idx, values, 32, 32, torc_opaque_type(16)};
    torc_sparse *A, *numbers;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    csr.type = TORC_FP64;
    cr_assert_eq(torc_sparse_create(&numbers, context, &csr), TORC_SUCCESS);
    csr.type = torc_opaque_type(0);
    torc_sparse *none;
    cr_expect_eq(torc_sparse_create(&none, context, &csr), TORC_INVALID_VALUE);
    void *b = device_copy(context, values, sizeof values), *c = device_copy(context, values, sizeof values);
    torc_dense B = {1, 1, 1, TORC_ROW_MAJOR, torc_opaque_type(16), false, b};
    torc_dense C = {1, 1, 1, TORC_ROW_MAJOR, torc_opaque_type(16), false, c};
    cr_expect_eq(torc_spmm(&C, paths, A, false, &B, NULL), TORC_SUCCESS);
    cr_expect_eq(torc_spmm(&C, paths, numbers, false, &B, NULL), TORC_INVALID_VALUE);
    B.type = TORC_FP64;
    cr_expect_eq(torc_spmm(&C, paths, A, false, &B, NULL), TORC_INVALID_VALUE);
    B.type = torc_opaque_type(16);
    C.type = torc_opaque_type(24);
    cr_expect_eq(torc_spmm(&C, paths, A, false, &B, NULL), TORC_INVALID_VALUE);
    C.type = torc_opaque_type(16);
    paths.definition = &definition;
    definition.multiply_on_host = NULL;
    cr_expect_eq(torc_spmm(&C, paths, A, false, &B, NULL), TORC_UNSUPPORTED);
    cr_expect_neq(torc_context_error(context)[0], '\0');
    torc_memory_release(context, b);
    torc_memory_release(context, c);
    torc_sparse_destroy(A);
    torc_sparse_destroy(numbers);
    torc_context_destroy(context);
}
