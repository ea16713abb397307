/* test_device_stream.c: lines that travel beside the work, from and to pinned and other memory, in every odd
 * shape; and whole products in host memory beside the reference, with panels in flight. */
#include "cuda_device.h"
#include "gpu.h"
#include "host_product.h"
#include "ugly_csr.h"
#include <stdlib.h>
#include <string.h>

static void *allocate_pinned(size_t size)
{
    void *memory = NULL;
    cr_assert_eq(cudaHostAlloc(&memory, size + 1, cudaHostAllocDefault), cudaSuccess);
    return memory;
}

static void release_pinned(void *memory)
{
    cudaFreeHost(memory);
}

enum { PIECE = 4096 };

static size_t whole_pieces(size_t size)
{
    return (size + PIECE - 1) / PIECE * PIECE;
}

/* The first page is pinned and so are the last ones, each for itself; what is between is not. The size stands
 * in the page before. */
static void *allocate_holed(size_t size)
{
    size_t all = whole_pieces(size + 1);
    char *memory = aligned_alloc(PIECE, PIECE + all);
    cr_assert_not_null(memory);
    memcpy(memory, &all, sizeof all);
    memory += PIECE;
    cr_assert_eq(cudaHostRegister(memory, PIECE, cudaHostRegisterDefault), cudaSuccess);
    if (all > 2 * PIECE) {
        cr_assert_eq(
            cudaHostRegister(memory + all - 2 * PIECE, 2 * PIECE, cudaHostRegisterDefault), cudaSuccess);
    }
    return memory;
}

static void release_holed(void *holed)
{
    char *memory = holed;
    size_t all;
    if (!memory) {
        return;
    }
    memcpy(&all, memory - PIECE, sizeof all);
    cudaHostUnregister(memory);
    if (all > 2 * PIECE) {
        cudaHostUnregister(memory + all - 2 * PIECE);
    }
    free(memory - PIECE);
}

static const host_memory_kind kinds[] = {
    {malloc, free}, {allocate_pinned, release_pinned}, {allocate_holed, release_holed}};
static const char *const kind_names[] = {"heap", "pinned", "pinned at its ends"};
enum { KINDS = 3 };

/* ---- Lines -------------------------------------------------------------------------------------------- */

typedef struct lines_case {
    size_t width, height, host_pitch, device_pitch, offset;
    size_t chosen; /* every so many lines matter; 0: all do */
} lines_case;

static const lines_case cases[] = {
    {1, 1, 1, 1, 3, 0},
    {3, 1000, 3, 3, 3, 0},
    {255, 777, 256, 300, 3, 0},
    {256, 40000, 512, 256, 3, 0},
    {64, 300000, 64, 512, 3, 0},
    {4097, 9000, 5000, 4097, 3, 0},
    {TORC_CHUNK_SIZE - 1, 3, TORC_CHUNK_SIZE, TORC_CHUNK_SIZE + 1, 3, 0},
    {TORC_CHUNK_SIZE, 6, TORC_CHUNK_SIZE, TORC_CHUNK_SIZE, 3, 0},
    {TORC_CHUNK_SIZE + 5, 3, TORC_CHUNK_SIZE + 7, TORC_CHUNK_SIZE + 6, 3, 0},
    {0, 10, 5, 5, 3, 0},
    {10, 0, 10, 10, 3, 0},
    {128, 30001, 512, 128, 16, 0},
    {100, 30001, 400, 104, 4, 0},
    {512, 10007, 512, 512, 16, 3},
    {1000, 5003, 1000, 1008, 8, 2},
    {68, 70001, 404, 72, 4, 7},
    {129, 30001, 257, 130, 1, 5},
};
enum { CASES = sizeof cases / sizeof cases[0], FILL = 0xEE, SET = 1 };

static size_t span(const lines_case *c, size_t pitch)
{
    return c->height * pitch + c->width + c->offset;
}

static bool matters(const lines_case *c, size_t line)
{
    return c->chosen == 0 || line % c->chosen == 0;
}

/* The lines that matter, on the device; NULL if all do. */
static uint32_t *new_choice(torc_device *device, const lines_case *c, size_t *count)
{
    uint32_t *numbers = malloc((c->height + 1) * sizeof *numbers);
    void *chosen = NULL;
    *count = 0;
    for (size_t i = 0; i < c->height; i++) {
        numbers[*count] = (uint32_t)i;
        *count += matters(c, i);
    }
    if (c->chosen) {
        size_t size = *count * sizeof *numbers;
        TORC_GPU_TRY(device, torc_executor_cuda()->allocate(&chosen, device, size));
        TORC_GPU_TRY(device, torc_executor_cuda()->upload(device, chosen, numbers, size));
    }
    free(numbers);
    return chosen;
}

/* Bytes of lines that differ, and bytes between them that were written. */
static size_t count_faults(const lines_case *c, const char *sent, const char *received)
{
    size_t faults = 0;
    for (size_t i = 0; i < c->height; i++) {
        const char *line = received + i * c->host_pitch;
        faults += matters(c, i) && memcmp(line, sent + i * c->host_pitch, c->width) != 0;
        for (size_t b = c->width; b < c->host_pitch; b++) {
            faults += (unsigned char)line[b] != FILL;
        }
    }
    return faults;
}

/* What is fetched waits for the work alone, and that for what is sent. */
static void fence_all(torc_device *device)
{
    TORC_GPU_TRY(device, torc_executor_cuda()->fence(device, true));
    TORC_GPU_TRY(device, torc_executor_cuda()->fence(device, true));
}

static void check_lines(torc_device *device, const lines_case *c, const host_memory_kind *kind)
{
    const torc_executor *cuda = torc_executor_cuda();
    uint64_t state = c->width;
    size_t host_bytes = span(c, c->host_pitch), device_bytes = span(c, c->device_pitch);
    char *sent = kind->allocate(host_bytes), *received = kind->allocate(host_bytes);
    void *memory;
    for (size_t b = 0; b < host_bytes; b++) {
        sent[b] = (char)torc_random(&state, 256);
    }
    memset(received, FILL, host_bytes);
    TORC_GPU_TRY(device, cuda->allocate(&memory, device, device_bytes));
    char *there = (char *)memory + c->offset;
    size_t nchosen;
    uint32_t *chosen = new_choice(device, c, &nchosen);
    torc_lines in = {
        there, sent + c->offset, c->device_pitch, c->host_pitch, c->width, c->height, chosen, nchosen, 1};
    torc_lines out = {
        received + c->offset, there, c->host_pitch, c->device_pitch, c->width, c->height, chosen, nchosen, 1};
    TORC_GPU_TRY(device, cuda->send(device, &in));
    fence_all(device);
    TORC_GPU_TRY(device, cuda->fetch(device, &out));
    TORC_GPU_TRY(device, cuda->wait(device));
    size_t faults = count_faults(c, sent + c->offset, received + c->offset);
    cr_expect_eq(faults, 0, "%zu lines of %zu bytes: %zu faults", c->height, c->width, faults);

    TORC_GPU_TRY(device, cuda->fence(device, true));
    TORC_GPU_TRY(device, cuda->set(device, &in, SET));
    fence_all(device);
    memset(received, FILL, host_bytes);
    memset(sent, SET, host_bytes);
    TORC_GPU_TRY(device, cuda->fetch(device, &out));
    TORC_GPU_TRY(device, cuda->wait(device));
    faults = count_faults(c, sent + c->offset, received + c->offset);
    cr_expect_eq(faults, 0, "%zu lines of %zu bytes set: %zu faults", c->height, c->width, faults);
    cuda->release(device, memory);
    cuda->release(device, chosen);
    kind->release(sent);
    kind->release(received);
}

Test(device_stream, lines_of_every_shape_arrive_whole)
{
    torc_device *device = torc_gpu_open(0);
    for (int i = 0; i < CASES; i++) {
        for (int kind = 0; kind < KINDS; kind++) {
            check_lines(device, &cases[i], &kinds[kind]);
        }
    }
    torc_executor_cuda()->close(device);
}

/* Copies in order with the work, from and to pinned memory. */
Test(device_stream, ordered_copies_of_pinned_memory_are_done_on_return)
{
    const torc_executor *cuda = torc_executor_cuda();
    torc_device *device = torc_gpu_open(0);
    const size_t size = ((size_t)64 << 20) + 7;
    unsigned char *sent = allocate_pinned(size), *received = allocate_pinned(size);
    void *memory;
    TORC_GPU_TRY(device, cuda->allocate(&memory, device, size));
    memset(sent, 1, size);
    TORC_GPU_TRY(device, cuda->upload(device, memory, sent, size));
    memset(sent, 2, size); /* may be reused */
    TORC_GPU_TRY(device, cuda->download(device, received, memory, size));
    size_t differences = 0;
    for (size_t b = 0; b < size; b++) {
        differences += received[b] != 1;
    }
    cr_expect_eq(differences, 0);
    cuda->release(device, memory);
    release_pinned(sent);
    release_pinned(received);
    cuda->close(device);
}

/* ---- Products ----------------------------------------------------------------------------------------- */

static torc_context *open_gpu(size_t limit)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.memory_limit = limit;
    return torc_gpu_context(&options);
}

static void check_product(torc_context *context, host_product *p, const char *how)
{
    torc_sparse *A;
    torc_host_options options = {.old = p->old.data == p->C.data ? NULL : &p->old};
    cr_assert_eq(torc_sparse_create(&A, context, &p->A), TORC_SUCCESS);
    torc_status status = torc_spmm_host(&p->C, p->semiring, A, p->transpose, &p->B, &p->update, &options);
    cr_assert_eq(
        status, TORC_SUCCESS, "%s, %s: %s", how, torc_context_error(context), host_product_describe(p));
    const char *difference = host_product_difference(p);
    cr_assert_null(difference, "%s, %s: %s", how, difference, host_product_describe(p));
    host_product_reset(p);
    torc_sparse_destroy(A);
}

/* In several panels each; with a limit, in more. */
Test(device_stream, products_in_host_memory_are_what_the_reference_makes)
{
    torc_context *unlimited = open_gpu(0), *limited = open_gpu((size_t)8 << 20);
    for (uint64_t seed = 1; seed <= 24; seed++) {
        for (int kind = 0; kind < KINDS; kind++) {
            host_product *p = host_product_new(seed, 12000, 11000, 190, &kinds[kind]);
            check_product(unlimited, p, kind_names[kind]);
            check_product(unlimited, p, kind_names[kind]); /* buffers are there */
            if (!p->transpose) {                           /* the transpose of A takes what it takes */
                check_product(limited, p, "limited");
            }
            host_product_free(p);
        }
    }
    torc_context_destroy(limited);
    torc_context_destroy(unlimited);
}

/* Also where a part of a row is too short to be fetched by itself, and GPUs exchange before they fetch. */
Test(device_stream, products_in_host_memory_are_the_same_on_two_gpus)
{
    static const int64_t columns[] = {190, 24, 40, 56, 8, 100};
    torc_context *joined = torc_gpu_joined_context();
    for (uint64_t seed = 1; seed <= 48; seed++) {
        int kind = (int)(seed % KINDS);
        host_product *p = host_product_new(seed, 12000, 11000, columns[seed / 3 % 6], &kinds[kind]);
        check_product(joined, p, kind_names[kind]);
        check_product(joined, p, kind_names[kind]);
        host_product_free(p);
    }
    torc_context_destroy(joined);
}

/* Sums of floats from `kind` of memory, with device arrays for all of B and C or without. */
static float *sums(torc_context *context, torc_sparse *A, int64_t m, int64_t k, int64_t n,
    const host_memory_kind *kind, bool has_copies)
{
    uint64_t state = 7;
    size_t b_bytes = (size_t)(k * n) * sizeof(float), c_bytes = (size_t)(m * n) * sizeof(float);
    float *b = kind->allocate(b_bytes), *c = kind->allocate(c_bytes), *result = malloc(c_bytes);
    for (int64_t p = 0; p < k * n; p++) {
        b[p] = 1 / (float)(1 + torc_random(&state, 1000));
    }
    torc_host_options options = {0};
    if (has_copies) {
        cr_assert_eq(torc_memory_allocate(&options.b_copy.data, context, b_bytes), TORC_SUCCESS);
        cr_assert_eq(torc_memory_allocate(&options.c_copy.data, context, c_bytes), TORC_SUCCESS);
    }
    torc_dense B = {k, n, n, TORC_ROW_MAJOR, TORC_FP32, false, b, NULL};
    torc_dense C = {m, n, n, TORC_ROW_MAJOR, TORC_FP32, false, c, NULL};
    torc_semiring semiring = {TORC_PLUS_MONOID, TORC_SECOND, TORC_FP32};
    torc_status status = torc_spmm_host(&C, semiring, A, false, &B, NULL, &options);
    cr_assert_eq(status, TORC_SUCCESS, "%s", torc_context_error(context));
    memcpy(result, c, c_bytes);
    torc_memory_release(context, options.b_copy.data);
    torc_memory_release(context, options.c_copy.data);
    kind->release(b);
    kind->release(c);
    return result;
}

Test(device_stream, sums_have_the_same_bits_whatever_is_pinned_or_kept)
{
    enum { ROWS = 20000, MOST = 40 };
    static const int64_t widths[] = {1, 3, 64, 190, 257};
    static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * MOST + 5000];
    uint64_t state = 5;
    for (int64_t i = 0; i < ROWS; i++) {
        uint32_t count = i == 77 ? 5000 : (uint32_t)torc_random(&state, MOST);
        uint32_t step = ROWS / (count + 1);
        for (uint32_t e = 0; e < count; e++) {
            col_idx[row_ptr[i] + e] = step * e;
        }
        row_ptr[i + 1] = row_ptr[i] + count;
    }
    torc_csr csr = {ROWS, ROWS, row_ptr, col_idx, NULL, 32, 32, TORC_FP32, false, NULL};
    torc_context *context = open_gpu(0);
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &csr), TORC_SUCCESS);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        int64_t n = widths[i];
        float *first = sums(context, A, ROWS, ROWS, n, &kinds[0], false);
        for (int variant = 1; variant < 4; variant++) {
            float *other = sums(context, A, ROWS, ROWS, n, &kinds[variant & 1], variant & 2);
            int differs = memcmp(first, other, (size_t)(ROWS * n) * sizeof *first) != 0;
            cr_expect(!differs, "%ld columns, %s memory%s", n, kind_names[variant & 1],
                variant & 2 ? ", copies" : "");
            free(other);
        }
        free(first);
    }
    torc_sparse_destroy(A);
    torc_context_destroy(context);
}

Test(device_stream, rows_of_a_matrix_that_does_not_fit_pass_by)
{
    torc_context *context = open_gpu((size_t)1 << 20);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        host_product *p = host_product_new(seed, 60000, 9000, 20, &kinds[seed % KINDS]);
        if (!p->transpose) {
            torc_status status = torc_spmm_by_rows(&p->C, p->semiring, context, &p->A, &p->B, &p->update,
                p->old.data == p->C.data ? NULL : &p->old);
            cr_assert_eq(
                status, TORC_SUCCESS, "%s: %s", torc_context_error(context), host_product_describe(p));
            const char *difference = host_product_difference(p);
            cr_assert_null(difference, "%s: %s", difference, host_product_describe(p));
        }
        host_product_free(p);
    }
    torc_context_destroy(context);
}
