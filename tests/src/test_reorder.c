/* torc_sparse_reorder: the order of rows, and that products stay what they were, to the bit, on the reference
 * executor: random matrices with empty rows and a long one, semirings of every kind, masks, bitmaps,
 * accumulators, both orders of dense operands, transposed or not, in device and in host memory. */
#include "engine_fixture.h"
#include "host_memory.h"
#include "reference.h"
#include "row_order.h"
#include "sparse.h"
#include "splitmix.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- The order ---------------------------------------------------------------------------------------- */

enum { MOST_ROWS = 300, LONG = 50 };

typedef struct pattern {
    int64_t nrows, ncols;
    uint32_t row_ptr[MOST_ROWS + 1], col_idx[MOST_ROWS * MOST_ROWS];
    float values[MOST_ROWS * MOST_ROWS];
} pattern;

static void end_row(pattern *A, const bool *is_named)
{
    uint32_t nnz = A->row_ptr[A->nrows];
    for (uint32_t j = 0; j < A->ncols; j++) {
        if (is_named[j]) {
            A->col_idx[nnz++] = j;
        }
    }
    A->row_ptr[++A->nrows] = nnz;
}

/* Blocks of `size` rows that name the same `size` columns; row and column i are of block i % blocks. */
static void fill_blocks(pattern *A, int64_t blocks, int64_t size)
{
    *A = (pattern){.ncols = blocks * size};
    for (int64_t i = 0; i < blocks * size; i++) {
        bool is_named[MOST_ROWS];
        for (int64_t j = 0; j < A->ncols; j++) {
            is_named[j] = j % blocks == i % blocks;
        }
        end_row(A, is_named);
    }
}

/* Every third row is empty or nearly so, one is long. */
static void fill_randomly(pattern *A, uint64_t *seed, int64_t nrows, int64_t ncols)
{
    *A = (pattern){.ncols = ncols};
    int64_t long_row = random_below(seed, nrows);
    for (int64_t i = 0; i < nrows; i++) {
        bool is_named[MOST_ROWS];
        int64_t share = i == long_row ? 1 : i % 3 == 0 ? ncols : 4 + random_below(seed, 8);
        for (int64_t j = 0; j < ncols; j++) {
            is_named[j] = random_below(seed, share) == 0;
        }
        end_row(A, is_named);
    }
    for (uint32_t p = 0; p < A->row_ptr[nrows]; p++) {
        A->values[p] = (float)(random_below(seed, 2000) - 1000) / 3;
    }
}

static torc_row_lists lists_of(const pattern *A)
{
    return (torc_row_lists){A->nrows, A->ncols, A->row_ptr, 32, A->col_idx};
}

static void expect_order(const uint32_t *order, const pattern *A, const char *which)
{
    bool is_there[MOST_ROWS] = {false};
    for (int64_t i = 0; i < A->nrows; i++) {
        cr_assert(order[i] < A->nrows && !is_there[order[i]], "%s: %u again", which, order[i]);
        is_there[order[i]] = true;
    }
}

Test(reorder, an_order_has_each_row_once_and_no_more_bricks)
{
    static pattern A;
    static const int64_t shapes[][2] = {{40, 40}, {1, 1}, {9, 200}, {200, 9}, {300, 300}, {17, 1}};
    uint64_t seed = 1;
    for (int which = 0; which < 6; which++) {
        uint32_t order[MOST_ROWS], alone[MOST_ROWS];
        fill_randomly(&A, &seed, shapes[which][0], shapes[which][1]);
        torc_row_lists lists = lists_of(&A);
        int before = torc_threads_limit(4);
        torc_row_order_bricks bricks, bricks_alone;
        cr_assert(torc_row_order(order, &bricks, &lists) == TORC_SUCCESS);
        torc_threads_limit(1);
        cr_assert(torc_row_order(alone, &bricks_alone, &lists) == TORC_SUCCESS);
        torc_threads_limit(before);
        expect_order(order, &A, A.ncols == A.nrows ? "square" : "rectangular");
        cr_expect(memcmp(order, alone, (size_t)A.nrows * sizeof *order) == 0, "threads change the order");
        cr_expect(bricks.after <= bricks.before && bricks.after == bricks_alone.after);
    }
}

Test(reorder, rows_that_name_the_same_columns_come_together)
{
    static pattern A;
    uint32_t order[MOST_ROWS];
    fill_blocks(&A, 20, 8);
    torc_row_lists lists = lists_of(&A);
    torc_row_order_bricks bricks;
    cr_assert(torc_row_order(order, &bricks, &lists) == TORC_SUCCESS);
    cr_expect(bricks.before == 160, "8 rows of 8 blocks each have 64 columns: 8 bricks, not %ld in all",
        bricks.before);
    cr_expect(bricks.after == 20, "a brick each, not %ld", bricks.after);
    A.nrows = 80; /* rectangular: 4 rows of each block are left */
    lists = lists_of(&A);
    cr_assert(torc_row_order(order, &bricks, &lists) == TORC_SUCCESS);
    cr_expect(bricks.after == 20, "two blocks share a window, not %ld bricks", bricks.after);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

enum { COLUMNS = 5, LD = 7, MOST_BYTES = MOST_ROWS * LD * 8 };

typedef struct product {
    torc_semiring semiring;
    bool transpose, has_mask, has_bitmaps, has_accum, replaces;
    torc_order order;
    torc_access access;
    torc_multiply accum;
} product;

typedef struct arrays {
    unsigned char c[MOST_BYTES], c_bitmap[MOST_BYTES];
} arrays;

static torc_dense dense(int64_t nrows, torc_order order, torc_type type, void *data, void *bitmap)
{
    int64_t ld = order == TORC_ROW_MAJOR ? LD : nrows + 2;
    return (torc_dense){nrows, COLUMNS, ld, order, type, false, data, bitmap};
}

static size_t elements_of(const torc_dense *X)
{
    return (size_t)(X->ld * (X->order == TORC_ROW_MAJOR ? X->nrows : X->ncols));
}

static void *random_values(uint64_t *seed, torc_type type, size_t count)
{
    char *values = malloc(count * 8 + 1);
    for (size_t p = 0; p < count; p++) {
        double x = (double)(random_below(seed, 200) - 100) / 7;
        torc_cast(values + p * torc_type_size(type), type, &x, TORC_FP64);
    }
    return values;
}

/* C after the product, over the content that the seed says. */
static void multiply(arrays *after, torc_sparse *A, const product *p, uint64_t seed, bool on_host)
{
    torc_context *context = A->context;
    torc_traits traits = torc_semiring_traits(p->semiring);
    int64_t m = p->transpose ? A->csr.ncols : A->csr.nrows, k = p->transpose ? A->csr.nrows : A->csr.ncols;
    torc_dense B = dense(k, p->order, traits.y_type, NULL, NULL),
               C = dense(m, p->order, traits.z_type, NULL, NULL);
    size_t nb = elements_of(&B), nc = elements_of(&C), b_size = torc_type_size(B.type),
           c_size = torc_type_size(C.type);
    void *b = random_values(&seed, B.type, nb), *c = random_values(&seed, C.type, nc);
    uint8_t *bytes = random_values(&seed, TORC_BOOL, nb + 2 * nc);
    for (size_t i = 0; i < nb + 2 * nc; i++) {
        bytes[i] = random_below(&seed, 2) > 0;
    }
    void *b_bytes = bytes, *c_bytes = bytes + nb, *mask = bytes + nb + nc;
    torc_update update = {
        .has_accum = p->has_accum, .accum = p->accum, .replace = p->replaces, .complement = p->replaces};
    if (on_host) {
        B.data = b, C.data = c;
        B.bitmap = p->has_bitmaps ? b_bytes : NULL, C.bitmap = p->has_bitmaps ? c_bytes : NULL;
        update.mask = p->has_mask ? mask : NULL;
        cr_assert(torc_spmm_host(&C, p->semiring, A, p->transpose, &B, &update, NULL) == TORC_SUCCESS, "%s",
            torc_context_error(context));
        memcpy(after->c, c, nc * c_size);
        memcpy(after->c_bitmap, c_bytes, nc);
    } else {
        B.data = device_copy(context, b, nb * b_size), C.data = device_copy(context, c, nc * c_size);
        void *there[] = {device_copy(context, b_bytes, nb), device_copy(context, c_bytes, nc),
            device_copy(context, mask, nc)};
        B.bitmap = p->has_bitmaps ? there[0] : NULL, C.bitmap = p->has_bitmaps ? there[1] : NULL;
        update.mask = p->has_mask ? there[2] : NULL;
        cr_assert(torc_spmm(&C, p->semiring, A, p->transpose, &B, &update) == TORC_SUCCESS, "%s",
            torc_context_error(context));
        cr_assert(torc_memory_download(context, after->c, C.data, nc * c_size) == TORC_SUCCESS);
        cr_assert(torc_memory_download(context, after->c_bitmap, there[1], nc) == TORC_SUCCESS);
        void *all[] = {B.data, C.data, there[0], there[1], there[2]};
        for (int i = 0; i < 5; i++) {
            torc_memory_release(context, all[i]);
        }
    }
    if (p->has_bitmaps) { /* absent values are nobody's */
        for (size_t i = 0; i < nc; i++) {
            if (!after->c_bitmap[i]) {
                memset(after->c + i * c_size, 0, c_size);
            }
        }
    }
    free(b);
    free(c);
    free(bytes);
}

static torc_sparse *create(
    torc_context *context, const pattern *m, torc_access access, const int64_t *row_names)
{
    torc_sparse *A;
    torc_csr csr = {m->nrows, m->ncols, m->row_ptr, m->col_idx, access == TORC_ACCESS_NONE ? NULL : m->values,
        32, 32, TORC_FP32, access == TORC_ACCESS_ISO, row_names};
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    return A;
}

static void expect_same(torc_context *context, const pattern *m, const product *p, const char *what)
{
    static arrays before, after;
    int64_t row_names[MOST_ROWS];
    for (int64_t i = 0; i < m->nrows; i++) {
        row_names[i] = 1000 - i;
    }
    torc_sparse *A = create(context, m, p->access, m->nrows % 2 ? row_names : NULL);
    for (int on_host = 0; on_host < 2; on_host++) {
        memset(&before, 0, sizeof before);
        memset(&after, 0, sizeof after);
        torc_sparse *other = create(context, m, p->access, m->nrows % 2 ? row_names : NULL);
        multiply(&before, other, p, 5, on_host);
        torc_sparse_destroy(other);
        cr_assert(torc_sparse_reorder(NULL, A, p->transpose) == TORC_SUCCESS);
        multiply(&after, A, p, 5, on_host);
        cr_expect(memcmp(&before, &after, sizeof before) == 0, "%s: %s_%s of %ld x %ld%s, in %s memory", what,
            torc_monoid_name(p->semiring.add), torc_multiply_name(p->semiring.multiply), m->nrows, m->ncols,
            p->transpose ? ", transposed" : "", on_host ? "host" : "device");
    }
    torc_sparse_destroy(A);
}

Test(reorder, products_are_the_same_to_the_bit)
{
    static pattern A;
    static const product products[] = {
        {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32}, .access = TORC_ACCESS_ARRAY},
        {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
            .access = TORC_ACCESS_ARRAY,
            .has_accum = true,
            .accum = TORC_MINUS},
        {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
            .access = TORC_ACCESS_ISO,
            .order = TORC_COL_MAJOR},
        {.semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
            .access = TORC_ACCESS_ARRAY,
            .has_mask = true},
        {.semiring = {TORC_MIN_MONOID, TORC_PLUS, TORC_INT64},
            .access = TORC_ACCESS_ARRAY,
            .has_mask = true,
            .has_bitmaps = true,
            .replaces = true},
        {.semiring = {TORC_MIN_MONOID, TORC_PLUS, TORC_FP64},
            .access = TORC_ACCESS_ARRAY,
            .has_bitmaps = true,
            .has_accum = true,
            .accum = TORC_MAX,
            .order = TORC_COL_MAJOR},
        {.semiring = {TORC_MIN_MONOID, TORC_FIRSTI, TORC_INT64}, .access = TORC_ACCESS_NONE},
        {.semiring = {TORC_ANY_MONOID, TORC_SECONDI, TORC_INT32},
            .access = TORC_ACCESS_NONE,
            .has_bitmaps = true},
        {.semiring = {TORC_ANY_MONOID, TORC_PAIR, TORC_FP32},
            .access = TORC_ACCESS_NONE,
            .has_bitmaps = true,
            .has_mask = true,
            .replaces = true},
        {.semiring = {TORC_LOR_MONOID, TORC_LAND, TORC_BOOL}, .access = TORC_ACCESS_ARRAY},
        {.semiring = {TORC_PLUS_MONOID, TORC_PAIR, TORC_UINT8}, .access = TORC_ACCESS_NONE},
        {.semiring = {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64}, .access = TORC_ACCESS_NONE},
    };
    torc_context *context = open_reference(0);
    uint64_t seed = 3;
    static const int64_t shapes[][2] = {{60, 60}, {61, 61}, {31, 90}, {90, 30}, {1, 3}};
    for (int shape = 0; shape < 5; shape++) {
        fill_randomly(&A, &seed, shapes[shape][0], shapes[shape][1]);
        for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
            product own = products[i];
            expect_same(context, &A, &own, "as it is");
            own.transpose = true;
            expect_same(context, &A, &own, "of the other");
        }
    }
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(reorder, an_order_is_of_the_operand_that_it_was_asked_for)
{
    static pattern blocks;
    torc_context *context = open_reference(0);
    fill_blocks(&blocks, 20, 8);
    torc_sparse *A = create(context, &blocks, TORC_ACCESS_NONE, NULL);
    torc_reordering first, second;
    torc_statistics before, after;
    cr_assert(torc_sparse_statistics(&before, A, false) == TORC_SUCCESS);
    cr_assert(torc_sparse_reorder(&first, A, false) == TORC_SUCCESS);
    cr_expect(first.bricks_before == 160 && first.bricks_after == 20 && first.seconds > 0);
    cr_expect_null(A->transpose);
    torc_sparse *reordered = A->reordered;
    for (int height = 1; height <= 2; height++) { /* 20 bricks at either height */
        const torc_statistics *found_after = &reordered->partition.statistics;
        double found = height == 1 ? found_after->brick_footprint : found_after->tall_brick_footprint;
        double windows = 20. / height, columns = 20 * 8 - windows * 3.5;
        cr_expect(fabs(found - columns / 1280) < 1e-12, "height %d: a footprint of %g", height, found);
    }
    cr_assert(torc_sparse_reorder(&second, A, false) == TORC_SUCCESS);
    cr_expect(A->reordered == reordered && second.seconds == first.seconds, "once is enough");
    cr_assert(torc_sparse_statistics(&after, A, false) == TORC_SUCCESS);
    cr_expect(before.sector_footprint == after.sector_footprint, "they are A's");
    cr_expect(torc_sparse_reorder(&first, NULL, false) == TORC_NULL_POINTER);
    torc_sparse_destroy(A);
    for (int64_t i = 0; i < blocks.nrows; i++) { /* a diagonal: no order is better */
        blocks.row_ptr[i] = blocks.col_idx[i] = (uint32_t)i;
    }
    blocks.row_ptr[blocks.nrows] = (uint32_t)blocks.nrows;
    A = create(context, &blocks, TORC_ACCESS_NONE, NULL);
    cr_assert(torc_sparse_reorder(&first, A, false) == TORC_SUCCESS);
    cr_expect(first.bricks_after == first.bricks_before && first.seconds > 0 && !A->reordered);
    torc_sparse_destroy(A);
    blocks.nrows = 0;
    A = create(context, &blocks, TORC_ACCESS_NONE, NULL);
    cr_assert(torc_sparse_reorder(&first, A, false) == TORC_SUCCESS);
    cr_expect(first.bricks_before == 0 && !A->reordered, "there is nothing to put in order");
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* A thread that GraphBLAS alone can do with. Sanitizers make every frame larger. */
static void *reorder_there(void *A)
{
    return torc_sparse_reorder(NULL, A, false) == TORC_SUCCESS ? A : NULL;
}

Test(reorder, needs_no_large_stack)
{
    enum { STACK = 32 << 10 };
    static pattern blocks;
    pthread_attr_t attributes;
    pthread_t thread;
    void *reordered;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    cr_skip_test("sanitized");
#endif
    torc_context *context = open_reference(0);
    fill_blocks(&blocks, 20, 8);
    torc_sparse *A = create(context, &blocks, TORC_ACCESS_NONE, NULL);
    cr_assert(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK) == 0);
    cr_assert(pthread_create(&thread, &attributes, reorder_there, A) == 0);
    cr_assert(pthread_join(thread, &reordered) == 0);
    cr_expect(reordered == A && A->reordered);
    pthread_attr_destroy(&attributes);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* ---- Faults ------------------------------------------------------------------------------------------- */

static void survive(void (*fail_at)(int64_t call), int64_t (*calls_left)(void), int64_t fewest)
{
    static pattern blocks;
    int64_t call = 0;
    torc_context *context = open_reference(0);
    fill_blocks(&blocks, 6, 8);
    torc_sparse *A = create(context, &blocks, TORC_ACCESS_NONE, NULL);
    int64_t blocks_before = torc_host_memory_blocks();
    size_t held = torc_reference_bytes_held();
    int before = torc_threads_limit(1);
    for (bool is_done = false; !is_done; call++) {
        fail_at(call);
        torc_status status = torc_sparse_reorder(NULL, A, false);
        is_done = calls_left() >= 0;
        fail_at(-1);
        cr_assert(
            is_done || status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR || status == TORC_SUCCESS);
        cr_assert((status == TORC_SUCCESS) == (A->reordered != NULL), "call %ld: %s", call,
            torc_status_text(status));
        torc_sparse_unorder(A);
        cr_assert(torc_reference_bytes_held() == held, "call %ld leaks device memory", call);
        cr_assert(torc_host_memory_blocks() == blocks_before, "call %ld leaks host memory", call);
    }
    torc_threads_limit(before);
    cr_expect(call > fewest, "%ld calls", call);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(reorder, faults_leave_no_order_and_leak_nothing)
{
    survive(torc_reference_fail_at, torc_reference_calls_left, 6);
    survive(torc_host_memory_fail_at, torc_host_memory_calls_left, 15);
}
