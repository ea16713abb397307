/* Booleans packed 64 columns a word, on the reference executor: packing itself, every semiring beside the
 * same product over bytes, and the rule that chooses. */
#include "bit_packing.h"
#include "engine_fixture.h"
#include "reference.h"
#include "splitmix.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 9, INNER = 700, WIDEST = 130, PADDING = 3, FILL = 0x5A, BOOLEAN_PRODUCTS = 50 };

static torc_device *open_device(void)
{
    torc_options options = TORC_OPTIONS_INIT;
    torc_device *device;
    cr_assert(torc_executor_reference()->open(&device, &options) == TORC_SUCCESS);
    return device;
}

static torc_dense dense(int64_t nrows, int64_t ncols, torc_order order, torc_type type, void *data)
{
    int64_t ld = (order == TORC_ROW_MAJOR ? ncols : nrows) + PADDING;
    return (torc_dense){nrows, ncols, ld, order, type, false, data};
}

static size_t place(const torc_dense *X, int64_t i, int64_t j)
{
    return (size_t)(X->order == TORC_ROW_MAJOR ? i * X->ld + j : i + j * X->ld);
}

static int64_t words_of(int64_t ncols)
{
    return (ncols + 63) / 64;
}

/* ---- Packing ------------------------------------------------------------------------------------------ */

Test(bit_packing, bit_j_of_a_row_is_whether_column_j_is_nonzero)
{
    torc_device *device = open_device();
    double values[2][66] = {{1, 0, -0.0, NAN, INFINITY}, {0}};
    values[0][63] = 1e-300;
    values[0][65] = -2;
    values[1][64] = 7;
    torc_dense X = {2, 66, 66, TORC_ROW_MAJOR, TORC_FP64, false, values};
    uint64_t words[4];
    cr_assert(torc_executor_reference()->pack_bits(device, words, &X) == TORC_SUCCESS);
    cr_expect(words[0] == (UINT64_C(0x19) | UINT64_C(1) << 63));
    cr_expect(words[1] == 2);
    cr_expect(words[2] == 0);
    cr_expect(words[3] == 1);
    torc_executor_reference()->close(device);
}

Test(bit_packing, unpacking_restores_what_was_packed_and_nothing_else)
{
    torc_device *device = open_device();
    uint64_t seed = 1;
    for (int64_t n = 1; n <= WIDEST; n++) {
        uint8_t before[(ROWS + PADDING) * (WIDEST + PADDING)], after[sizeof before];
        uint64_t words[ROWS * 3];
        torc_dense X = dense(ROWS, n, n % 2 ? TORC_ROW_MAJOR : TORC_COL_MAJOR, TORC_BOOL, before);
        torc_dense Y = dense(ROWS, n, n % 4 < 2 ? TORC_ROW_MAJOR : TORC_COL_MAJOR, TORC_BOOL, after);
        memset(after, FILL, sizeof after);
        for (size_t at = 0; at < sizeof before; at++) {
            before[at] = (uint8_t)random_below(&seed, 2);
        }
        cr_assert(torc_executor_reference()->pack_bits(device, words, &X) == TORC_SUCCESS);
        cr_assert(torc_executor_reference()->unpack_bits(device, &Y, words) == TORC_SUCCESS);
        for (int64_t i = 0; i < ROWS; i++) {
            for (int64_t j = 0; j < n; j++) {
                cr_assert(after[place(&Y, i, j)] == before[place(&X, i, j)], "n %ld, (%ld,%ld)", n, i, j);
                after[place(&Y, i, j)] = FILL;
            }
        }
        for (size_t at = 0; at < sizeof after; at++) {
            cr_assert(after[at] == FILL, "n %ld: byte %zu outside was written", n, at);
        }
    }
    torc_executor_reference()->close(device);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

typedef struct pattern {
    uint32_t row_ptr[ROWS + 1], col_idx[ROWS * INNER];
    uint8_t values[ROWS * INNER];
} pattern;

/* Rows without entries, with one, some and, beyond a segment, all. */
static pattern random_pattern(uint64_t *seed)
{
    static const int percent[ROWS] = {0, 1, 100, 30, 0, 80, 5, 50, 100};
    pattern A = {0};
    uint32_t nnz = 0;
    for (int i = 0; i < ROWS; i++) {
        for (uint32_t k = 0; k < INNER; k++) {
            if (random_below(seed, 100) < percent[i]) {
                A.values[nnz] = (uint8_t)random_below(seed, 2);
                A.col_idx[nnz++] = k;
            }
        }
        A.row_ptr[i + 1] = nnz;
    }
    return A;
}

static void random_bytes(uint8_t *bytes, size_t count, uint64_t *seed)
{
    for (size_t at = 0; at < count; at++) {
        bytes[at] = (uint8_t)(random_below(seed, 100) == 0); /* few, or every sum is the same */
    }
}

/* C over bytes, no padding, as the executor computes it without packing. */
static void plain_product(
    uint8_t *c, torc_device *device, torc_semiring semiring, const pattern *A, const uint8_t *b, int64_t n)
{
    torc_traits traits = torc_semiring_traits(semiring);
    torc_spmm_kernel kernel = {
        .semiring = semiring,
        .a_access = traits.reads_a ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
        .b_access = TORC_ACCESS_ARRAY,
        .shape = {1, 1},
    };
    torc_spmm_args args = {.nrows = ROWS,
        .ncols = n,
        .ldb = n,
        .ldc = n,
        .row_ptr = A->row_ptr,
        .col_idx = A->col_idx,
        .a = A->values,
        .b = b,
        .c = c};
    cr_assert(torc_executor_reference()->spmm(device, &kernel, &args) == TORC_SUCCESS);
}

static bool is_boolean_product(torc_semiring semiring)
{
    torc_traits traits = torc_semiring_traits(semiring);
    return traits.is_supported && traits.reads_b;
}

/* The boolean semirings that read B, one after another and over again. */
static torc_semiring boolean_product(int number)
{
    torc_semiring found[TORC_MONOID_COUNT * TORC_MULTIPLY_COUNT];
    int count = 0;
    for (int add = 0; add < TORC_MONOID_COUNT; add++) {
        for (int multiply = 0; multiply < TORC_MULTIPLY_COUNT; multiply++) {
            torc_semiring semiring = {(torc_monoid)add, (torc_multiply)multiply, TORC_BOOL};
            if (is_boolean_product(semiring)) {
                found[count++] = semiring;
            }
        }
    }
    cr_assert_eq(count, BOOLEAN_PRODUCTS);
    return found[number % count];
}

Test(bit_packing, every_boolean_semiring_and_width_is_the_same_over_words_as_over_bytes)
{
    static pattern A;
    static uint8_t b[INNER * WIDEST], expected[ROWS * WIDEST], found[ROWS * WIDEST];
    static uint64_t words_b[INNER * 3], words_c[ROWS * 3];
    const torc_executor *executor = torc_executor_reference();
    torc_device *device = open_device();
    uint64_t seed = 2;
    for (int64_t n = 1; n <= WIDEST; n++) {
        int64_t width = words_of(n);
        torc_semiring semiring = boolean_product((int)n);
        A = random_pattern(&seed);
        random_bytes(b, (size_t)(INNER * n), &seed);
        plain_product(expected, device, semiring, &A, b, n);
        torc_dense B = {INNER, n, n, TORC_ROW_MAJOR, TORC_BOOL, false, b};
        torc_dense C = {ROWS, n, n, TORC_ROW_MAJOR, TORC_BOOL, false, found};
        torc_spmm_kernel kernel = {
            .semiring = semiring,
            .a_access = torc_semiring_traits(semiring).reads_a ? TORC_ACCESS_ARRAY : TORC_ACCESS_NONE,
            .b_type = TORC_UINT64,
            .b_access = TORC_ACCESS_ARRAY,
            .shape = {1, 1},
            .is_packed = true,
        };
        torc_spmm_args args = {.nrows = ROWS,
            .ncols = width,
            .ldb = width,
            .ldc = width,
            .row_ptr = A.row_ptr,
            .col_idx = A.col_idx,
            .a = A.values,
            .b = words_b,
            .c = words_c};
        cr_assert(executor->pack_bits(device, words_b, &B) == TORC_SUCCESS);
        cr_assert(executor->spmm(device, &kernel, &args) == TORC_SUCCESS);
        cr_assert(executor->unpack_bits(device, &C, words_c) == TORC_SUCCESS);
        cr_expect(memcmp(expected, found, (size_t)(ROWS * n)) == 0, "%s_%s, %ld columns",
            torc_monoid_name(semiring.add), torc_multiply_name(semiring.multiply), n);
    }
    executor->close(device);
}

typedef struct product {
    torc_context *context;
    torc_sparse *A;
    torc_dense B, C;
    int64_t n;
} product;

static product prepare(const pattern *A, const uint8_t *b, int64_t n, torc_order b_order, torc_order c_order)
{
    product p = {.context = open_reference(0), .n = n};
    torc_csr csr = {.nrows = ROWS,
        .ncols = INNER,
        .row_ptr = A->row_ptr,
        .col_idx = A->col_idx,
        .values = A->values,
        .row_ptr_bits = 32,
        .col_idx_bits = 32,
        .type = TORC_BOOL};
    cr_assert(torc_sparse_create(&p.A, p.context, &csr) == TORC_SUCCESS);
    static uint8_t stored[(INNER + PADDING) * (WIDEST + PADDING)], fill[sizeof stored];
    p.B = dense(INNER, n, b_order, TORC_BOOL, stored);
    p.C = dense(ROWS, n, c_order, TORC_BOOL, NULL);
    for (int64_t k = 0; k < INNER; k++) {
        for (int64_t j = 0; j < n; j++) {
            stored[place(&p.B, k, j)] = b[k * n + j];
        }
    }
    memset(fill, FILL, sizeof fill);
    p.B.data = device_copy(p.context, stored, sizeof stored);
    p.C.data = device_copy(p.context, fill, (ROWS + PADDING) * (WIDEST + PADDING));
    return p;
}

static void finish(product *p)
{
    torc_memory_release(p->context, p->B.data);
    torc_memory_release(p->context, p->C.data);
    torc_sparse_destroy(p->A);
    torc_context_destroy(p->context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Elements of C that are not as expected, the padding counted in. */
static int64_t count_wrong(const product *p, const uint8_t *expected)
{
    uint8_t found[(ROWS + PADDING) * (WIDEST + PADDING)];
    cr_assert(torc_memory_download(p->context, found, p->C.data, sizeof found) == TORC_SUCCESS);
    int64_t wrong = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            wrong += found[place(&p->C, i, j)] != expected[i * p->n + j];
            found[place(&p->C, i, j)] = FILL;
        }
    }
    for (size_t at = 0; at < sizeof found; at++) {
        wrong += found[at] != FILL;
    }
    return wrong;
}

Test(bit_packing, torc_spmm_packs_from_few_columns_on_and_takes_and_gives_both_orders)
{
    static pattern A;
    static uint8_t b[INNER * WIDEST], expected[ROWS * WIDEST];
    const torc_semiring semiring = {TORC_LXOR_MONOID, TORC_GT, TORC_BOOL};
    torc_device *device = open_device();
    uint64_t seed = 3;
    A = random_pattern(&seed);
    for (int64_t n = 1; n <= WIDEST; n++) {
        random_bytes(b, (size_t)(INNER * n), &seed);
        plain_product(expected, device, semiring, &A, b, n);
        for (int orders = 0; orders < 4; orders++) {
            product p = prepare(&A, b, n, (torc_order)(orders / 2), (torc_order)(orders % 2));
            bool pays = torc_packing_pays(&p.C, semiring, p.A, &p.B);
            cr_expect(n == 1 ? !pays : n < 48 || pays, "n %ld, orders %d", n, orders);
            cr_assert(torc_spmm(&p.C, semiring, p.A, false, &p.B, NULL) == TORC_SUCCESS);
            cr_expect(count_wrong(&p, expected) == 0, "n %ld, orders %d", n, orders);
            finish(&p);
        }
    }
    torc_executor_reference()->close(device);
}

/* ---- Steps of traversals ------------------------------------------------------------------------------ */

typedef enum masking { UNMASKED, MASKED, COMPLEMENTED } masking;

/* C<mask,r> = A any.pair B with bitmaps: B's is b, the mask's are random bytes. */
static void check_step(const pattern *A, const uint8_t *b, int64_t n, int orders, masking m, uint64_t *seed)
{
    product p = prepare(A, b, n, (torc_order)(orders / 2), (torc_order)(orders % 2));
    const torc_semiring semiring = {TORC_ANY_MONOID, TORC_PAIR, TORC_BOOL};
    enum { SIZE = (ROWS + PADDING) * (WIDEST + PADDING) };
    uint8_t mask[SIZE], fill[SIZE], found[SIZE], there[SIZE];
    memset(fill, FILL, SIZE);
    for (int at = 0; at < SIZE; at++) {
        mask[at] = (uint8_t)(random_below(seed, 2) * (1 + random_below(seed, 255)));
    }
    p.B.bitmap = p.B.data;
    p.B.data = NULL;
    p.C.bitmap = device_copy(p.context, fill, SIZE);
    void *device_mask = device_copy(p.context, mask, SIZE);
    torc_update update = {.mask = m == UNMASKED ? NULL : device_mask,
        .complement = m == COMPLEMENTED,
        .replace = m != UNMASKED};
    bool pays = torc_packing_presence_pays(&p.C, semiring, p.A, &p.B, &update);
    cr_expect(n <= 64 || pays, "n %ld, orders %d, masking %d", n, orders, m);
    cr_assert(torc_spmm(&p.C, semiring, p.A, false, &p.B, &update) == TORC_SUCCESS);
    cr_assert(torc_memory_download(p.context, found, p.C.data, SIZE) == TORC_SUCCESS);
    cr_assert(torc_memory_download(p.context, there, p.C.bitmap, SIZE) == TORC_SUCCESS);
    int64_t wrong = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < n; j++) {
            size_t at = place(&p.C, i, j);
            bool is_there = false;
            for (uint32_t e = A->row_ptr[i]; e < A->row_ptr[i + 1]; e++) {
                is_there = is_there || b[A->col_idx[e] * n + j];
            }
            is_there = is_there && (m == UNMASKED || (mask[at] != 0) != (m == COMPLEMENTED));
            wrong += there[at] != is_there || (is_there && found[at] != 1);
            there[at] = found[at] = FILL;
        }
    }
    cr_expect(wrong == 0 && memcmp(there, fill, SIZE) == 0 && memcmp(found, fill, SIZE) == 0,
        "n %ld, orders %d, masking %d: %ld wrong", n, orders, m, wrong);
    p.B.data = p.B.bitmap;
    torc_memory_release(p.context, p.C.bitmap);
    torc_memory_release(p.context, device_mask);
    finish(&p);
}

Test(bit_packing, a_step_of_a_traversal_is_taken_over_words_from_few_columns_on)
{
    static pattern A;
    static uint8_t b[INNER * WIDEST];
    uint64_t seed = 5;
    A = random_pattern(&seed);
    for (int64_t n = 1; n <= WIDEST; n++) {
        random_bytes(b, (size_t)(INNER * n), &seed);
        check_step(&A, b, n, (int)(n % 4), (masking)(n % 3), &seed);
        check_step(&A, b, n, (int)((n + 1) % 4), (masking)(n % 3), &seed);
    }
}

/* ---- Failures ----------------------------------------------------------------------------------------- */

Test(bit_packing, a_packed_product_that_fails_leaves_c_alone)
{
    static pattern A;
    static uint8_t b[INNER * WIDEST], expected[ROWS * WIDEST], untouched[ROWS * WIDEST];
    const torc_semiring semiring = {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL};
    torc_device *device = open_device();
    uint64_t seed = 4;
    A = random_pattern(&seed);
    random_bytes(b, sizeof b, &seed);
    plain_product(expected, device, semiring, &A, b, WIDEST);
    memset(untouched, FILL, sizeof untouched);
    int failures = 0;
    for (int64_t call = 0; call < 8; call++) {
        product p = prepare(&A, b, WIDEST, TORC_COL_MAJOR, TORC_ROW_MAJOR);
        strcpy(p.context->kernel, "rows/sequential/v1x4"); /* which has nothing to cut first */
        torc_reference_fail_at(call);
        torc_status status = torc_spmm(&p.C, semiring, p.A, false, &p.B, NULL);
        torc_reference_fail_at(-1);
        failures += status != TORC_SUCCESS;
        cr_expect(count_wrong(&p, status == TORC_SUCCESS ? expected : untouched) == 0, "call %ld", call);
        finish(&p);
    }
    cr_expect(
        failures == 4, "the first workspace, which there is nothing to trim for; pack, multiply, unpack");
    torc_executor_reference()->close(device);
}

/* ---- The rule ----------------------------------------------------------------------------------------- */

static bool pays_by(
    torc_order order, torc_monoid add, torc_multiply multiply, torc_type type, int64_t n, int64_t nnz)
{
    const int64_t m = 1 << 20;
    torc_context context = {.facts = torc_device_complete((torc_device_facts){0})};
    torc_sparse A = {.context = &context,
        .type = TORC_BOOL,
        .access = TORC_ACCESS_ARRAY,
        .partition.statistics = {.nrows = m,
            .ncols = m,
            .nnz = nnz,
            .mean_row = (double)nnz / m,
            .deviation_row = 140,
            .max_row = 40000,
            .empty_rows = m / 2,
            .near_footprint = 1,
            .far_footprint = .6,
            .sector_footprint = 1}};
    torc_dense B = {m, n, order == TORC_ROW_MAJOR ? n : m, order, TORC_BOOL, false, NULL, NULL}, C = B;
    torc_user_type is_bool = {TORC_BOOL, NULL};
    torc_definition user = {.multiply = "f", .x = is_bool, .y = is_bool, .z = is_bool};
    torc_semiring semiring = {add, multiply, type, .definition = multiply == TORC_USER ? &user : NULL};
    bool pays = torc_packing_pays(&C, semiring, &A, &B);
    free(A.selected);
    return pays;
}

static bool pays(torc_monoid add, torc_multiply multiply, torc_type type, int64_t n, int64_t nnz)
{
    return pays_by(TORC_ROW_MAJOR, add, multiply, type, n, nnz);
}

Test(bit_packing, pays_where_rows_of_b_are_wider_than_a_load_and_gathered_often)
{
    const int64_t many = 16 << 20, few = 1 << 20;
    cr_expect(pays(TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 16, many));
    cr_expect(pays(TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 64, many));
    cr_expect(pays(TORC_LXNOR_MONOID, TORC_SECOND, TORC_BOOL, 1024, many));
    cr_expect_not(pays(TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 1, many), "a load either way");
    cr_expect_not(pays(TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 8, few), "packing costs more");
    cr_expect_not(pays(TORC_LOR_MONOID, TORC_FIRST, TORC_BOOL, 64, many), "B is not read");
    cr_expect_not(pays(TORC_LOR_MONOID, TORC_GT, TORC_FP32, 64, many), "not bitwise");
    cr_expect_not(pays(TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32, 64, many));
    cr_expect_not(pays(TORC_LOR_MONOID, TORC_USER, TORC_BOOL, 64, many), "not bitwise either");
}

Test(bit_packing, pays_sooner_where_b_and_c_would_be_transposed)
{
    const int64_t nnz = 1 << 20;
    cr_expect_not(pays_by(TORC_ROW_MAJOR, TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 16, nnz));
    cr_expect(pays_by(TORC_COL_MAJOR, TORC_LOR_MONOID, TORC_LAND, TORC_BOOL, 16, nnz));
}
