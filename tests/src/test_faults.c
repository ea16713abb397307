/* A session, from opening a context to the downloaded result, in which call number 0, 1, 2, ... fails until
 * none does: first the calls of the device, then the allocations of host memory. Nothing leaks or crashes,
 * and a multiplication that ends for want of memory leaves C as it was. */
#include "engine_fixture.h"
#include "host_memory.h"
#include "reference.h"
#include <string.h>

enum { SIZE = 600, N = 3, FILL = 0x5A };

/* An arrow, SIZE x SIZE: row 0 and column 0 are full, so that A and its transpose have a long row each. */
static int64_t row_ptr[SIZE + 1], col_idx[2 * SIZE];
static double values[2 * SIZE], ones[SIZE * N];
static unsigned char fill[SIZE * N * sizeof(double)];

static void fill_operands(void)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < SIZE; i++) {
        for (int64_t j = 0; j < (i == 0 ? SIZE : 1); j++, nnz++) {
            col_idx[nnz] = j;
            values[nnz] = 1;
        }
        row_ptr[i + 1] = nnz;
    }
    for (int64_t p = 0; p < SIZE * N; p++) {
        ones[p] = 1;
    }
    memset(fill, FILL, sizeof fill);
}

typedef struct session {
    torc_context *context;
    torc_sparse *A;
    void *b, *c;
    torc_status product;
    double result[SIZE * N];
} session;

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        torc_status try_status = (call);                                                                     \
        if (try_status != TORC_SUCCESS) {                                                                    \
            return try_status;                                                                               \
        }                                                                                                    \
    } while (0)

/* C = Aᵀ B, all three in need of another form than they have. */
static torc_status run(session *s, bool iso)
{
    static const torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = TORC_BACKEND_REFERENCE;
    torc_csr csr = {SIZE, SIZE, row_ptr, col_idx, values, 64, 64, TORC_FP64, iso, NULL};
    TRY(torc_context_create(&s->context, &options));
    TRY(torc_sparse_create(&s->A, s->context, &csr));
    TRY(torc_memory_allocate(&s->b, s->context, sizeof ones));
    TRY(torc_memory_allocate(&s->c, s->context, sizeof fill));
    TRY(torc_memory_upload(s->context, s->b, ones, sizeof ones));
    TRY(torc_memory_upload(s->context, s->c, fill, sizeof fill));
    torc_dense B = {SIZE, N, SIZE, TORC_COL_MAJOR, TORC_FP64, false, s->b, NULL};
    torc_dense C = {SIZE, N, SIZE, TORC_COL_MAJOR, TORC_FP64, false, s->c, NULL};
    s->product = torc_spmm(&C, plus_times, s->A, true, &B, NULL);
    TRY(s->product);
    TRY(torc_memory_download(s->context, s->result, s->c, sizeof s->result));
    return torc_context_wait(s->context);
}

/* Faults are off. */
static const char *find_fault(session *s, torc_status status)
{
    if (status == TORC_SUCCESS) {
        for (int64_t p = 0; p < SIZE * N; p++) {
            if (s->result[p] != (p % SIZE == 0 ? SIZE : 1)) {
                return "success with a wrong result";
            }
        }
    } else if (status != TORC_OUT_OF_MEMORY && status != TORC_DEVICE_ERROR) {
        return "a status that names another cause";
    } else if (s->product == TORC_OUT_OF_MEMORY) {
        torc_status download = torc_memory_download(s->context, s->result, s->c, sizeof s->result);
        if (download != TORC_SUCCESS || memcmp(s->result, fill, sizeof fill) != 0) {
            return "C is touched";
        }
    }
    return NULL;
}

static void end(session *s)
{
    torc_sparse_destroy(s->A);
    torc_memory_release(s->context, s->b);
    torc_memory_release(s->context, s->c);
    torc_context_destroy(s->context);
}

static void survive(
    void (*fail_at)(int64_t call), int64_t (*calls_left)(void), bool iso, int64_t fewest_calls)
{
    int64_t call = 0, failures = 0;
    bool is_done = false;
    for (; !is_done; call++) {
        static session s; /* too large for the stack's taste */
        memset(&s, 0, sizeof s);
        int64_t blocks = torc_host_memory_blocks();
        fail_at(call);
        torc_status status = run(&s, iso);
        is_done = status == TORC_SUCCESS && calls_left() >= 0;
        fail_at(-1);
        const char *fault = find_fault(&s, status);
        end(&s);
        blocks = torc_host_memory_blocks() - blocks;
        cr_assert(!fault, "call %ld, %s: %s", call, torc_status_text(status), fault);
        cr_assert(torc_reference_bytes_held() == 0, "call %ld leaks device memory", call);
        cr_assert(blocks == 0, "call %ld leaks %ld blocks of host memory", call, blocks);
        failures += status != TORC_SUCCESS;
    }
    /* Some failures are survived: workspace is given back, and the call tried again. */
    cr_assert(call - 1 >= fewest_calls && failures >= fewest_calls / 2, "%ld calls, %ld failures", call - 1,
        failures);
}

Test(faults, of_the_device_leak_nothing)
{
    fill_operands();
    survive(torc_reference_fail_at, torc_reference_calls_left, false, 30);
    survive(torc_reference_fail_at, torc_reference_calls_left, true, 30);
}

Test(faults, of_host_memory_leak_nothing)
{
    fill_operands();
    survive(torc_host_memory_fail_at, torc_host_memory_calls_left, false, 25);
    survive(torc_host_memory_fail_at, torc_host_memory_calls_left, true, 25);
}

Test(faults, of_the_device_are_explained)
{
    torc_context *context = open_reference(0);
    torc_reference_fail_at(1);
    cr_expect(torc_context_wait(context) == TORC_SUCCESS);
    cr_expect(strcmp(torc_context_error(context), "") == 0);
    cr_expect(torc_context_wait(context) == TORC_DEVICE_ERROR);
    cr_expect(strcmp(torc_context_error(context), "") != 0);
    cr_expect(torc_context_wait(context) == TORC_SUCCESS);
    torc_context_destroy(context);
}

Test(faults, of_host_memory_are_explained)
{
    torc_context *context = open_reference(0);
    void *memory;
    cr_expect(torc_memory_allocate(NULL, context, 1) == TORC_NULL_POINTER);
    torc_host_memory_fail_at(0);
    cr_expect(torc_memory_allocate(&memory, context, 1) == TORC_OUT_OF_MEMORY && !memory);
    cr_expect_str_eq(torc_context_error(context), "there is too little host memory");
    torc_context_destroy(context);
}

/* A transpose that failed half-way is not kept: the next call forms it. */
Test(faults, of_a_transpose_can_be_tried_again)
{
    fill_operands();
    torc_context *context = open_reference(0);
    torc_csr csr = {SIZE, SIZE, row_ptr, col_idx, values, 64, 64, TORC_FP64, false, NULL};
    torc_statistics statistics;
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    size_t held = torc_reference_bytes_held();
    int64_t call = 0;
    torc_reference_fail_at(call);
    while (torc_sparse_statistics(&statistics, A, true) != TORC_SUCCESS) {
        cr_assert(torc_reference_bytes_held() == held, "call %ld leaks", call);
        torc_reference_fail_at(++call);
    }
    cr_expect(call >= 5);
    cr_expect(statistics.max_row == SIZE && statistics.nnz == 2 * SIZE - 1);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
