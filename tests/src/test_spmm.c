/* torc_spmm on the reference executor against a triple loop: orders, forms of operands and integer widths,
 * combined, and every semiring, on random matrices of at most 6 x 6. The loop takes the operators
 * from where the executor has them, which test_reference_operators.c holds to hand-worked values. Values are
 * such that every sum and product is exact, so that the order of terms does not matter.
 */
#include "backend.h"
#include "engine_fixture.h"
#include "reference.h"
#include "splitmix.h"
#include "typed_value.h"
#include <stdio.h>

enum { MOST = 6, PADDING = 3, FILL = 0x5A, BUFFER = (MOST + PADDING) * MOST * 16 };

typedef struct spmm_case {
    uint64_t seed;
    torc_semiring semiring;
    bool transpose, b_iso;
    torc_order b_order, c_order;
    torc_access a_access;
    int row_ptr_bits, col_idx_bits;
    torc_type a_type, b_type;
    int64_t m, k, n;
    bool is_entry[MOST][MOST]; /* of op(A) */
    int64_t a[MOST][MOST], b[MOST][MOST];
} spmm_case;

static const char *describe(const spmm_case *c)
{
    static char text[256];
    static const char *const access[] = {"pattern", "iso", "array"};
    snprintf(text, sizeof text,
        "seed %lu: %ld x %ld x %ld, %s_%s %s, A %s %s%s, %d- and %d-bit, B %s %s %s-major, C %s-major",
        (unsigned long)c->seed, c->m, c->k, c->n, torc_monoid_name(c->semiring.add),
        torc_multiply_name(c->semiring.multiply), torc_type_name(c->semiring.type), torc_type_name(c->a_type),
        access[c->a_access], c->transpose ? " transposed" : "", c->row_ptr_bits, c->col_idx_bits,
        torc_type_name(c->b_type), c->b_iso ? "iso" : "array",
        c->b_order == TORC_ROW_MAJOR ? "row" : "column", c->c_order == TORC_ROW_MAJOR ? "row" : "column");
    return text;
}

/* ---- The triple loop ---------------------------------------------------------------------------------- */

static void store(void *array, torc_type type, int64_t at, int64_t value)
{
    torc_cast((char *)array + (size_t)at * torc_type_size(type), type, &value, TORC_INT64);
}

/* A value of an operand as multiply sees it. */
static torc_value operand(int64_t value, torc_type stored_type, torc_type type)
{
    torc_value stored, x;
    store(&stored, stored_type, 0, value);
    torc_cast(&x, type, &stored, stored_type);
    return x;
}

static torc_value product(const spmm_case *c, int64_t i, int64_t l, int64_t j)
{
    torc_semiring s = c->semiring;
    torc_value z = {0};
    if (torc_semiring_traits(s).is_positional) {
        store(&z, s.type, 0, torc_reference_position(s.multiply, i, l, j));
    } else {
        torc_value x = operand(c->a[i][l], c->a_type, s.type), y = operand(c->b[l][j], c->b_type, s.type);
        torc_reference_multiply(s.multiply, s.type)(&z, &x, &y);
    }
    return z;
}

/* Equal as numbers: what -0 and 0 become of depends on the order of complex products. */
static bool is_equal(const torc_value *x, const torc_value *y, torc_type type)
{
    torc_fc64 a, b;
    torc_cast(&a, TORC_FC64, x, type);
    torc_cast(&b, TORC_FC64, y, type);
    bool is_integer = type < TORC_FP32;
    return is_integer ? is_same_value(x, y, type) : a.real == b.real && a.imag == b.imag;
}

/* The value at `found` is C(i,j), or for any, one of its terms. */
static bool is_right(const spmm_case *c, int64_t i, int64_t j, const torc_value *found)
{
    torc_type type = torc_semiring_traits(c->semiring).z_type;
    torc_value sum;
    int terms = 0;
    torc_reference_identity(&sum, (torc_reduction){c->semiring.add, type, NULL});
    for (int64_t l = 0; l < c->k; l++) {
        if (!c->is_entry[i][l]) {
            continue;
        }
        torc_value term = product(c, i, l, j);
        if (c->semiring.add == TORC_ANY_MONOID && is_equal(&term, found, type)) {
            return true;
        }
        if (terms++ == 0) {
            sum = term;
        } else {
            torc_reference_add(c->semiring.add, type)(&sum, &sum, &term);
        }
    }
    bool must_be_a_term = terms > 0 && c->semiring.add == TORC_ANY_MONOID;
    return !must_be_a_term && is_equal(&sum, found, type);
}

/* ---- Building the operands ---------------------------------------------------------------------------- */

static int64_t random_dimension(uint64_t *seed)
{
    return random_below(seed, 16) == 0 ? 0 : 1 + random_below(seed, MOST);
}

/* Quotients of the powers of two are exact. */
static int64_t random_value(const spmm_case *c, uint64_t *seed)
{
    bool divides = c->semiring.multiply == TORC_DIV || c->semiring.multiply == TORC_RDIV;
    return divides ? INT64_C(1) << random_below(seed, 3) : random_below(seed, 6);
}

static void fill_randomly(spmm_case *c)
{
    uint64_t seed = c->seed;
    c->m = random_dimension(&seed);
    c->k = random_dimension(&seed);
    c->n = random_below(&seed, 4) == 0 ? 1 : random_dimension(&seed);
    c->a_type = (torc_type)random_below(&seed, TORC_TYPE_COUNT);
    c->b_type = (torc_type)random_below(&seed, TORC_TYPE_COUNT);
    int64_t a_iso_value = random_value(c, &seed), b_iso_value = random_value(c, &seed);
    int64_t density = random_below(&seed, 5); /* 0: no entries; 4: full */
    for (int i = 0; i < MOST; i++) {
        bool is_empty_row = density < 4 && random_below(&seed, 4) == 0;
        for (int j = 0; j < MOST; j++) {
            c->is_entry[i][j] = !is_empty_row && random_below(&seed, 4) < density;
            c->a[i][j] = c->a_access == TORC_ACCESS_ARRAY ? random_value(c, &seed) : a_iso_value;
            c->b[i][j] = c->b_iso ? b_iso_value : random_value(c, &seed);
        }
    }
}

static void store_index(void *array, int bits, int64_t at, int64_t index)
{
    uint32_t narrow = (uint32_t)index;
    size_t size = (size_t)bits / 8;
    memcpy((char *)array + (size_t)at * size, bits == 32 ? (void *)&narrow : &index, size);
}

static torc_sparse *create_sparse(torc_context *context, const spmm_case *c)
{
    int64_t row_ptr[MOST + 1], col_idx[MOST * MOST], nnz = 0;
    torc_value values[MOST * MOST];
    int64_t nrows = c->transpose ? c->k : c->m, ncols = c->transpose ? c->m : c->k;
    store_index(row_ptr, c->row_ptr_bits, 0, 0);
    for (int64_t i = 0; i < nrows; i++) {
        int64_t turn = (int64_t)(c->seed % MOST); /* so that columns do not ascend */
        for (int64_t t = 0; t < ncols; t++) {
            int64_t j = (t + turn) % ncols;
            int64_t row = c->transpose ? j : i, column = c->transpose ? i : j;
            if (c->is_entry[row][column]) {
                store_index(col_idx, c->col_idx_bits, nnz, j);
                store(values, c->a_type, c->a_access == TORC_ACCESS_ISO ? 0 : nnz, c->a[row][column]);
                nnz++;
            }
        }
        store_index(row_ptr, c->row_ptr_bits, i + 1, nnz);
    }
    if (c->a_access == TORC_ACCESS_ISO) {
        store(values, c->a_type, 0, c->a[0][0]);
    }
    torc_csr csr = {
        .nrows = nrows,
        .ncols = ncols,
        .row_ptr = row_ptr,
        .col_idx = col_idx,
        .values = c->a_access == TORC_ACCESS_NONE ? NULL : values,
        .row_ptr_bits = c->row_ptr_bits,
        .col_idx_bits = c->col_idx_bits,
        .type = c->a_type,
        .iso = c->a_access == TORC_ACCESS_ISO,
    };
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS, "%s", describe(c));
    return A;
}

static torc_dense dense_shape(int64_t nrows, int64_t ncols, torc_order order, torc_type type, uint64_t seed)
{
    int64_t ld = (order == TORC_ROW_MAJOR ? ncols : nrows) + (int64_t)(seed % (PADDING + 1));
    return (torc_dense){.nrows = nrows, .ncols = ncols, .ld = ld, .order = order, .type = type};
}

static int64_t position(const torc_dense *X, int64_t i, int64_t j)
{
    return X->order == TORC_ROW_MAJOR ? i * X->ld + j : i + j * X->ld;
}

static torc_dense create_b(torc_context *context, const spmm_case *c)
{
    torc_dense B = dense_shape(c->k, c->n, c->b_order, c->b_type, c->seed / 4);
    torc_value host[BUFFER / sizeof(torc_value)];
    memset(host, FILL, sizeof host);
    if (c->b_iso) {
        B.iso = true;
        B.ld = INT64_MAX; /* not looked at */
        store(host, B.type, 0, c->b[0][0]);
    }
    for (int64_t i = 0; i < c->k && !c->b_iso; i++) {
        for (int64_t j = 0; j < c->n; j++) {
            store(host, B.type, position(&B, i, j), c->b[i][j]);
        }
    }
    B.data = device_copy(context, host, sizeof host);
    return B;
}

/* ---- Comparing ---------------------------------------------------------------------------------------- */

static void check_result(torc_context *context, const spmm_case *c, const torc_dense *C)
{
    unsigned char host[BUFFER];
    bool is_element[BUFFER] = {false};
    size_t size = torc_type_size(C->type);
    cr_assert(torc_memory_download(context, host, C->data, BUFFER) == TORC_SUCCESS);
    for (int64_t i = 0; i < c->m; i++) {
        for (int64_t j = 0; j < c->n; j++) {
            torc_value found = {0};
            size_t at = (size_t)position(C, i, j) * size;
            memcpy(&found, host + at, size);
            memset(is_element + at, true, size);
            if (!is_right(c, i, j, &found)) {
                cr_assert_fail("C(%ld,%ld): %s", i, j, describe(c));
            }
        }
    }
    for (int at = 0; at < BUFFER; at++) {
        if (!is_element[at] && host[at] != FILL) {
            cr_assert_fail("byte %d outside of C: %s", at, describe(c));
        }
    }
}

static void run_case(torc_context *context, spmm_case *c)
{
    static unsigned char fill[BUFFER];
    memset(fill, FILL, sizeof fill);
    fill_randomly(c);
    torc_sparse *A = create_sparse(context, c);
    torc_dense B = create_b(context, c);
    torc_dense C =
        dense_shape(c->m, c->n, c->c_order, torc_semiring_traits(c->semiring).z_type, c->seed / 16);
    C.data = device_copy(context, fill, sizeof fill);

    torc_statistics statistics;
    cr_assert(torc_sparse_statistics(&statistics, A, false) == TORC_SUCCESS);
    torc_status status = torc_spmm(&C, c->semiring, A, c->transpose, &B, NULL);
    bool lacks_values = c->a_access == TORC_ACCESS_NONE && statistics.nnz > 0;
    if (lacks_values && torc_semiring_traits(c->semiring).reads_a) {
        cr_assert(status == TORC_INVALID_VALUE, "%s", describe(c));
    } else {
        cr_assert(status == TORC_SUCCESS, "%s: %s", torc_status_text(status), describe(c));
        cr_assert(torc_context_wait(context) == TORC_SUCCESS);
        check_result(context, c, &C);
        /* Again, over its own result: old content of C is not read, and the transpose is at hand. */
        cr_assert(torc_spmm(&C, c->semiring, A, c->transpose, &B, NULL) == TORC_SUCCESS);
        check_result(context, c, &C);
    }
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(A);
}

/* A quarter of all forms of the operands, in which any three of the six choices meet in every way (an
 * orthogonal array of strength 3); the quarters go round from semiring to semiring. */
static void run_forms(torc_context *context, torc_semiring semiring, uint64_t number)
{
    enum { FORMS = 3 << 6 };
    for (unsigned form = 0; form < FORMS; form++) {
        unsigned quarter = 2 * __builtin_parity(form & 0x0f) + __builtin_parity(form & 0x3c);
        if (quarter != number % 4) {
            continue;
        }
        spmm_case c = {
            .seed = number * FORMS + form,
            .semiring = semiring,
            .transpose = form & 1,
            .b_iso = form >> 1 & 1,
            .b_order = form >> 2 & 1 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
            .c_order = form >> 3 & 1 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
            .row_ptr_bits = form >> 4 & 1 ? 64 : 32,
            .col_idx_bits = form >> 5 & 1 ? 64 : 32,
            .a_access = (torc_access)(form >> 6),
        };
        run_case(context, &c);
    }
}

Test(spmm, is_the_triple_loop_for_every_semiring_and_form_of_operands)
{
    torc_context *context = open_reference(0);
    uint64_t number = 0;
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            for (int type = 0; type < TORC_TYPE_COUNT; type++) {
                torc_semiring semiring = {add, multiply, type};
                if (torc_semiring_traits(semiring).is_supported) {
                    run_forms(context, semiring, number++);
                }
            }
        }
    }
    cr_assert(number == 2070);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
