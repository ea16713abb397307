/* test_emulated_plan_faults.c: a product through tiles, or bricks, in which call number 0, 1, 2, ... of the
 * device fails until none does: nothing leaks, C is as it was where memory is short, and right where the
 * product succeeds, with a plan or, where that lacks memory, without. */
#include "reference.h"
#include "sparse.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 50, COLUMNS = 1200, N = 36, SHARED = 30, FILL = 0x5A };

static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * SHARED + COLUMNS];
static float ones[ROWS * SHARED + COLUMNS];

/* Rows of the same few columns, which are shared, but for the last one, a long one, which has all. */
static void fill_operands(void)
{
    uint32_t nnz = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t k = 0; k < (i + 1 < ROWS ? SHARED : COLUMNS); k++) {
            col_idx[nnz++] = k;
        }
        row_ptr[i + 1] = nnz;
    }
    for (uint32_t e = 0; e < nnz; e++) {
        ones[e] = 1;
    }
}

typedef struct session {
    torc_context *context;
    torc_sparse *A;
    void *b, *c;
    torc_status product;
    float result[N * ROWS];
} session;

/* Kernels that need a plan. */
typedef struct family {
    const char *kernel;
    torc_precision precision;
    int64_t least_calls, least_without; /* of products, and of those without a plan */
} family;

static const family tiles = {"rows/tiles/v4x8", TORC_PRECISION_EXACT, 40, 10},
                    bricks = {"rows/bricks3/v1x32", TORC_PRECISION_FP32, 20, 3};

static bool has_plan(const session *s)
{
    return s->A && (s->A->row_tiles.tiles.batches || s->A->part_tiles.tiles.batches || s->A->bricks.pieces);
}

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        torc_status try_status = (call);                                                                     \
        if (try_status != TORC_SUCCESS) {                                                                    \
            return try_status;                                                                               \
        }                                                                                                    \
    } while (0)

/* B and C by column, so that workspace is in use when tiles are planned; of more columns than tiles compute.
 */
static torc_status run(session *s, const family *tested, size_t memory_limit)
{
    static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32};
    static float b[COLUMNS * N];
    torc_options options = TORC_OPTIONS_INIT;
    options.kernel = tested->kernel;
    options.precision = tested->precision;
    options.memory_limit = memory_limit;
    torc_csr csr = {ROWS, COLUMNS, row_ptr, col_idx, ones, 32, 32, TORC_FP32, false, NULL};
    for (int p = 0; p < COLUMNS * N; p++) {
        b[p] = (float)(p / COLUMNS);
    }
    TRY(torc_context_create(&s->context, &options));
    TRY(torc_sparse_create(&s->A, s->context, &csr));
    TRY(torc_memory_allocate(&s->b, s->context, sizeof b));
    TRY(torc_memory_allocate(&s->c, s->context, sizeof s->result));
    memset(s->result, FILL, sizeof s->result);
    TRY(torc_memory_upload(s->context, s->b, b, sizeof b));
    TRY(torc_memory_upload(s->context, s->c, s->result, sizeof s->result));
    torc_dense B = {COLUMNS, N, COLUMNS, TORC_COL_MAJOR, TORC_FP32, false, s->b, NULL};
    torc_dense C = {ROWS, N, ROWS, TORC_COL_MAJOR, TORC_FP32, false, s->c, NULL};
    s->product = torc_spmm(&C, plus_times, s->A, false, &B, NULL);
    TRY(s->product);
    TRY(torc_memory_download(s->context, s->result, s->c, sizeof s->result));
    return torc_context_wait(s->context);
}

static bool is_right(const session *s)
{
    for (int p = 0; p < N * ROWS; p++) {
        if (s->result[p] != (float)(p / ROWS * (p % ROWS + 1 < ROWS ? SHARED : COLUMNS))) {
            return false;
        }
    }
    return true;
}

static bool is_untouched(session *s)
{
    memset(s->result, 0, sizeof s->result);
    torc_memory_download(s->context, s->result, s->c, sizeof s->result);
    for (size_t p = 0; p < sizeof s->result; p++) {
        if (((unsigned char *)s->result)[p] != FILL) {
            return false;
        }
    }
    return true;
}

static void end(session *s)
{
    torc_sparse_destroy(s->A);
    torc_memory_release(s->context, s->b);
    torc_memory_release(s->context, s->c);
    torc_context_destroy(s->context);
}

static void fail_call_by_call(const family *tested)
{
    int64_t call = 0, without_plan = 0;
    bool is_done = false;
    fill_operands();
    for (; !is_done; call++) {
        session s = {0};
        torc_reference_fail_at(call);
        torc_status status = run(&s, tested, 0);
        is_done = status == TORC_SUCCESS && torc_reference_calls_left() >= 0;
        torc_reference_fail_at(-1);
        without_plan += status == TORC_SUCCESS && !has_plan(&s);
        cr_assert(status == TORC_SUCCESS || status == TORC_OUT_OF_MEMORY || status == TORC_DEVICE_ERROR);
        cr_assert(status != TORC_SUCCESS || is_right(&s), "call %ld: wrong", (long)call);
        cr_assert(s.product != TORC_OUT_OF_MEMORY || is_untouched(&s), "call %ld: C is touched", (long)call);
        cr_assert(
            !is_done || (has_plan(&s) && (tested != &tiles || s.A->row_tiles.rest || s.A->part_tiles.rest)),
            "nothing left to plan");
        end(&s);
        cr_assert_eq(torc_reference_bytes_held(), 0, "call %ld leaks", (long)call);
    }
    cr_expect(call > tested->least_calls && without_plan > tested->least_without,
        "%s: %ld calls, %ld products without a plan", tested->kernel, (long)call, (long)without_plan);
}

/* The smallest limit under which the product is computed has no room for a plan. */
static void shorten_memory(const family *tested)
{
    int64_t without_plan = 0;
    bool is_planned = false;
    fill_operands();
    for (size_t limit = 100 << 10; !is_planned && limit < 64 << 20; limit += limit / 16) {
        session s = {0};
        torc_status status = run(&s, tested, limit);
        is_planned = status == TORC_SUCCESS && has_plan(&s);
        without_plan += status == TORC_SUCCESS && !is_planned;
        cr_expect(status == TORC_OUT_OF_MEMORY || (status == TORC_SUCCESS && is_right(&s)), "limit %zu: %s",
            limit, torc_status_text(status));
        end(&s);
    }
    cr_expect(is_planned && without_plan > 0, "%ld limits without a plan", (long)without_plan);
}

Test(emulated_plan_faults, with_tiles_leak_nothing_and_leave_c_alone)
{
    fail_call_by_call(&tiles);
}

Test(emulated_plan_faults, with_bricks_leak_nothing_and_leave_c_alone)
{
    fail_call_by_call(&bricks);
}

Test(emulated_plan_faults, tiles_give_way_where_memory_is_short)
{
    shorten_memory(&tiles);
}

Test(emulated_plan_faults, bricks_give_way_where_memory_is_short)
{
    shorten_memory(&bricks);
}
