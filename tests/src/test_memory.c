/* Device memory and workspace: limits, alignment, copies, pinning, and what a context says of its device. */
#include "engine_fixture.h"
#include "reference.h"
#include <string.h>

Test(memory, is_aligned_counted_and_given_back)
{
    torc_context *context = open_reference(0);
    void *blocks[8];
    size_t held = 0;
    for (size_t i = 0; i < 8; i++) {
        size_t size = 1 + 37 * i * i;
        cr_assert(torc_memory_allocate(&blocks[i], context, size) == TORC_SUCCESS);
        cr_expect((uintptr_t)blocks[i] % 256 == 0);
        held += size;
        cr_expect(torc_reference_bytes_held() == held);
    }
    for (size_t i = 0; i < 8; i++) {
        torc_memory_release(context, blocks[i]);
    }
    cr_expect(torc_reference_bytes_held() == 0);
    torc_context_destroy(context);
}

Test(memory, of_size_zero_is_null)
{
    torc_context *context = open_reference(0);
    void *memory = context;
    cr_expect(torc_memory_allocate(&memory, context, 0) == TORC_SUCCESS && !memory);
    torc_memory_release(context, memory);
    torc_context_destroy(context);
}

Test(memory, copies_there_and_back)
{
    torc_context *context = open_reference(0);
    char there[] = "there and back", back[sizeof there];
    void *device = device_copy(context, there, sizeof there);
    memset(there, 0, sizeof there); /* free to reuse */
    cr_assert(torc_memory_download(context, back, device, sizeof back) == TORC_SUCCESS);
    cr_expect(strcmp(back, "there and back") == 0);
    torc_memory_release(context, device);
    torc_context_destroy(context);
}

Test(memory, elements_are_gathered_and_scattered)
{
    torc_context *context = open_reference(0);
    uint16_t values[] = {0, 1, 2, 3, 4, 5, 6, 7}, some[3];
    const uint64_t offsets[] = {14, 0, 6};
    void *device = device_copy(context, values, sizeof values);
    cr_assert(torc_memory_gather(context, some, device, offsets, 3, sizeof *some) == TORC_SUCCESS);
    cr_expect(some[0] == 7 && some[1] == 0 && some[2] == 3);
    const uint16_t changed[] = {70, 10, 30}, expected[] = {10, 1, 2, 30, 4, 5, 6, 70};
    cr_assert(torc_memory_scatter(context, device, changed, offsets, 3, sizeof *changed) == TORC_SUCCESS);
    cr_assert(torc_memory_download(context, values, device, sizeof values) == TORC_SUCCESS);
    cr_expect(memcmp(values, expected, sizeof values) == 0);
    cr_expect(torc_memory_gather(context, some, device, NULL, 0, sizeof *some) == TORC_SUCCESS);
    cr_expect(torc_memory_gather(context, some, device, NULL, 3, sizeof *some) == TORC_NULL_POINTER);
    cr_expect(torc_memory_scatter(context, device, NULL, offsets, 3, sizeof *some) == TORC_NULL_POINTER);
    cr_expect(torc_memory_scatter(NULL, device, some, offsets, 3, sizeof *some) == TORC_NULL_POINTER);
    torc_memory_release(context, device);
    torc_context_destroy(context);
}

Test(memory, ends_at_the_limit)
{
    torc_context *context = open_reference(1000);
    torc_device_info info;
    void *most, *more = context;
    cr_expect(strcmp(torc_context_error(context), "") == 0);
    cr_assert(torc_memory_allocate(&most, context, 999) == TORC_SUCCESS);
    cr_assert(torc_context_info(&info, context) == TORC_SUCCESS);
    cr_expect(strcmp(info.backend, "reference") == 0 && info.memory_total == 1000);
    cr_expect(info.memory_available == 1);
    cr_expect(torc_memory_allocate(&more, context, 2) == TORC_OUT_OF_MEMORY && !more);
    cr_expect(strcmp(torc_context_error(context), "") != 0);
    cr_expect(torc_memory_allocate(&more, context, 1) == TORC_SUCCESS);
    torc_memory_release(context, more);
    torc_memory_release(context, most);
    cr_expect(torc_memory_allocate(&most, context, 1000) == TORC_SUCCESS);
    torc_memory_release(context, most);
    torc_context_destroy(context);
}

Test(memory, of_absurd_size_is_out_of_memory_without_a_limit)
{
    torc_context *context = open_reference(0);
    void *memory = context;
    cr_expect(torc_memory_allocate(&memory, context, SIZE_MAX) == TORC_OUT_OF_MEMORY && !memory);
    torc_context_destroy(context);
}

Test(memory, of_the_host_is_pinned_and_unpinned)
{
    torc_context *context = open_reference(0);
    static char host[100];
    cr_expect(torc_memory_pin(NULL, host, 1) == TORC_NULL_POINTER);
    cr_expect(torc_memory_pin(context, NULL, 1) == TORC_NULL_POINTER);
    cr_expect(torc_memory_pin(context, NULL, 0) == TORC_SUCCESS);
    cr_expect(torc_memory_pin(context, host, sizeof host) == TORC_SUCCESS);
    torc_reference_fail_at(0);
    cr_expect(torc_memory_pin(context, host, sizeof host) == TORC_OUT_OF_MEMORY);
    cr_expect(torc_reference_bytes_pinned() == sizeof host);
    torc_memory_unpin(context, NULL, 0);
    torc_memory_unpin(NULL, host, sizeof host);
    torc_memory_unpin(context, host, sizeof host);
    cr_expect(torc_reference_bytes_pinned() == 0);
    torc_context_destroy(context);
}

/* ---- Workspace ---------------------------------------------------------------------------------------- */

/* The identity, N x N, so that workspace for a column-major operand is N x n values. */
enum { N = 64, WIDE = 16 };

static torc_sparse *create_identity(torc_context *context)
{
    uint32_t row_ptr[N + 1], col_idx[N];
    for (uint32_t i = 0; i < N; i++) {
        row_ptr[i] = col_idx[i] = i;
    }
    row_ptr[N] = N;
    torc_csr csr = {N, N, row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false, NULL};
    torc_sparse *A;
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    return A;
}

static torc_dense columns(void *data, int64_t n, torc_order order)
{
    return (torc_dense){N, n, order == TORC_ROW_MAJOR ? n : N, order, TORC_FP64, false, data, NULL};
}

static const torc_semiring copy = {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP64};

Test(memory, workspace_is_reused_and_given_back_when_an_allocation_needs_it)
{
    enum { OPERAND = N * WIDE * sizeof(double), LIMIT = 4 * OPERAND };
    torc_context *context = open_reference(LIMIT);
    torc_sparse *A = create_identity(context);
    void *data, *big;
    cr_assert(torc_memory_allocate(&data, context, 2 * OPERAND) == TORC_SUCCESS);
    torc_dense B = columns(data, WIDE, TORC_COL_MAJOR);
    torc_dense C = columns((char *)data + OPERAND, WIDE, TORC_ROW_MAJOR);
    cr_assert(torc_spmm(&C, copy, A, false, &B, NULL) == TORC_SUCCESS);
    size_t held = torc_reference_bytes_held();
    cr_expect(held >= 3 * OPERAND);
    cr_assert(torc_spmm(&C, copy, A, false, &B, NULL) == TORC_SUCCESS);
    B.ncols = C.ncols = 2;
    cr_assert(torc_spmm(&C, copy, A, false, &B, NULL) == TORC_SUCCESS);
    cr_expect(torc_reference_bytes_held() == held, "workspace grew");

    size_t size = LIMIT - held + OPERAND;
    cr_expect(torc_memory_allocate(&big, context, size) == TORC_SUCCESS);
    cr_expect(torc_reference_bytes_held() == LIMIT);
    torc_memory_release(context, big);
    cr_expect(torc_memory_allocate(&big, context, size + 1) == TORC_OUT_OF_MEMORY);
    torc_memory_release(context, data);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(memory, workspace_of_another_kind_is_no_reason_to_fail)
{
    /* There is room for the row-major copy of B or of C, not for both. */
    enum { OPERAND = N * WIDE * sizeof(double), LIMIT = 7 * OPERAND / 2 };
    torc_context *context = open_reference(LIMIT);
    torc_sparse *A = create_identity(context);
    double host[N * WIDE], back[N * WIDE];
    for (int i = 0; i < N * WIDE; i++) {
        host[i] = i;
    }
    void *from = device_copy(context, host, OPERAND), *to;
    cr_assert(torc_memory_allocate(&to, context, OPERAND) == TORC_SUCCESS);
    for (int turn = 0; turn < 4; turn++) {
        bool is_b = turn % 2 == 0; /* the column-major one */
        torc_dense B = columns(from, WIDE, is_b ? TORC_COL_MAJOR : TORC_ROW_MAJOR);
        torc_dense C = columns(to, WIDE, is_b ? TORC_ROW_MAJOR : TORC_COL_MAJOR);
        cr_assert(torc_spmm(&C, copy, A, false, &B, NULL) == TORC_SUCCESS, "turn %d", turn);
        cr_assert(torc_memory_download(context, back, to, OPERAND) == TORC_SUCCESS);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < WIDE; j++) {
                cr_assert(back[is_b ? i * WIDE + j : j * N + i] == host[is_b ? j * N + i : i * WIDE + j]);
            }
        }
    }
    torc_dense B = columns(from, WIDE, TORC_COL_MAJOR), C = columns(to, WIDE, TORC_COL_MAJOR);
    cr_expect(torc_spmm(&C, copy, A, false, &B, NULL) == TORC_OUT_OF_MEMORY);
    cr_assert(torc_memory_download(context, host, to, OPERAND) == TORC_SUCCESS);
    cr_expect(memcmp(host, back, OPERAND) == 0, "C is touched");
    torc_memory_release(context, from);
    torc_memory_release(context, to);
    torc_sparse_destroy(A);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}
