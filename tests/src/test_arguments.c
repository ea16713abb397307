/* Every status of torc.h that a caller's arguments can provoke, and that nothing is changed by it. */
#include "engine_fixture.h"
#include "reference.h"
#include <stdio.h>
#include <string.h>
#include <torc/exchange.h>

static void expect_told(torc_context *context, const char *words)
{
    const char *told = torc_context_error(context);
    cr_expect(strstr(told, words) && !strchr(told, '\n'), "'%s' has no '%s'", told, words);
}

/* ---- Contexts ----------------------------------------------------------------------------------------- */

Test(arguments, of_a_context)
{
    torc_options options = TORC_OPTIONS_INIT;
    char somewhere;
    torc_context *context = (torc_context *)(void *)&somewhere;
    options.backend = TORC_BACKEND_OFF;
    cr_expect(torc_context_create(&context, &options) == TORC_NO_DEVICE && !context);
    options.backend = (torc_backend_choice)77;
    context = (torc_context *)(void *)&somewhere;
    cr_expect(torc_context_create(&context, &options) == TORC_INVALID_VALUE && !context);
    cr_expect(torc_context_create(NULL, &options) == TORC_NULL_POINTER);
    options.backend = TORC_BACKEND_REFERENCE;
    options.device = -1;
    cr_expect(torc_context_create(&context, &options) == TORC_NO_DEVICE && !context);
    torc_context_destroy(NULL);
}

Test(arguments, of_a_context_without_cuda)
{
    if (torc_executor_cuda()) {
        cr_skip_test("built with CUDA");
    }
    torc_options options = TORC_OPTIONS_INIT;
    torc_context *context;
    cr_expect(torc_context_create(&context, NULL) == TORC_NO_DEVICE && !context);
    options.backend = TORC_BACKEND_CUDA;
    cr_expect(torc_context_create(&context, &options) == TORC_NO_DEVICE && !context);
}

Test(arguments, that_are_null)
{
    torc_context *context = open_reference(0);
    torc_device_info info;
    char byte = 0;
    void *memory;
    cr_expect(torc_context_wait(NULL) == TORC_NULL_POINTER);
    cr_expect(torc_context_info(&info, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_context_info(NULL, context) == TORC_NULL_POINTER);
    expect_told(context, "info is NULL");
    cr_expect(strcmp(torc_context_error(NULL), "") == 0);
    torc_context_defer_kernels(NULL, true);
    cr_expect(torc_context_compile(NULL) == TORC_NULL_POINTER);
    cr_expect(torc_memory_allocate(NULL, context, 1) == TORC_NULL_POINTER);
    expect_told(context, "memory is NULL");
    cr_expect(torc_memory_allocate(&memory, NULL, 1) == TORC_NULL_POINTER);
    cr_expect(torc_memory_upload(NULL, &byte, &byte, 1) == TORC_NULL_POINTER);
    cr_expect(torc_memory_upload(context, NULL, &byte, 1) == TORC_NULL_POINTER);
    expect_told(context, "device is NULL");
    cr_expect(torc_memory_upload(context, &byte, NULL, 1) == TORC_NULL_POINTER);
    expect_told(context, "host is NULL");
    cr_expect(torc_memory_upload(context, NULL, NULL, 0) == TORC_SUCCESS);
    cr_expect(torc_memory_download(NULL, &byte, &byte, 1) == TORC_NULL_POINTER);
    cr_expect(torc_memory_download(context, NULL, &byte, 1) == TORC_NULL_POINTER);
    expect_told(context, "host is NULL");
    cr_expect(torc_memory_download(context, &byte, NULL, 1) == TORC_NULL_POINTER);
    expect_told(context, "device is NULL");
    cr_expect(torc_memory_download(context, NULL, NULL, 0) == TORC_SUCCESS);
    torc_memory_release(context, NULL);
    torc_memory_release(NULL, NULL);
    torc_context_destroy(context);
}

/* ---- Sparse operands ---------------------------------------------------------------------------------- */

static const uint32_t row_ptr[] = {0, 1, 3}, col_idx[] = {0, 1, 2};
static const float values[] = {1, 2, 3};
static const torc_csr good_csr = {2, 3, row_ptr, col_idx, values, 32, 32, TORC_FP32, false, NULL};

static void expect_refused(
    torc_context *context, const torc_csr *csr, torc_status expected, const char *words, const char *what)
{
    char somewhere;
    torc_sparse *A = (torc_sparse *)(void *)&somewhere;
    torc_status status = torc_sparse_create(&A, context, csr);
    cr_expect(status == expected && !A, "%s: %s", what, torc_status_text(status));
    expect_told(context, words);
    char message[192];
    cr_expect(torc_csr_check(message, sizeof message, csr) == expected, "%s", what);
    cr_expect_str_eq(message, torc_context_error(context));
}

Test(arguments, of_an_exchange_between_processes)
{
    torc_context *context = open_reference(0);
    torc_exchange_identity identity;
    torc_exchange_unique_id id = {{0}};
    torc_exchange_stage stage;
    char somewhere;
    torc_exchange *exchange = (torc_exchange *)(void *)&somewhere;
    cr_expect(torc_exchange_identify(&identity, context) == TORC_UNSUPPORTED);
    expect_told(context, "the reference executor has no exchange between processes");
    cr_expect(torc_exchange_make_unique_id(&id, context) == TORC_UNSUPPORTED);
    cr_expect(torc_exchange_create(&exchange, context, &id, 0, 2) == TORC_UNSUPPORTED && !exchange);
    cr_expect(torc_exchange_create(&exchange, context, &id, 2, 2) == TORC_INVALID_VALUE && !exchange);
    expect_told(context, "process 2 of 2");
    cr_expect(torc_exchange_identify(NULL, context) == TORC_NULL_POINTER);
    expect_told(context, "identity is NULL");
    cr_expect(torc_exchange_make_unique_id(NULL, context) == TORC_NULL_POINTER);
    expect_told(context, "id is NULL");
    cr_expect(torc_exchange_create(NULL, context, &id, 0, 2) == TORC_NULL_POINTER);
    expect_told(context, "exchange is NULL");
    cr_expect(torc_exchange_make_unique_id(&id, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_create(&exchange, context, NULL, 0, 2) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_progress(&stage, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_move(NULL, 0, NULL, 0) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_await(NULL, 0) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_turn_bytes(NULL, false) == 0 && torc_exchange_turn_bytes(NULL, true) == 0);
    torc_exchange_memory_handle handle = {{0}};
    void *memory;
    cr_expect(torc_exchange_allocate(&memory, &handle, context, 1) == TORC_UNSUPPORTED && !memory);
    expect_told(context, "the reference executor has no exchange between processes");
    cr_expect(torc_exchange_allocate(&memory, NULL, context, 1) == TORC_NULL_POINTER);
    expect_told(context, "handle is NULL");
    cr_expect(torc_exchange_map(&memory, context, &handle) == TORC_UNSUPPORTED && !memory);
    cr_expect(torc_exchange_map(NULL, context, &handle) == TORC_NULL_POINTER);
    expect_told(context, "mapped is NULL");
    torc_exchange_events events = {{0}};
    cr_expect(torc_exchange_export_events(&events, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_import_events(NULL, 0, &events) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_ready(NULL) == TORC_NULL_POINTER);
    cr_expect(torc_exchange_write(NULL, 0, NULL, 0) == TORC_NULL_POINTER);
    torc_exchange_unmap(context, NULL);
    torc_exchange_destroy(NULL, true);
    torc_context_destroy(context);
}

Test(arguments, of_a_sparse_operand)
{
    torc_context *context = open_reference(0);
    torc_statistics statistics;
    torc_sparse *A;
    uint8_t present[2];
    cr_expect(torc_sparse_create(NULL, context, &good_csr) == TORC_NULL_POINTER);
    cr_expect(torc_sparse_create(&A, NULL, &good_csr) == TORC_NULL_POINTER);
    cr_expect(torc_sparse_create(&A, context, NULL) == TORC_NULL_POINTER);
    expect_told(context, "csr is NULL");

#define EXPECT(STATUS, FIELD, X, WORDS)                                                                      \
    do {                                                                                                     \
        torc_csr csr = good_csr;                                                                             \
        csr.FIELD = X;                                                                                       \
        expect_refused(context, &csr, TORC_##STATUS, WORDS, #FIELD " = " #X);                                \
    } while (0)
    EXPECT(NULL_POINTER, row_ptr, NULL, "csr.row_ptr is NULL");
    EXPECT(NULL_POINTER, col_idx, NULL, "csr.col_idx is NULL, and csr.row_ptr tells of 3 entries");
    EXPECT(INVALID_VALUE, nrows, -1, "csr.nrows is -1");
    EXPECT(INVALID_VALUE, ncols, -1, "csr.ncols is -1");
    EXPECT(INVALID_VALUE, row_ptr_bits, 16, "csr.row_ptr_bits is 16, neither 32 nor 64");
    EXPECT(INVALID_VALUE, col_idx_bits, 0, "csr.col_idx_bits is 0");
    EXPECT(INVALID_VALUE, type, TORC_TYPE_COUNT, "csr.type is 13");
    EXPECT(UNSUPPORTED, nrows, INT64_C(4294967296), "csr.nrows is 4294967296");
    EXPECT(UNSUPPORTED, ncols, INT64_C(4294967296), "csr.ncols is 4294967296");
#undef EXPECT

    cr_assert(torc_sparse_create(&A, context, &good_csr) == TORC_SUCCESS);
    cr_expect(torc_sparse_statistics(NULL, A, false) == TORC_NULL_POINTER);
    cr_expect(torc_sparse_statistics(&statistics, NULL, false) == TORC_NULL_POINTER);
    cr_expect(torc_sparse_row_presence(NULL, A, false) == TORC_NULL_POINTER);
    cr_expect(torc_sparse_row_presence(present, NULL, false) == TORC_NULL_POINTER);
    torc_sparse_destroy(A);
    torc_sparse_destroy(NULL);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(arguments, of_a_sparse_operand_without_entries)
{
    static const uint32_t no_entries[] = {0, 0, 0};
    static const torc_csr shapes[] = {
        {2, 3, no_entries, NULL, NULL, 32, 64, TORC_FP32, false, NULL},
        {2, 3, no_entries, NULL, values, 32, 32, TORC_FP32, false, NULL},
        {2, 3, no_entries, NULL, values, 32, 32, TORC_FP32, true, NULL},
        {0, 3, no_entries, NULL, NULL, 32, 32, TORC_BOOL, false, NULL},
        {2, 0, no_entries, NULL, NULL, 32, 32, TORC_BOOL, false, NULL},
        {0, 0, no_entries, NULL, NULL, 32, 32, TORC_BOOL, false, NULL},
        {1, INT64_C(4294967295), row_ptr, col_idx, NULL, 32, 32, TORC_BOOL, false,
            NULL}, /* one entry, and wide */
    };
    torc_context *context = open_reference(0);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        torc_sparse *A;
        cr_assert(torc_sparse_create(&A, context, &shapes[i]) == TORC_SUCCESS, "shape %zu", i);
        torc_sparse_destroy(A);
    }
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

/* ---- Multiplication ----------------------------------------------------------------------------------- */

/* A is 2 x 3, or its transpose is; a good call, of which a test spoils one thing. */
typedef struct spmm_call {
    torc_semiring semiring;
    torc_dense C, B;
    bool transpose;
    bool is_pattern;
} spmm_call;

static const spmm_call good_call = {
    .semiring = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP32},
    .C = {2, 4, 4, TORC_ROW_MAJOR, TORC_FP32, false, NULL},
    .B = {3, 4, 4, TORC_ROW_MAJOR, TORC_FP32, false, NULL},
};

enum { ROOM = 256 };

static char told[192]; /* of the last call */

static torc_status run_call(torc_context *context, spmm_call call, bool has_b, bool has_c)
{
    torc_csr csr = good_csr;
    csr.values = call.is_pattern ? NULL : values;
    torc_sparse *A;
    char fill[ROOM], back[ROOM];
    memset(fill, 0x5A, ROOM);
    cr_assert(torc_sparse_create(&A, context, &csr) == TORC_SUCCESS);
    void *b = device_copy(context, fill, ROOM), *c = device_copy(context, fill, ROOM);
    call.B.data = has_b ? b : NULL;
    call.C.data = has_c ? c : NULL;
    torc_status status = torc_spmm(&call.C, call.semiring, A, call.transpose, &call.B, NULL);
    snprintf(told, sizeof told, "%s", torc_context_error(context));
    cr_assert(torc_memory_download(context, back, c, ROOM) == TORC_SUCCESS);
    cr_expect(status == TORC_SUCCESS || memcmp(fill, back, ROOM) == 0, "C is touched");
    torc_memory_release(context, b);
    torc_memory_release(context, c);
    torc_sparse_destroy(A);
    return status;
}

#define EXPECT(STATUS, FIELD, X, WORDS)                                                                      \
    do {                                                                                                     \
        spmm_call call = good_call;                                                                          \
        call.FIELD = X;                                                                                      \
        torc_status status = run_call(context, call, true, true);                                            \
        cr_expect(status == TORC_##STATUS, #FIELD " = " #X ": %s", torc_status_text(status));                \
        cr_expect(strstr(told, WORDS), #FIELD " = " #X ": '%s' has no '%s'", told, WORDS);                   \
    } while (0)

Test(arguments, of_a_multiplication)
{
    torc_context *context = open_reference(0);
    EXPECT(SUCCESS, C.ld, 5, "");
    EXPECT(SUCCESS, B.ld, 5, "");

    EXPECT(UNSUPPORTED, semiring.type, TORC_BOOL, "no semiring plus_times on bool");
    EXPECT(UNSUPPORTED, semiring.add, TORC_LOR_MONOID, "no semiring lor_times on fp32");
    EXPECT(UNSUPPORTED, semiring.multiply, TORC_BOR, "no semiring plus_bor on fp32");
    EXPECT(UNSUPPORTED, semiring.multiply, TORC_MULTIPLY_COUNT, "no semiring plus_unknown");

    EXPECT(DIMENSION_MISMATCH, C.nrows, 3, "C is 3 x 4, A 2 x 3, B 3 x 4");
    EXPECT(DIMENSION_MISMATCH, C.ncols, 3, "C is 2 x 3");
    EXPECT(DIMENSION_MISMATCH, B.nrows, 2, "B 2 x 4");
    EXPECT(DIMENSION_MISMATCH, B.ncols, 3, "B 3 x 3");
    EXPECT(DIMENSION_MISMATCH, transpose, true, "the transpose of A 3 x 2");

    EXPECT(INVALID_VALUE, C.ld, 3, "C, 2 x 4, has a leading dimension of 3");
    EXPECT(INVALID_VALUE, B.ld, 3, "B, 3 x 4, has a leading dimension of 3");
    EXPECT(INVALID_VALUE, C.ld, -4, "a leading dimension of -4");
    EXPECT(INVALID_VALUE, C.ld, INT64_MAX / 4, "a leading dimension of 2305843009213693951");
    EXPECT(INVALID_VALUE, B.ld, INT64_MAX, "a leading dimension of 9223372036854775807");
    EXPECT(INVALID_VALUE, C.order, TORC_COL_MAJOR + 1, "C has order 2");
    EXPECT(INVALID_VALUE, B.order, -1, "B has order -1");
    EXPECT(INVALID_VALUE, C.iso, true, "C.iso");
    EXPECT(INVALID_VALUE, C.type, TORC_FP64, "C.type is fp64, and the semiring gives fp32");
    EXPECT(INVALID_VALUE, B.type, TORC_TYPE_COUNT, "B.type is 13");
    EXPECT(INVALID_VALUE, is_pattern, true, "A has no values, and times reads them");

    spmm_call call = good_call; /* what has no array is laid out somehow, too */
    call.B.iso = true;
    cr_expect(run_call(context, call, true, true) == TORC_SUCCESS);
    call.B.order = TORC_COL_MAJOR + 1;
    cr_expect(run_call(context, call, true, true) == TORC_INVALID_VALUE);
    call.B.iso = false;
    call.semiring.multiply = TORC_FIRST;
    cr_expect(run_call(context, call, false, true) == TORC_INVALID_VALUE);
    cr_expect(strstr(told, "B has order 2"), "%s", told);
    torc_context_destroy(context);
    cr_expect(torc_reference_bytes_held() == 0);
}

Test(arguments, of_a_multiplication_in_column_major_order)
{
    torc_context *context = open_reference(0);
    spmm_call call = good_call;
    call.C.order = call.B.order = TORC_COL_MAJOR;
    call.C.ld = 2;
    call.B.ld = 3;
    cr_expect(run_call(context, call, true, true) == TORC_SUCCESS);
    call.C.ld = 1;
    cr_expect(run_call(context, call, true, true) == TORC_INVALID_VALUE);
    call.C.ld = 2;
    call.B.ld = 2;
    cr_expect(run_call(context, call, true, true) == TORC_INVALID_VALUE);
    torc_context_destroy(context);
}

Test(arguments, of_a_multiplication_whose_kernel_is_deferred)
{
    torc_context *context = open_reference(0);
    torc_reference_lack_kernel();
    cr_expect(run_call(context, good_call, true, true) == TORC_SUCCESS, "it waits unless told");
    torc_context_defer_kernels(context, true);
    cr_expect(run_call(context, good_call, true, true) == TORC_NOT_COMPILED);
    cr_expect(torc_context_compile(context) == TORC_SUCCESS);
    cr_expect(run_call(context, good_call, true, true) == TORC_SUCCESS);
    torc_context_destroy(context);
}

Test(arguments, of_a_multiplication_with_negative_columns)
{
    torc_context *context = open_reference(0);
    spmm_call call = good_call;
    call.C.ncols = call.B.ncols = -1;
    cr_expect(run_call(context, call, true, true) == TORC_INVALID_VALUE);
    torc_context_destroy(context);
}

Test(arguments, of_a_multiplication_that_are_null)
{
    torc_context *context = open_reference(0);
    torc_sparse *A;
    cr_expect(run_call(context, good_call, false, true) == TORC_NULL_POINTER);
    cr_expect(run_call(context, good_call, true, false) == TORC_NULL_POINTER);
    spmm_call iso = good_call;
    iso.B.iso = true;
    cr_expect(run_call(context, iso, false, true) == TORC_NULL_POINTER);

    cr_assert(torc_sparse_create(&A, context, &good_csr) == TORC_SUCCESS);
    cr_expect(torc_spmm(NULL, good_call.semiring, A, false, &good_call.B, NULL) == TORC_NULL_POINTER);
    expect_told(context, "C is NULL");
    cr_expect(
        torc_spmm(&good_call.C, good_call.semiring, NULL, false, &good_call.B, NULL) == TORC_NULL_POINTER);
    cr_expect(torc_spmm(&good_call.C, good_call.semiring, A, false, NULL, NULL) == TORC_NULL_POINTER);
    expect_told(context, "B is NULL");
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

/* ---- What a matrix holds ------------------------------------------------------------------------------ */

static void expect_content(const torc_csr *csr, torc_status expected, const char *words)
{
    char message[192];
    torc_status status = torc_csr_check(message, sizeof message, csr);
    cr_expect(status == expected && strstr(message, words), "%s: '%s' has no '%s'", torc_status_text(status),
        message, words);
    cr_expect(status != TORC_SUCCESS || message[0] == '\0');
    cr_expect(torc_csr_check(NULL, 0, csr) == expected);
    char few[5];
    torc_csr_check(few, sizeof few, csr);
    cr_expect(strncmp(few, message, 4) == 0 && strlen(few) <= 4);
}

Test(content, of_a_csr_matrix_is_checked_up_to_the_last_entry)
{
    static const uint32_t falling[] = {0, 3, 2}, late[] = {1, 2, 3}, past[] = {0, 1, 3};
    static const int64_t negative[] = {0, 4, -1, 4}, wide_good[] = {0, 0, 4, 4},
                         negative_end[] = {0, 1, 2, -5};
    static const uint32_t columns[] = {0, 2, 1, 0}, beyond[] = {0, 1, 3, 0};
    static const int64_t negative_column[] = {0, 1, -2, 0};
    const torc_csr shape = {2, 3, past, columns, NULL, 32, 32, TORC_FP32, false, NULL};
    expect_content(&shape, TORC_SUCCESS, "");
    torc_csr csr = shape;
    csr.row_ptr = falling;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.row_ptr[2] is 2, less than the 3 before it");
    csr.row_ptr = late;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.row_ptr[0] is 1, not 0");
    csr = shape;
    csr.col_idx = beyond;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.col_idx[2] is 3, and there are 3 columns");
    csr = (torc_csr){3, 3, wide_good, columns, NULL, 64, 32, TORC_FP32, false, NULL};
    expect_content(&csr, TORC_SUCCESS, "");
    csr.row_ptr = negative;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.row_ptr[2] is -1");
    csr.row_ptr = negative_end;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.row_ptr[3] is -5");
    csr.row_ptr = wide_good;
    csr.col_idx = negative_column;
    csr.col_idx_bits = 64;
    expect_content(&csr, TORC_INVALID_VALUE, "csr.col_idx[2] is -2");
}

/* ---- What is told ------------------------------------------------------------------------------------- */

/* In host memory, by rows, and of an update. */
Test(told, is_what_is_wrong_with_the_last_wrong_call)
{
    torc_context *context = open_reference(0);
    torc_sparse *A;
    float b[12] = {0}, c[8] = {0};
    uint8_t mask[8] = {0};
    torc_dense B = good_call.B, C = good_call.C;
    B.data = b;
    C.data = c;
    cr_assert(torc_sparse_create(&A, context, &good_csr) == TORC_SUCCESS);
    torc_semiring semiring = good_call.semiring;
    const struct {
        torc_update update;
        const char *words;
    } updates[] = {
        {{.complement = true}, "a complement without mask"},
        {{.mask = mask, .replace = true}, "a mask with replace, and a result without bitmap"},
        {{.has_accum = true, .accum = TORC_EQ}, "the accumulator eq is no operator on fp32 that gives fp32"},
        {{.has_accum = true, .accum = TORC_BOR}, "the accumulator bor"},
    };
    for (size_t i = 0; i < sizeof updates / sizeof updates[0]; i++) {
        cr_expect(torc_spmm(&C, semiring, A, false, &B, &updates[i].update) != TORC_SUCCESS);
        expect_told(context, updates[i].words);
    }
    torc_host_options copied = {.b_copy.is_filled = true}, old = {.old = &good_call.C};
    torc_update accumulated = {.has_accum = true, .accum = TORC_PLUS};
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, NULL, &copied) == TORC_INVALID_VALUE);
    expect_told(context, "b_copy has other arrays");
    cr_expect(torc_spmm_host(&C, semiring, A, false, &B, &accumulated, &old) == TORC_NULL_POINTER);
    expect_told(context, "old.data is NULL");
    torc_csr csr = good_csr;
    csr.row_ptr_bits = 8;
    cr_expect(torc_spmm_by_rows(&C, semiring, context, &csr, &B, NULL, NULL) == TORC_INVALID_VALUE);
    expect_told(context, "csr.row_ptr_bits is 8");
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}
