/* test_device_user.c: user-defined semirings on the GPU beside the reference executor, bit for bit, on every
 * ugly pattern, bitmaps and masks among them; and what a first and a later use of one cost. */
#include "engine_fixture.h"
#include "gpu.h"
#include "seconds_now.h"
#include "splitmix.h"
#include "ugly_csr.h"
#include "user_semirings.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static torc_context *open_gpu(const char *cache_dir)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.cache_dir = cache_dir;
    return torc_gpu_context(&options);
}

typedef struct problem {
    const torc_user_case *c;
    torc_csr csr;
    const void *b;
    int64_t width;
    bool transpose, b_iso;
    torc_order b_order, c_order;
    const uint8_t *bytes; /* B's bitmap, C's old one and a mask; NULL: none of them */
} problem;

/* C of the context, in memory of the host, and its bitmap, if it has one and `present` is not NULL. */
static void *multiply(torc_context *context, const problem *p, uint8_t *present)
{
    int64_t m = p->transpose ? p->csr.ncols : p->csr.nrows, k = p->transpose ? p->csr.nrows : p->csr.ncols;
    torc_type z_type = torc_semiring_traits(p->c->semiring).z_type;
    size_t b_size = (size_t)(k * p->width) * torc_type_size(p->c->b_type);
    size_t c_size = (size_t)(m * p->width) * torc_type_size(z_type);
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, context, &p->csr), TORC_SUCCESS);
    void *c = calloc(1, c_size);
    torc_dense B = {k, p->width, p->b_order == TORC_ROW_MAJOR ? p->width : k, p->b_order, p->c->b_type,
        p->b_iso, device_copy(context, p->b, b_size)};
    torc_dense C = {m, p->width, p->c_order == TORC_ROW_MAJOR ? p->width : m, p->c_order, z_type, false,
        device_copy(context, c, c_size)};
    size_t cells = (size_t)(m * p->width);
    void *mask = NULL;
    if (p->bytes) {
        B.bitmap = device_copy(context, p->bytes, (size_t)(k * p->width));
        C.bitmap = device_copy(context, p->bytes + 1, cells);
        mask = device_copy(context, p->bytes + 2, cells);
    }
    torc_update update = {.mask = mask};
    torc_status status = torc_spmm(&C, p->c->semiring, A, p->transpose, &B, &update);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s: %s", p->c->name, torc_status_text(status),
        torc_context_error(context));
    cr_assert_eq(torc_memory_download(context, c, C.data, c_size), TORC_SUCCESS, "%s: %s", p->c->name,
        torc_context_error(context));
    if (C.bitmap) {
        cr_assert_eq(torc_memory_download(context, present, C.bitmap, cells), TORC_SUCCESS);
    }
    void *memory[] = {B.data, B.bitmap, C.data, C.bitmap, mask};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        torc_memory_release(context, memory[i]);
    }
    torc_sparse_destroy(A);
    return c;
}

static void compare(torc_context *gpu, torc_context *reference, const problem *p, const char *pattern)
{
    int64_t m = p->transpose ? p->csr.ncols : p->csr.nrows;
    size_t size = torc_type_size(torc_semiring_traits(p->c->semiring).z_type);
    size_t cells = (size_t)(m * p->width);
    uint8_t *is_there = malloc(2 * cells + 1), *should_be = is_there + cells;
    memset(is_there, 1, 2 * cells);
    char *found = multiply(gpu, p, is_there), *expected = multiply(reference, p, should_be);
    size_t wrong = 0;
    for (size_t e = 0; e < cells; e++) {
        bool is_equal = !should_be[e] || memcmp(found + e * size, expected + e * size, size) == 0;
        wrong += !is_equal || is_there[e] != should_be[e];
    }
    cr_expect_eq(wrong, 0, "%s on \"%s\"%s%s%s, %lld columns, orders %d %d: %zu of %zu values", p->c->name,
        pattern, p->transpose ? " transposed" : "", p->b_iso ? ", B iso" : "", p->bytes ? ", masked" : "",
        (long long)p->width, (int)p->b_order, (int)p->c_order, wrong, cells);
    free(is_there);
    free(found);
    free(expected);
}

Test(device_user, every_user_semiring_equals_the_reference_on_every_ugly_pattern)
{
    enum { TURNS = 12, WIDEST = 33 };
    static const int64_t widths[] = {1, 4, WIDEST};
    torc_context *gpu = open_gpu(NULL), *reference = open_reference(0);
    for (int which = 0; which < TORC_UGLY_COUNT; which++) {
        torc_ugly_csr csr = torc_ugly_csr_build(which);
        int64_t longest = csr.nrows > csr.ncols ? csr.nrows : csr.ncols;
        for (int i = 0; i < TORC_USER_CASES; i++) {
            const torc_user_case *c = &torc_user_cases[i];
            uint64_t seed = (uint64_t)(which * TORC_USER_CASES + i);
            void *a = torc_user_values(&seed, c->a_type, c->fill_a, (size_t)csr.nnz);
            void *b = torc_user_values(&seed, c->b_type, c->fill_b, (size_t)(longest * WIDEST));
            uint8_t *bytes = malloc((size_t)(longest * WIDEST) + 2);
            for (int64_t e = 0; e < longest * WIDEST + 2; e++) {
                bytes[e] = random_below(&seed, 3) > 0;
            }
            for (int turn = 0; turn < TURNS; turn++) {
                problem p = {
                    .c = c,
                    .csr = {csr.nrows, csr.ncols, csr.row_ptr, csr.col_idx, a, 32, 32, c->a_type, turn == 7},
                    .b = b,
                    .width = widths[(turn + i) % 3],
                    .transpose = turn & 1,
                    .b_order = turn & 2 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
                    .c_order = turn & 4 ? TORC_COL_MAJOR : TORC_ROW_MAJOR,
                    .b_iso = turn == 8,
                    .bytes = turn > 8 ? bytes : NULL,
                };
                compare(gpu, reference, &p, csr.name);
            }
            free(a);
            free(b);
            free(bytes);
        }
        torc_ugly_csr_free(&csr);
    }
    torc_context_destroy(reference);
    torc_context_destroy(gpu);
}

/* Sums of rows that are open from one panel of B to the next, in monoids that have no start. */
Test(device_user, every_user_semiring_equals_the_reference_across_panels)
{
    enum { ROWS = 50, COLUMNS = 200000, EACH = 1000, APART = COLUMNS / EACH };
    torc_options options = TORC_OPTIONS_INIT;
    options.kernel = "rows/panels8/v1x1"; /* which takes values of 8 bytes at most */
    torc_context *gpu = torc_gpu_context(&options), *reference = open_reference(0);
    static uint32_t row_ptr[ROWS + 1], col_idx[ROWS * EACH];
    for (uint32_t p = 0; p < ROWS * EACH; p++) {
        row_ptr[p / EACH + 1] = p + 1;
        col_idx[p] = p % EACH * APART + p / EACH;
    }
    for (int i = 0; i < TORC_USER_CASES; i++) {
        const torc_user_case *c = &torc_user_cases[i];
        uint64_t seed = (uint64_t)i;
        void *a = torc_user_values(&seed, c->a_type, c->fill_a, ROWS * EACH);
        void *b = torc_user_values(&seed, c->b_type, c->fill_b, COLUMNS);
        problem p = {
            .c = c,
            .csr = {ROWS, COLUMNS, row_ptr, col_idx, a, 32, 32, c->a_type, false},
            .b = b,
            .width = 1,
        };
        compare(gpu, reference, &p, "long rows");
        free(a);
        free(b);
    }
    torc_context_destroy(reference);
    torc_context_destroy(gpu);
}

/* Milliseconds of two products, the first and a later one of the context, that give gcd (1·3, 2·4). */
static void time_uses(double milliseconds[2], const char *cache_dir, const problem *p)
{
    torc_context *gpu = open_gpu(cache_dir);
    free(multiply(gpu, &(problem){.c = &torc_user_cases[5], .csr = p->csr, .b = p->b, .width = 1}, NULL));
    for (int use = 0; use < 2; use++) {
        double begin = torc_seconds_now();
        int32_t *c = multiply(gpu, p, NULL);
        milliseconds[use] = 1e3 * (torc_seconds_now() - begin);
        cr_expect_eq(*c, 1);
        free(c);
    }
    torc_context_destroy(gpu);
}

Test(device_user, a_kernel_compiled_and_one_from_the_disk_give_the_same)
{
    char folder[] = "/tmp/torc-user-XXXXXX", command[64];
    static const uint32_t row_ptr[] = {0, 2}, col_idx[] = {0, 1};
    static const int32_t values[] = {1, 2}, b[] = {3, 4};
    /* The divisors; a product of another semiring goes first, and pays for what is not the kernel's. */
    problem p = {.c = &torc_user_cases[6],
        .csr = {1, 2, row_ptr, col_idx, values, 32, 32, TORC_INT32},
        .b = b,
        .width = 1};
    double fresh[2], cached[2];
    torc_context_destroy(open_gpu(NULL));
    cr_assert_not_null(mkdtemp(folder));
    time_uses(fresh, folder, &p);
    time_uses(cached, folder, &p);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    cr_log_info("compiled %.1f ms, then %.3f ms; from the disk %.2f ms, then %.3f ms", fresh[0], fresh[1],
        cached[0], cached[1]);
}

Test(device_user, source_that_does_not_compile_leaves_the_context_usable)
{
    torc_context *gpu = open_gpu(NULL);
    static const uint32_t row_ptr[] = {0, 1}, col_idx[] = {0};
    static const int32_t values[] = {5};
    static const float b[] = {3};
    torc_csr csr = {1, 1, row_ptr, col_idx, values, 32, 32, TORC_INT32};
    torc_user_case broken = torc_user_cases[5];
    torc_definition definition = *broken.semiring.definition;
    definition.source = "void polynomial (double *z) { nonsense ; }";
    broken.semiring.definition = &definition;
    torc_sparse *A;
    cr_assert_eq(torc_sparse_create(&A, gpu, &csr), TORC_SUCCESS);
    torc_dense B = {1, 1, 1, TORC_ROW_MAJOR, TORC_FP32, false, device_copy(gpu, b, sizeof b)};
    double c = 7;
    torc_dense C = {1, 1, 1, TORC_ROW_MAJOR, TORC_FP64, false, device_copy(gpu, &c, sizeof c)};
    cr_expect_eq(torc_spmm(&C, broken.semiring, A, false, &B, NULL), TORC_COMPILE_ERROR);
    cr_expect_neq(torc_context_error(gpu)[0], '\0');
    cr_assert_eq(torc_memory_download(gpu, &c, C.data, sizeof c), TORC_SUCCESS);
    cr_expect_eq(c, 7, "C is touched");
    cr_expect_eq(torc_spmm(&C, torc_user_cases[5].semiring, A, false, &B, NULL), TORC_SUCCESS);
    cr_assert_eq(torc_memory_download(gpu, &c, C.data, sizeof c), TORC_SUCCESS);
    cr_expect_eq(c, 22);
    torc_memory_release(gpu, B.data);
    torc_memory_release(gpu, C.data);
    torc_sparse_destroy(A);
    torc_context_destroy(gpu);
}
