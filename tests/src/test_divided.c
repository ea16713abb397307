/* test_divided.c: a sparse operand that is larger than each of several devices: each has some of its rows.
 * The products are those of one device that has room for it. */
#include "engine_fixture.h"
#include "joined.h"
#include "reference.h"
#include "splitmix.h"
#include "sparse.h"
#include <string.h>

/* A takes 12 bytes an entry: half of it fits each of two devices, beside operands of a few columns. */
enum { ROWS = 512, INNER = 300, MEAN = 64, ENTRIES = ROWS * MEAN, LIMIT = 380 << 10, WIDEST = 20 };

typedef struct matrix {
    uint32_t row_ptr[ROWS + 1], col_idx[ENTRIES];
    double values[ENTRIES];
} matrix;

/* Most rows have 64 entries, so that rows begin where slices do; some are empty, and the next twice as long.
 */
static void fill(matrix *A, uint64_t seed)
{
    for (int64_t i = 0; i < ROWS; i++) {
        bool is_empty = i % 16 == 3, is_long = i % 16 == 4;
        A->row_ptr[i + 1] = A->row_ptr[i] + (is_empty ? 0 : is_long ? 2 * MEAN : MEAN);
        for (uint32_t p = A->row_ptr[i], c = 0; p < A->row_ptr[i + 1]; p++) {
            c += 1 + (uint32_t)random_below(&seed, 2);
            A->col_idx[p] = c;
            A->values[p] = (double)random_below(&seed, 100) - 50 + 1. / 3;
        }
    }
}

static torc_csr csr_of(const matrix *A)
{
    return (torc_csr){ROWS, INNER, A->row_ptr, A->col_idx, A->values, 32, 32, TORC_FP64, false, NULL};
}

/* C += A * B, or under a mask, with old content: all bytes of C. */
static void multiply(double *found, torc_context *context, torc_sparse *A, torc_semiring semiring, int64_t n,
    bool has_mask, uint64_t seed)
{
    static double b[INNER * WIDEST], c[ROWS * WIDEST];
    static uint8_t mask[ROWS * WIDEST];
    for (int64_t at = 0; at < INNER * n; at++) {
        b[at] = (double)random_below(&seed, 1000) / 7;
    }
    for (int64_t at = 0; at < ROWS * n; at++) {
        c[at] = (double)random_below(&seed, 1000) / 3;
        mask[at] = (uint8_t)random_below(&seed, 2);
    }
    size_t size = (size_t)(ROWS * n) * sizeof *c;
    torc_dense B = {INNER, n, n, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL};
    torc_dense C = {ROWS, n, n, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL};
    B.data = device_copy(context, b, (size_t)(INNER * n) * sizeof *b);
    C.data = device_copy(context, c, size);
    void *on_device = device_copy(context, mask, (size_t)(ROWS * n));
    torc_update update = {.has_accum = true, .accum = TORC_PLUS, .mask = has_mask ? on_device : NULL};
    cr_assert(
        torc_spmm(&C, semiring, A, false, &B, &update) == TORC_SUCCESS, "%s", torc_context_error(context));
    cr_assert(torc_memory_download(context, found, C.data, size) == TORC_SUCCESS);
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_memory_release(context, on_device);
}

static torc_sparse *create(torc_context *context, const torc_csr *csr)
{
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, csr) == TORC_SUCCESS, "%s", torc_context_error(context));
    return A;
}

static const char *const lists[] = {"0,1", "0,1,2", "0,1,2,3,4"};
enum { LISTS = sizeof lists / sizeof lists[0] };

Test(divided, products_are_those_of_a_device_that_has_room)
{
    static const torc_semiring semirings[] = {{TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false},
        {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64, NULL, false},
        {TORC_MAX_MONOID, TORC_SECOND, TORC_FP64, NULL, false}};
    static const int64_t columns[] = {1, 3, 8, WIDEST};
    static double expected[ROWS * WIDEST], found[ROWS * WIDEST];
    static matrix A;
    fill(&A, 1);
    torc_csr csr = csr_of(&A);
    torc_context *one = open_devices("0", 0);
    torc_sparse *whole = create(one, &csr);
    for (int i = 0; i < LISTS; i++) {
        torc_context *context = open_devices(lists[i], LIMIT);
        torc_sparse *divided = create(context, &csr);
        cr_expect(divided->is_divided, "on %s", lists[i]);
        for (uint64_t k = 0; k < 24; k++) {
            int64_t n = columns[k % 4];
            torc_semiring semiring = semirings[k / 4 % 3];
            multiply(expected, one, whole, semiring, n, k % 2, k);
            multiply(found, context, divided, semiring, n, k % 2, k);
            cr_expect(memcmp(found, expected, (size_t)(ROWS * n) * sizeof *found) == 0, "%s, %lu", lists[i],
                (unsigned long)k);
        }
        torc_sparse_destroy(divided);
        torc_context_destroy(context);
    }
    torc_sparse_destroy(whole);
    torc_context_destroy(one);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* There would be room for it, but for little beside it. */
Test(divided, is_what_takes_more_than_half_of_a_device)
{
    static matrix A;
    fill(&A, 6);
    torc_csr csr = csr_of(&A);
    for (int is_large = 0; is_large < 2; is_large++) {
        torc_context *context = open_devices("0,1", is_large ? 2 * LIMIT : 5 * LIMIT / 2);
        torc_sparse *divided = create(context, &csr);
        cr_expect_eq(divided->is_divided, is_large);
        cr_expect(torc_sparse_bytes(divided) < (size_t)A.row_ptr[ROWS] * 12 * 2 / 3 || !is_large);
        torc_sparse_destroy(divided);
        torc_context_destroy(context);
    }
    torc_context *one = open_devices("0", 2 * LIMIT);
    torc_sparse *whole = create(one, &csr);
    cr_expect_not(whole->is_divided, "one device has all of it");
    cr_expect_eq(torc_sparse_bytes(whole), sizeof A.row_ptr + (size_t)A.row_ptr[ROWS] * 12);
    torc_sparse_destroy(whole);
    torc_context_destroy(one);
}

Test(divided, is_measured_as_a_whole)
{
    static matrix A;
    static uint8_t present[ROWS];
    fill(&A, 2);
    torc_csr csr = csr_of(&A);
    torc_context *one = open_devices("0", 0), *context = open_devices("0,1,2", LIMIT);
    torc_sparse *whole = create(one, &csr), *divided = create(context, &csr);
    torc_statistics expected, found;
    cr_assert(torc_sparse_statistics(&expected, whole, false) == TORC_SUCCESS);
    cr_assert(torc_sparse_statistics(&found, divided, false) == TORC_SUCCESS);
    cr_expect(found.nrows == ROWS && found.ncols == INNER && found.nnz == expected.nnz);
    cr_expect(found.empty_rows == expected.empty_rows && found.max_row == 2 * MEAN);
    cr_expect(found.mean_row == expected.mean_row);
    cr_expect_float_eq(found.deviation_row, expected.deviation_row, 1e-9);
    cr_assert(torc_sparse_row_presence(present, divided, false) == TORC_SUCCESS);
    for (int64_t i = 0; i < ROWS; i++) {
        cr_expect(present[i] == (i % 16 != 3), "row %ld", (long)i);
    }
    torc_sparse_destroy(whole);
    torc_sparse_destroy(divided);
    torc_context_destroy(one);
    torc_context_destroy(context);
}

/* Nothing is written, and a text says why. */
Test(divided, refuses_what_needs_all_of_it_on_a_device)
{
    static matrix A;
    fill(&A, 3);
    torc_csr csr = csr_of(&A);
    torc_context *context = open_devices("0,1", LIMIT);
    torc_sparse *divided = create(context, &csr);
    torc_statistics statistics;
    torc_reordering reordering;
    cr_expect(torc_sparse_statistics(&statistics, divided, true) == TORC_OUT_OF_MEMORY);
    cr_expect_str_eq(torc_context_error(context), "the transpose of a matrix that is divided among devices");
    cr_expect(torc_sparse_reorder(&reordering, divided, false) == TORC_OUT_OF_MEMORY);
    cr_expect_str_eq(
        torc_context_error(context), "another order of rows of a matrix that is divided among devices");
    torc_sparse_destroy(divided);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Whatever fails while it is made, measured or cut, nothing is lost, and the context goes on with all
 * devices.
 */
Test(divided, survives_faults)
{
    static double expected[ROWS * WIDEST], found[ROWS * WIDEST];
    static uint8_t present[ROWS];
    static matrix A;
    fill(&A, 5);
    torc_csr csr = csr_of(&A);
    const torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};
    torc_context *context = open_devices("0,1", LIMIT);
    torc_sparse *divided = create(context, &csr);
    multiply(expected, context, divided, semiring, 3, false, 9);
    torc_sparse_destroy(divided);
    int failures = 0;
    for (int64_t call = 0; call < 60; call++) {
        torc_reference_fail_at(call);
        torc_status status = torc_sparse_create(&divided, context, &csr);
        if (status == TORC_SUCCESS) {
            status = torc_sparse_row_presence(present, divided, false);
        }
        torc_reference_fail_at(-1);
        failures += status != TORC_SUCCESS;
        if (divided) {
            multiply(found, context, divided, semiring, 3, false, 9);
            cr_expect(memcmp(found, expected, sizeof(double) * ROWS * 3) == 0, "call %ld", (long)call);
            cr_expect(torc_sparse_row_presence(present, divided, false) == TORC_SUCCESS);
            for (int i = 0; i < ROWS; i++) {
                cr_assert(present[i] == (A.row_ptr[i + 1] > A.row_ptr[i]), "call %ld: row %d", (long)call, i);
            }
        }
        torc_sparse_destroy(divided);
    }
    cr_expect(failures > 12, "%d failures", failures);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Larger than all devices together, on one device, or all of it one row: there is no memory for it. */
Test(divided, does_not_fit_everywhere)
{
    static matrix A;
    fill(&A, 4);
    torc_csr csr = csr_of(&A), one_row = csr;
    static const uint32_t row_ptr[] = {0, ENTRIES};
    one_row.nrows = 1;
    one_row.ncols = 2 * ENTRIES;
    one_row.row_ptr = row_ptr;
    static uint32_t col_idx[ENTRIES];
    for (uint32_t p = 0; p < ENTRIES; p++) {
        col_idx[p] = p;
    }
    one_row.col_idx = col_idx;
    torc_sparse *none;
    torc_context *context = open_devices("0,1", LIMIT / 4);
    cr_expect(torc_sparse_create(&none, context, &csr) == TORC_OUT_OF_MEMORY && !none);
    torc_context_destroy(context);
    context = open_devices("0", LIMIT);
    cr_expect(torc_sparse_create(&none, context, &csr) == TORC_OUT_OF_MEMORY && !none);
    torc_context_destroy(context);
    context = open_devices("0,1", LIMIT);
    cr_expect(torc_sparse_create(&none, context, &one_row) == TORC_OUT_OF_MEMORY && !none);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* Rows of C are where the order says only if one device has all of A: where there is room for shares alone,
 * there is no order. */
Test(divided, no_order_is_divided)
{
    enum { SETS = 32, OF_SET = 9, N = 2 };
    static double expected[ROWS * WIDEST], found[ROWS * WIDEST];
    static matrix A;
    for (uint32_t i = 0, p = 0; i < ROWS; i++) { /* of 32 sets of equal rows, shuffled */
        for (uint32_t c = 0; c < OF_SET; c++, p++) {
            A.col_idx[p] = i % SETS * OF_SET + c;
            A.values[p] = 1 + i % 7 + c;
        }
        A.row_ptr[i + 1] = p;
    }
    torc_csr csr = csr_of(&A);
    const torc_semiring semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64, NULL, false};
    torc_context *context = open_devices("0,1", 4 * LIMIT);
    torc_sparse *sparse = create(context, &csr);
    size_t bytes = torc_sparse_bytes(sparse);
    multiply(expected, context, sparse, semiring, N, false, 9);
    torc_device_info info;
    cr_assert(torc_context_info(&info, context) == TORC_SUCCESS);
    void *taken;
    cr_assert(torc_memory_allocate(&taken, context, info.memory_available - bytes * 3 / 4) == TORC_SUCCESS);
    torc_context_refuse(context, TORC_INVALID_VALUE, "of another call");
    cr_expect(torc_sparse_reorder(NULL, sparse, false) == TORC_OUT_OF_MEMORY);
    cr_expect_str_eq(torc_context_error(context), "there is no memory to look for another order of rows");
    torc_memory_release(context, taken);
    multiply(found, context, sparse, semiring, N, false, 9);
    cr_expect(memcmp(found, expected, sizeof(double) * ROWS * N) == 0);
    cr_expect(torc_sparse_reorder(NULL, sparse, false) == TORC_SUCCESS && sparse->reordered);
    multiply(found, context, sparse, semiring, N, false, 9);
    cr_expect(memcmp(found, expected, sizeof(double) * ROWS * N) == 0);
    torc_sparse_destroy(sparse);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
