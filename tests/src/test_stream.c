/* test_stream.c: torc_spmm_host and torc_spmm_by_rows leave what torc_spmm leaves, whatever the orders,
 * bitmaps, masks and accumulators, with device copies of the caller's and without, and with ever less memory.
 */
#include "context.h"
#include "engine_fixture.h"
#include "host_product.h"
#include "joined.h"
#include "late_executor.h"
#include "reference.h"
#include "sparse.h"
#include "splitmix.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CASES = 140, LONG_SIDE = 900 };

static const host_memory_kind heap = {malloc, free};

/* Short sides most of the time; now and then one along which rows of A have several segments. */
static host_product *small_product(uint64_t seed)
{
    uint64_t state = seed ^ 0xABCDEF;
    int64_t m = 1 + random_below(&state, 40), k = 1 + random_below(&state, 40);
    int64_t n = 1 + random_below(&state, 70);
    if (random_below(&state, 8) == 0) {
        k = LONG_SIDE;
    }
    return host_product_new(seed, m, k, n, &heap);
}

static torc_status multiply(const host_product *p, torc_sparse *A, const torc_host_options *options)
{
    torc_host_options with = options ? *options : (torc_host_options){0};
    with.old = p->old.data == p->C.data ? NULL : &p->old;
    return torc_spmm_host(&p->C, p->semiring, A, p->transpose, &p->B, &p->update, &with);
}

/* With A and its transpose, if that is needed, on the device. */
static torc_sparse *create_oriented(const host_product *p, torc_context *context)
{
    torc_sparse *A;
    torc_statistics statistics;
    cr_assert(torc_sparse_create(&A, context, &p->A) == TORC_SUCCESS);
    cr_assert(torc_sparse_statistics(&statistics, A, p->transpose) == TORC_SUCCESS);
    return A;
}

static void expect_result(const host_product *p, torc_status status, const char *how)
{
    const char *difference = host_product_difference(p);
    cr_assert(status == TORC_SUCCESS, "%s, %s: %s", how, torc_status_text(status), host_product_describe(p));
    cr_assert(!difference, "%s, %s: %s", how, difference, host_product_describe(p));
}

Test(stream, makes_what_spmm_makes)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = small_product(seed);
        torc_sparse *A;
        cr_assert(torc_sparse_create(&A, context, &p->A) == TORC_SUCCESS);
        expect_result(p, multiply(p, A, NULL), "no limit");
        torc_sparse_destroy(A);
        host_product_free(p);
    }
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- Limits ------------------------------------------------------------------------------------------- */

static bool reads_values(const host_product *p)
{
    return torc_semiring_traits(p->semiring).reads_b;
}

/* In a context that has room for A, op(A) and `bytes` more. */
static torc_status multiply_within(host_product *p, size_t bytes)
{
    torc_context *unlimited = open_reference(0);
    torc_sparse *A = create_oriented(p, unlimited);
    size_t held = torc_reference_bytes_held();
    torc_sparse_destroy(A);
    torc_context_destroy(unlimited);
    torc_context *context = open_reference(held + bytes);
    A = create_oriented(p, context);
    torc_status status = multiply(p, A, NULL);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return status;
}

Test(stream, needs_no_more_memory_than_single_columns)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = small_product(seed);
        expect_result(p, multiply_within(p, host_product_column_bytes(p)), "single columns");
        host_product_free(p);
    }
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(stream, does_all_or_nothing_at_every_limit)
{
    int64_t refusals = 0, results = 0;
    for (uint64_t seed = 1; seed <= CASES / 4; seed++) {
        host_product *p = small_product(seed);
        torc_status status = TORC_OUT_OF_MEMORY;
        size_t most = 4 * (host_value_bytes(&p->B) + host_value_bytes(&p->C));
        for (size_t bytes = 1; bytes < most; bytes += 1 + bytes / 3) {
            torc_status last = status;
            status = multiply_within(p, bytes);
            if (status == TORC_OUT_OF_MEMORY && last == TORC_OUT_OF_MEMORY) {
                cr_assert(!host_product_change(p), "%zu bytes, %s", bytes, host_product_describe(p));
                refusals++;
                continue;
            }
            expect_result(p, status, "a limit");
            host_product_reset(p);
            results++;
        }
        host_product_free(p);
    }
    cr_expect(refusals > CASES && results > CASES, "%ld refusals, %ld results", refusals, results);
}

/* ---- Order -------------------------------------------------------------------------------------------- */

/* Panels in flight keep out of each other's way, however the queues take turns between fences. */
Test(stream, relies_on_no_order_but_that_of_fences)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = small_product(seed);
        size_t all = host_value_bytes(&p->B) + host_value_bytes(&p->C);
        torc_context *context = open_reference(0);
        torc_sparse *A = create_oriented(p, context);
        size_t held = torc_reference_bytes_held();
        torc_sparse_destroy(A);
        torc_context_destroy(context);
        context = open_reference(held + host_product_column_bytes(p) + all / 2);
        context->executor = torc_executor_late(seed);
        A = create_oriented(p, context);
        expect_result(p, multiply(p, A, NULL), "late");
        torc_sparse_destroy(A);
        torc_context_destroy(context);
        host_product_free(p);
    }
    cr_expect(torc_late_turns() > 10 * CASES, "%ld turns", torc_late_turns());
}

/* ---- Copies ------------------------------------------------------------------------------------------- */

static torc_device_copy new_copy(torc_context *context, const torc_dense *X, bool is_filled, bool has_values)
{
    torc_device_copy copy = {.is_filled = is_filled};
    void *bitmap = NULL;
    if (has_values) {
        copy.data = device_copy(context, X->data, host_value_bytes(X));
    }
    if (X->bitmap) {
        bitmap = device_copy(context, X->bitmap, host_bitmap_bytes(X));
    }
    copy.bitmap = bitmap;
    return copy;
}

static void release_copy(torc_context *context, const torc_device_copy *copy)
{
    torc_memory_release(context, copy->data);
    torc_memory_release(context, copy->bitmap);
}

/* X with its content from the copy, in host memory. */
static torc_dense download_copy(torc_context *context, const torc_dense *X, const torc_device_copy *copy)
{
    torc_dense Y = *X;
    Y.data = malloc(host_value_bytes(X));
    cr_assert(torc_memory_download(context, Y.data, copy->data, host_value_bytes(X)) == TORC_SUCCESS);
    if (X->bitmap) {
        Y.bitmap = malloc(host_bitmap_bytes(X));
        cr_assert(
            torc_memory_download(context, Y.bitmap, copy->bitmap, host_bitmap_bytes(X)) == TORC_SUCCESS);
    }
    return Y;
}

static int64_t count_differences(const torc_dense *X, const torc_dense *Y)
{
    int64_t lines = X->order == TORC_ROW_MAJOR ? X->nrows : X->ncols, differences = 0;
    int64_t length = X->order == TORC_ROW_MAJOR ? X->ncols : X->nrows;
    size_t size = torc_type_size(X->type);
    for (int64_t line = 0; line < lines; line++) {
        for (int64_t at = 0; at < length; at++) {
            size_t position = (size_t)(line * X->ld + at);
            bool is_present = !X->bitmap || X->bitmap[position];
            differences += X->bitmap && X->bitmap[position] != Y->bitmap[position];
            differences += is_present && memcmp((char *)X->data + position * size,
                                             (char *)Y->data + position * size, size) != 0;
        }
    }
    return differences;
}

static void expect_copy(
    const host_product *p, torc_context *context, const torc_dense *X, const torc_device_copy *copy)
{
    torc_dense Y = download_copy(context, X, copy);
    int64_t differences = count_differences(X, &Y);
    cr_assert(differences == 0, "%ld elements of a copy of %s: %s", differences, X == &p->B ? "B" : "C",
        host_product_describe(p));
    free(Y.data);
    free(Y.bitmap);
}

/* bits: a copy of B, filled before; a copy of C, filled before; room for the panels of little else. */
static void check_copies_on(torc_context *context, host_product *p, int bits)
{
    torc_sparse *A = create_oriented(p, context);
    torc_dense empty_b = p->B, before = p->C, old = p->old;
    empty_b.data = calloc(1, host_value_bytes(&p->B));
    before.data = p->before;
    before.bitmap = p->bitmap_before;
    uint8_t *ones = p->C.bitmap ? malloc(p->c_cells) : NULL;
    if (ones) {
        memset(ones, 1, p->c_cells);
        old.bitmap = old.bitmap ? old.bitmap : ones;
    }
    bool has_b = bits & 1, has_c = bits & 4, b_is_filled = bits & 2, c_is_filled = bits & 8;
    torc_host_options options = {0};
    if (has_b) {
        options.b_copy = new_copy(context, b_is_filled ? &p->B : &empty_b, b_is_filled, !p->B.iso);
    }
    if (has_c) {
        options.c_copy = new_copy(context, c_is_filled ? &old : &before, c_is_filled, true);
    }
    expect_result(p, multiply(p, A, &options), "copies");
    if (has_b && !p->B.iso && reads_values(p)) {
        expect_copy(p, context, &p->B, &options.b_copy);
    }
    if (has_c) {
        expect_copy(p, context, &p->C, &options.c_copy);
    }
    host_product_reset(p);
    free(empty_b.data);
    free(ones);
    release_copy(context, &options.b_copy);
    release_copy(context, &options.c_copy);
    torc_sparse_destroy(A);
}

static void check_copies(host_product *p, int bits)
{
    torc_context *context = open_reference(0);
    check_copies_on(context, p, bits);
    torc_context_destroy(context);
}

Test(stream, takes_and_leaves_copies_on_the_device)
{
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = small_product(seed);
        bool has_no_b = p->B.iso && !p->B.bitmap; /* nothing to copy */
        for (int bits = has_no_b ? 4 : 0; bits < 16; bits += has_no_b ? 4 : 1) {
            bool is_sensible = (bits & 3) != 2 && (bits & 12) != 8;
            if (is_sensible) {
                check_copies(p, bits);
            }
        }
        host_product_free(p);
    }
}

/* What members of a joined device send, compute, exchange and fetch, each in queues of its own. */
static torc_context *open_late(const char *devices, uint64_t seed)
{
    torc_context *context = open_devices(devices, 0);
    torc_joined *joined = torc_joined_of(context->device);
    joined->least_columns = 1 + 7 * random_below(&seed, 2);
    joined->least_line = 1 + 127 * random_below(&seed, 2);
    joined->least_copy = random_below(&seed, 2) ? 1 : 1 << 20;
    joined->least_work = random_below(&seed, 2) ? 1 : 1 << 27;
    joined->each = torc_executor_late(seed);
    return context;
}

Test(stream, relies_on_no_more_order_between_devices_than_they_promise)
{
    static const char *const devices[] = {"0,1", "0,1,2", "0,1,2,3,4"};
    enum { RARE = 4595 }; /* a member writes where another has not sent all yet */
    for (uint64_t turn = 1; turn <= 3 * CASES; turn++) {
        uint64_t seed = turn < 3 * CASES ? turn : RARE, state = seed;
        int64_t m = 1 + random_below(&state, 300), n = 1 + random_below(&state, 150);
        host_product *p = host_product_new(seed, m, 1 + random_below(&state, 40), n, &heap);
        torc_context *context = open_late(devices[seed % 3], seed);
        check_copies_on(context, p, p->B.iso && !p->B.bitmap ? 4 : 4 * (int)(seed % 2) + (int)(seed / 2 % 2));
        torc_context_destroy(context);
        host_product_free(p);
    }
    cr_expect(torc_late_turns() > 10 * CASES, "%ld turns", torc_late_turns());
}

/* Several panels of each operand: what is fetched or sent waits for an exchange of the panel before. */
Test(stream, relies_on_no_more_order_between_panels_of_several_devices)
{
    enum { ROWS = 30000, SEED = 60 }; /* of the first 60 this one needs that */
    uint64_t state = SEED;
    int64_t n = 64 + random_below(&state, 90), k = 1 + random_below(&state, ROWS);
    host_product *p = host_product_new(SEED, ROWS, k, n, &heap);
    torc_context *context = open_late("0,1,2", SEED);
    check_copies_on(context, p, 12);
    torc_context_destroy(context);
    host_product_free(p);
}

/* ---- Panels ------------------------------------------------------------------------------------------- */

/* Large enough that panels pay: the pipeline is filled and drained. */
Test(stream, overlaps_panels_of_large_operands)
{
    torc_context *context = open_reference(0);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        host_product *p = host_product_new(seed, 1100, 1000, 1030, &heap);
        torc_sparse *A = create_oriented(p, context);
        size_t held = torc_reference_bytes_held();
        expect_result(p, multiply(p, A, NULL), "no limit");
        size_t buffers = torc_reference_bytes_held() - held;
        cr_expect(p->C.order == TORC_COL_MAJOR || p->B.order == TORC_COL_MAJOR || p->B.type == TORC_INT16 ||
                      p->semiring.type == TORC_BOOL ||
                      buffers < host_value_bytes(&p->B) + host_value_bytes(&p->C),
            "%zu bytes of buffers: %s", buffers, host_product_describe(p));
        host_product_reset(p);
        check_copies(p, 5);
        torc_sparse_destroy(A);
        host_product_free(p);
    }
    torc_context_destroy(context);
}

/* The identity times B, by column: no row of a panel is too short for the bus, and few columns are cut. */
Test(stream, cuts_few_columns_that_lie_one_after_the_other)
{
    enum { LENGTH = 150000, FEW = 16, CELLS = LENGTH * FEW };
    static int32_t row_ptr[LENGTH + 1], col_idx[LENGTH];
    static double from[CELLS], to[CELLS];
    static const double one = 1;
    for (int i = 0; i < LENGTH; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
    }
    for (int p = 0; p < CELLS; p++) {
        from[p] = p;
    }
    torc_context *context = open_reference(0);
    torc_csr csr = {LENGTH, LENGTH, row_ptr, col_idx, &one, 32, 32, TORC_FP64, true, NULL};
    torc_dense B = {LENGTH, FEW, LENGTH, TORC_COL_MAJOR, TORC_FP64, false, from, NULL}, C = B;
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_sparse *A;
    C.data = to;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    size_t held = torc_reference_bytes_held();
    cr_assert(torc_spmm_host(&C, plus_times, A, false, &B, NULL, NULL) == TORC_SUCCESS);
    size_t buffers = torc_reference_bytes_held() - held;
    cr_expect(buffers < sizeof from + sizeof to, "%zu bytes of buffers", buffers);
    cr_expect(memcmp(to, from, sizeof to) == 0);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* ---- Rows that need not travel ------------------------------------------------------------------------ */

/* A(i,j) = 1 where both i and j are odd multiples of SPACING, or as it is transposed. A row of B and C is a
 * page, and those that nobody needs are out of reach. */
enum { SPACED = 1200, SPACING = 3, PAGE = 4096, PAGE_COLUMNS = PAGE / sizeof(double) };

static bool is_needed(int64_t row)
{
    return row % (2 * SPACING) == SPACING;
}

static double *new_pages(double value)
{
    char *pages =
        mmap(NULL, (size_t)SPACED * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(pages != MAP_FAILED);
    for (int64_t i = 0; i < SPACED; i++) {
        for (int j = 0; j < PAGE_COLUMNS; j++) {
            ((double *)pages)[i * PAGE_COLUMNS + j] = value;
        }
        cr_assert(is_needed(i) || mprotect(pages + i * PAGE, PAGE, PROT_NONE) == 0);
    }
    return (double *)pages;
}

static torc_sparse *new_spaced(torc_context *context)
{
    static int64_t row_ptr[SPACED + 1], col_idx[SPACED * SPACED / SPACING];
    static const double one = 1;
    int64_t nnz = 0;
    for (int64_t i = 0; i < SPACED; i++) {
        for (int64_t j = 0; is_needed(i) && j < SPACED; j++) {
            if (is_needed(j)) {
                col_idx[nnz++] = j;
            }
        }
        row_ptr[i + 1] = nnz;
    }
    torc_csr csr = {SPACED, SPACED, row_ptr, col_idx, &one, 64, 64, TORC_FP64, true, NULL};
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    return A;
}

static void count_call(void *calls)
{
    ++*(int *)calls;
}

static void multiply_spaced(torc_context *context, bool transpose)
{
    torc_sparse *A = new_spaced(context);
    torc_dense B = {SPACED, PAGE_COLUMNS, PAGE_COLUMNS, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL}, C = B;
    int calls = 0;
    B.data = new_pages(1);
    C.data = new_pages(0);
    torc_host_options options = {.leaves_empty_rows = true, .meanwhile = count_call, .argument = &calls};
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    cr_assert(torc_spmm_host(&C, plus_times, A, transpose, &B, NULL, &options) == TORC_SUCCESS);
    for (int64_t i = 0; i < SPACED; i++) {
        for (int64_t j = 0; is_needed(i) && j < PAGE_COLUMNS; j++) {
            double got = ((double *)C.data)[i * PAGE_COLUMNS + j];
            cr_assert(got == SPACED / (2 * SPACING), "C(%ld,%ld) is %g", (long)i, (long)j, got);
        }
    }
    cr_expect(calls == 1, "%d calls", calls);
    munmap(B.data, (size_t)SPACED * PAGE);
    munmap(C.data, (size_t)SPACED * PAGE);
    torc_sparse_destroy(A);
}

Test(stream, leaves_rows_alone_that_no_entry_needs)
{
    torc_context *context = open_reference(0);
    multiply_spaced(context, false);
    multiply_spaced(context, true);
    context->executor = torc_executor_late(1);
    multiply_spaced(context, false);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

static double ones[SPACED * PAGE_COLUMNS], sums[SPACED * PAGE_COLUMNS];

/* sums becomes A ones, or is increased by it. */
static torc_status sum_spaced(torc_sparse *A, const torc_update *update, const torc_host_options *options)
{
    torc_dense B = {SPACED, PAGE_COLUMNS, PAGE_COLUMNS, TORC_ROW_MAJOR, TORC_FP64, false, ones, NULL}, C = B;
    C.data = sums;
    for (int64_t p = 0; p < SPACED * PAGE_COLUMNS; p++) {
        ones[p] = 1;
        sums[p] = 5;
    }
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    return torc_spmm_host(&C, plus_times, A, false, &B, update, options);
}

/* Of rows without entries too. */
static void expect_sums(double in_needed_rows, double in_others)
{
    for (int64_t p = 0; p < SPACED * PAGE_COLUMNS; p++) {
        int64_t row = p / PAGE_COLUMNS;
        double expected = is_needed(row) ? in_needed_rows : in_others;
        cr_assert(sums[p] == expected, "row %ld: %g instead of %g", (long)row, sums[p], expected);
    }
}

/* Where old content counts, the copy of C has that of all rows. */
Test(stream, keeps_old_rows_in_the_copy_that_no_entry_changes)
{
    torc_context *context = open_reference(0);
    torc_sparse *A = new_spaced(context);
    torc_update accum = {.has_accum = true, .accum = TORC_PLUS};
    torc_host_options options = {.leaves_empty_rows = true};
    cr_assert(torc_memory_allocate(&options.c_copy.data, context, sizeof sums) == TORC_SUCCESS);
    cr_assert(sum_spaced(A, &accum, &options) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, sums, options.c_copy.data, sizeof sums) == TORC_SUCCESS);
    expect_sums(5 + SPACED / (2 * SPACING), 5);
    torc_memory_release(context, options.c_copy.data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* What says which rows need not travel is given up before a product fails for want of memory. */
Test(stream, needs_no_memory_for_lists_of_rows)
{
    static const char rule[] = "yang"; /* of 33 entries a row, by rows: no slices, which take memory too */
    torc_context *context = open_reference(0);
    strcpy(context->kernel, rule);
    torc_sparse *A = new_spaced(context);
    cr_assert(sum_spaced(A, NULL, NULL) == TORC_SUCCESS);
    size_t with_lists = torc_reference_bytes_held();
    torc_sparse_unlist(A);
    cr_assert(torc_reference_bytes_held() < with_lists);
    torc_context_trim(context);
    size_t alone = torc_reference_bytes_held(), two_columns = 2 * SPACED * sizeof(double);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    context = open_reference(alone + two_columns + 1024);
    strcpy(context->kernel, rule);
    A = new_spaced(context);
    cr_assert(sum_spaced(A, NULL, NULL) == TORC_SUCCESS);
    expect_sums(SPACED / (2 * SPACING), 0);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

enum { WIDE_BYTES = 300, ORDER = 8, COLUMNS = 5000 };

static void take_second(void *z, const void *x, const void *y)
{
    (void)x;
    memcpy(z, y, WIDE_BYTES);
}

/* The identity times B, of values that are longer than the bus asks a row of a panel to be. */
Test(stream, carries_values_of_any_length)
{
    static const uint32_t row_ptr[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, col_idx[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static unsigned char b[ORDER * COLUMNS * WIDE_BYTES], c[sizeof b];
    torc_csr csr = {ORDER, ORDER, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_user_type wide = {torc_opaque_type(WIDE_BYTES), "wide"};
    torc_definition definition = {.add = "take_second",
        .multiply = "take_second",
        .x = {TORC_BOOL, NULL},
        .y = wide,
        .z = wide,
        .add_on_host = take_second,
        .multiply_on_host = take_second};
    torc_semiring semiring = {TORC_USER_MONOID, TORC_USER, TORC_BOOL, &definition, false};
    bool one = true;
    csr.iso = true;
    csr.values = &one;
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof b; i++) {
        b[i] = (unsigned char)random_below(&seed, 256);
    }
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    torc_dense B = {ORDER, COLUMNS, COLUMNS, TORC_ROW_MAJOR, wide.type, false, b, NULL}, C = B;
    C.data = c;
    torc_status status = torc_spmm_host(&C, semiring, A, false, &B, NULL, NULL);
    cr_expect(status == TORC_SUCCESS, "%s", torc_status_text(status));
    cr_expect(memcmp(b, c, sizeof b) == 0);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* ---- Rows --------------------------------------------------------------------------------------------- */

static torc_status multiply_by_rows(const host_product *p, size_t limit)
{
    torc_context *context = open_reference(limit);
    torc_status status = torc_spmm_by_rows(
        &p->C, p->semiring, context, &p->A, &p->B, &p->update, p->old.data == p->C.data ? NULL : &p->old);
    torc_context_destroy(context);
    return status;
}

static size_t bytes_of_sparse(const host_product *p)
{
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &p->A) == TORC_SUCCESS);
    size_t bytes = torc_reference_bytes_held();
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    return bytes;
}

/* Down to a twentieth of A and B and C, or single columns and a long row. */
Test(rows, of_a_matrix_that_does_not_fit_pass_by)
{
    int64_t cases = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        host_product *p = small_product(seed);
        if (!p->transpose) {
            size_t all = bytes_of_sparse(p) + host_value_bytes(&p->B) + host_value_bytes(&p->C);
            size_t least = host_product_column_bytes(p) + 20000;
            const size_t limits[] = {0, all, all / 2, all / 5, all / 20};
            for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
                size_t limit = i > 0 && limits[i] < least ? least : limits[i];
                expect_result(p, multiply_by_rows(p, limit), "by rows");
                host_product_reset(p);
            }
            cases++;
        }
        host_product_free(p);
    }
    cr_expect(cases > CASES / 4);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(rows, by_the_thousand_take_a_twentieth_of_the_memory)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        host_product *p = host_product_new(seed, 5000, 700, 60, &heap);
        if (!p->transpose) {
            size_t all = bytes_of_sparse(p) + host_value_bytes(&p->B) + host_value_bytes(&p->C);
            expect_result(p, multiply_by_rows(p, all / 20), "by rows");
            host_product overlapping = *p; /* columns of C: wide enough for a block of rows, not for all */
            overlapping.C.ld = p->C.nrows - 1;
            cr_expect(p->C.order == TORC_ROW_MAJOR ||
                      multiply_by_rows(&overlapping, all / 20) == TORC_INVALID_VALUE);
        }
        host_product_free(p);
    }
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

typedef torc_status (*computation)(const host_product *p, torc_context *context);

static torc_status compute_whole(const host_product *p, torc_context *context)
{
    torc_sparse *A;
    torc_status status = torc_sparse_create(&A, context, &p->A);
    if (status == TORC_SUCCESS) {
        status = multiply(p, A, NULL);
    }
    torc_sparse_destroy(A);
    return status;
}

static torc_status compute_by_rows(const host_product *p, torc_context *context)
{
    return torc_spmm_by_rows(
        &p->C, p->semiring, context, &p->A, &p->B, &p->update, p->old.data == p->C.data ? NULL : &p->old);
}

/* Calls survived. */
static int64_t survive(host_product *p, computation compute, size_t limit)
{
    bool is_done = false;
    int64_t call = 0, survived = 0;
    for (; !is_done; call++) {
        torc_context *context = open_reference(limit);
        torc_reference_fail_at(call);
        torc_status status = compute(p, context);
        is_done = torc_reference_calls_left() >= 0;
        torc_reference_fail_at(-1);
        if (status == TORC_SUCCESS) {
            expect_result(p, status, "a fault survived");
            survived += !is_done;
        } else {
            cr_assert(status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR, "call %ld: %s", call,
                torc_status_text(status));
            cr_assert(status != TORC_OUT_OF_MEMORY || compute == compute_by_rows || !host_product_change(p),
                "call %ld touches C: %s", call, host_product_describe(p));
        }
        host_product_reset(p);
        torc_context_destroy(context);
        cr_assert(torc_reference_bytes_held() == 0, "call %ld leaks: %s", call, host_product_describe(p));
        cr_assert(call < 10000);
    }
    return survived;
}

Test(faults, of_the_device_leak_nothing_and_give_no_wrong_result)
{
    int64_t survived = 0;
    for (uint64_t seed = 1; seed <= CASES / 10; seed++) {
        host_product *p = small_product(seed);
        survived += survive(p, compute_whole, 0);
        survived += survive(p, compute_whole, 2 * bytes_of_sparse(p) + 3 * host_product_column_bytes(p));
        if (!p->transpose) {
            survived += survive(p, compute_by_rows, 3 * host_product_column_bytes(p) + 20000);
        }
        host_product_free(p);
    }
    cr_expect(survived > CASES / 10, "%ld survived", survived);
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

Test(stream, refuses_what_cannot_be)
{
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    static const int32_t one = 1;
    torc_csr csr = {1, 1, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    int32_t b = 5, c = 7;
    uint8_t bitmap = 1;
    torc_dense B = {1, 1, 1, TORC_ROW_MAJOR, TORC_INT32, false, &b, NULL}, C = B, nowhere = B;
    C.data = &c;
    nowhere.data = NULL;
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_SECOND, TORC_INT32};
    torc_update accum = {.has_accum = true, .accum = TORC_PLUS};
    torc_host_options options = {.old = &nowhere};
    cr_expect(torc_spmm_host(NULL, semiring, A, false, &B, NULL, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, &accum, &options) == TORC_NULL_POINTER);
    accum.iso = &one;
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, &accum, &options) == TORC_SUCCESS && c == 6);
    options = (torc_host_options){.b_copy.bitmap = &bitmap};
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, NULL, &options) == TORC_INVALID_VALUE);
    options = (torc_host_options){.b_copy.is_filled = true};
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, NULL, &options) == TORC_INVALID_VALUE);
    C.bitmap = &bitmap;
    options = (torc_host_options){.c_copy.data = &c};
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, NULL, &options) == TORC_INVALID_VALUE);
    C.ncols = 2;
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, NULL, NULL) == TORC_DIMENSION_MISMATCH);
    cr_expect(torc_spmm_by_rows(&C, semiring, context, &csr, &B, NULL, NULL) == TORC_DIMENSION_MISMATCH);
    csr.nrows = -1;
    cr_expect(torc_spmm_by_rows(&C, semiring, context, &csr, &B, NULL, NULL) == TORC_INVALID_VALUE);
    csr.nrows = C.nrows = 0;
    cr_expect(torc_spmm_by_rows(&C, semiring, context, &csr, &B, NULL, NULL) == TORC_DIMENSION_MISMATCH);
    C.ncols = 1;
    cr_expect(torc_spmm_by_rows(&C, semiring, context, &csr, &B, NULL, NULL) == TORC_SUCCESS);
    cr_expect(torc_spmm_by_rows(&C, semiring, NULL, &csr, &B, NULL, NULL) == TORC_NULL_POINTER);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
