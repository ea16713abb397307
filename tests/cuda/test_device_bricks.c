/* test_device_bricks.c: products through bricks. Of small integers they equal the reference executor's; of
 * any numbers they are within the bounds of docs/precision.md; what is infinite or no number goes where it
 * does in the reference. tests/emulated/ runs it too. */
#include "brick_cases.h"
#include "brick_height.h"
#include "candidates.h"
#include "gpu.h"
#include "sparse.h"
#include "ugly_csr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum values_of_a_test { SMALL_INTEGERS, ANY_MAGNITUDE, NOT_FINITE } values_of_a_test;

enum { PATTERNS = TORC_UGLY_COUNT + 1, BAND = TORC_UGLY_COUNT };

/* Those of ugly_csr.h, and rows of 20 to 40 among 100 columns that 16 rows share, of which every fifth block
 * of 8 is empty. */
static torc_ugly_csr build_pattern(int which)
{
    if (which < BAND) {
        return torc_ugly_csr_build(which);
    }
    enum { NROWS = 203, NCOLS = 320, WIDTH = 100, LEAST = 20 };
    uint64_t state = 1;
    torc_ugly_csr A = {.name = "band", .nrows = NROWS, .ncols = NCOLS};
    A.row_ptr = calloc(NROWS + 1, sizeof *A.row_ptr);
    A.col_idx = calloc(NROWS * WIDTH, sizeof *A.col_idx);
    for (int i = 0; i < NROWS; i++) {
        int left = i / TORC_BRICK_ROWS % 5 == 2 ? 0 : LEAST + (int)torc_random(&state, LEAST + 1);
        for (int k = 0; k < WIDTH && left > 0; k++) {
            if ((int)torc_random(&state, (uint64_t)(WIDTH - k)) < left) {
                A.col_idx[A.nnz++] = (uint32_t)(i / 16 * 16 + k);
                left--;
            }
        }
        A.row_ptr[i + 1] = (uint32_t)A.nnz;
    }
    return A;
}

/* A product, operands on the host; ld of B and C have a vector to spare. */
typedef struct product {
    const torc_spmm_kernel *kernel;
    const torc_ugly_csr *A;
    int64_t ncols, ld;
    char *a, *b, *old;
    bool is_reordered; /* bounds are of windows in A's order */
} product;

static double pick(uint64_t *state, values_of_a_test kind, bool is_of_a, torc_semiring semiring)
{
    static const double of_a[] = {
        4, -4, 0}; /* none of which makes a finite number of one that is not small */
    double huge = semiring.multiply == TORC_SECOND ? 0 : semiring.type == TORC_FP32 ? 1e38 : 1e308;
    const double of_b[] = {1, -2, 3, NAN, INFINITY, -INFINITY, huge, -huge, 0};
    double integer = (double)torc_random(state, 9) - 4;
    if (kind == NOT_FINITE) {
        return is_of_a                       ? of_a[torc_random(state, 3)]
               : torc_random(state, 40) == 0 ? of_b[torc_random(state, 9)]
                                             : integer;
    }
    if (kind == ANY_MAGNITUDE) {
        int exponent = (int)torc_random(state, 60) - 30;
        return ldexp((double)torc_random(state, 1 << 24) / (1 << 23) - 1, exponent);
    }
    return integer;
}

static char *random_values(
    uint64_t *state, values_of_a_test kind, bool is_of_a, torc_semiring semiring, int64_t count)
{
    torc_type type = semiring.type;
    size_t size = torc_type_size(type);
    char *values = malloc((size_t)count * size + 1);
    for (int64_t i = 0; i < count; i++) {
        double value = pick(state, kind, is_of_a, semiring);
        torc_cast(values + (size_t)i * size, type, &value, TORC_FP64);
    }
    return values;
}

static void *copy(torc_context *context, const void *from, size_t size)
{
    void *memory;
    cr_assert_eq(torc_memory_allocate(&memory, context, size), TORC_SUCCESS);
    cr_assert_eq(torc_memory_upload(context, memory, from, size), TORC_SUCCESS);
    return memory;
}

/* Statistics say that A has many rows, and that windows of that height have next to no columns, and others
 * very many. */
static void prefer_height(torc_sparse *A, int height)
{
    torc_statistics *statistics = &A->partition.statistics;
    statistics->nrows = 1 << 20;
    statistics->brick_footprint = height == 1 ? 1e-3 : 1e6;
    statistics->tall_brick_footprint = height == 1 ? 1e6 : 1e-3;
    cr_assert_eq(torc_brick_height(statistics, A->type), height);
}

/* C, on the host, of a context; by bricks, where their number is wanted. */
static char *multiply(torc_context *context, const product *p, int64_t *nbricks)
{
    const torc_ugly_csr *A = p->A;
    torc_type type = p->kernel->semiring.type;
    size_t size = torc_type_size(type), c_size = (size_t)(A->nrows * p->ld) * size;
    torc_csr csr = {A->nrows, A->ncols, A->row_ptr, A->col_idx,
        p->kernel->a_access == TORC_ACCESS_NONE ? NULL : p->a, 32, 32, type,
        p->kernel->a_access == TORC_ACCESS_ISO, NULL};
    torc_sparse *sparse;
    cr_assert_eq(torc_sparse_create(&sparse, context, &csr), TORC_SUCCESS);
    torc_dense B = {A->ncols, p->ncols, p->ld, TORC_ROW_MAJOR, type, false,
        copy(context, p->b, (size_t)(A->ncols * p->ld) * size), NULL};
    torc_dense C = {
        A->nrows, p->ncols, p->ld, TORC_ROW_MAJOR, type, false, copy(context, p->old, c_size), NULL};
    torc_update update = {.has_accum = p->kernel->has_accum, .accum = p->kernel->accum};
    if (p->is_reordered && nbricks) {
        cr_assert_eq(torc_sparse_reorder(NULL, sparse, false), TORC_SUCCESS);
    }
    if (nbricks) {
        prefer_height(torc_sparse_ordered(sparse), p->kernel->height);
    }
    torc_status status = torc_spmm(&C, p->kernel->semiring, sparse, false, &B, &update);
    cr_assert_eq(status, TORC_SUCCESS, "%s: %s", torc_status_text(status), torc_context_error(context));
    char *c = malloc(c_size + 1);
    cr_assert_eq(torc_memory_download(context, c, C.data, c_size), TORC_SUCCESS);
    if (nbricks) {
        const torc_bricks *bricks = &torc_sparse_ordered(sparse)->bricks;
        cr_assert(bricks->pieces, "\"%s\" has no bricks", A->name);
        *nbricks = bricks->nbricks;
    }
    torc_memory_release(context, B.data);
    torc_memory_release(context, C.data);
    torc_sparse_destroy(sparse);
    return c;
}

static double number(const char *values, torc_type type, int64_t at)
{
    double x;
    torc_cast(&x, TORC_FP64, values + (size_t)at * torc_type_size(type), type);
    return x;
}

/* Different columns that row i's window of so many rows names, in bricks. */
static int64_t bricks_of(const torc_ugly_csr *A, int64_t i, int64_t rows)
{
    int64_t first = i / rows * rows, end = first + rows, count = 0;
    bool *is_named = calloc((size_t)A->ncols, 1);
    for (uint32_t e = A->row_ptr[first]; e < A->row_ptr[end < A->nrows ? end : A->nrows]; e++) {
        count += !is_named[A->col_idx[e]];
        is_named[A->col_idx[e]] = true;
    }
    free(is_named);
    return (count + TORC_BRICK_COLUMNS - 1) / TORC_BRICK_COLUMNS;
}

/* Is c as near the sum as docs/precision.md says? */
static bool is_within_bound(const product *p, int64_t i, int64_t j, int64_t bricks, double c)
{
    torc_type type = p->kernel->semiring.type;
    long double sum = 0, size = 0, parts = 0;
    int64_t terms = 0;
    for (uint32_t e = p->A->row_ptr[i]; e < p->A->row_ptr[i + 1]; e++, terms++) {
        bool is_times = p->kernel->semiring.multiply == TORC_TIMES;
        int64_t at = p->kernel->a_access == TORC_ACCESS_ISO ? 0 : (int64_t)e;
        double x = is_times ? number(p->a, type, at) : 1,
               y = number(p->b, type, p->A->col_idx[e] * p->ld + j);
        sum += (long double)x * y;
        size += fabsl((long double)x * y);
        parts += 1 + fabs(x) + fabs(y);
    }
    if (p->kernel->has_accum) {
        double old = number(p->old, type, i * p->ld + j);
        sum += old;
        size += fabs(old);
        terms++;
    }
    long double unit = type == TORC_FP32 ? 0x1p-24L : 0x1p-53L;
    long double of_products = type == TORC_FP64 ? 0 : p->kernel->products == 3 ? 28 * unit : 0x1.81p-10L;
    long double of_sums = type == TORC_FP64
                              ? (long double)terms
                              : (long double)((20 * p->kernel->products + 1) * bricks + p->kernel->has_accum);
    long double of_small = type == TORC_FP64 ? 0x1p-1021L : 0x1p-125L;
    return fabsl(c - sum) <= (of_products + of_sums * unit) * size + of_small * parts;
}

static bool agree(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static void compare(const product *p, const char *found, const char *again, const char *expected,
    values_of_a_test kind, int which)
{
    torc_type type = p->kernel->semiring.type;
    size_t size = torc_type_size(type);
    int64_t wrong = 0, differ = 0, touched = 0, at = -1;
    for (int64_t i = 0; i < p->A->nrows; i++) {
        int64_t rows = p->kernel->height * TORC_BRICK_ROWS;
        int64_t bricks = kind == ANY_MAGNITUDE ? bricks_of(p->A, i, rows) : 0;
        for (int64_t j = 0; j < p->ld; j++) {
            int64_t place = i * p->ld + j;
            double c = number(found, type, place);
            bool is_right = j >= p->ncols           ? true
                            : kind == ANY_MAGNITUDE ? is_within_bound(p, i, j, bricks, c)
                                                    : agree(c, number(expected, type, place));
            at = !is_right && wrong == 0 ? place : at;
            wrong += !is_right;
            differ += memcmp(found + (size_t)place * size, again + (size_t)place * size, size) != 0;
            touched += j >= p->ncols &&
                       memcmp(found + (size_t)place * size, p->old + (size_t)place * size, size) != 0;
        }
    }
    cr_expect(wrong == 0 && differ == 0 && touched == 0,
        "case %d, height %d, %d columns a panel, \"%s\", %lld columns, values %d: %lld wrong, first "
        "(%lld, %lld): %g, not %g; %lld differ, %lld touched",
        which, p->kernel->height, p->kernel->shape.lanes * p->kernel->shape.vector, p->A->name,
        (long long)p->ncols, (int)kind, (long long)wrong, (long long)(at / p->ld), (long long)(at % p->ld),
        at < 0 ? 0 : number(found, type, at), at < 0 ? 0 : number(expected, type, at), (long long)differ,
        (long long)touched);
}

static torc_context *open_context(torc_backend_choice backend, torc_precision precision)
{
    torc_options options = TORC_OPTIONS_INIT;
    options.backend = backend;
    options.precision = precision;
    return torc_gpu_context(&options);
}

/* kinds: of values. */
static void check(torc_context *const devices[], torc_context *reference, const torc_spmm_kernel *kernel,
    int which, const torc_ugly_csr *A, values_of_a_test kind)
{
    static const int64_t more[] = {0, 3, 1, 5}; /* vectors */
    torc_type type = kernel->semiring.type;
    uint64_t state = (uint64_t)which + 1;
    int64_t vector = kernel->shape.vector, width = kernel->shape.lanes * vector;
    product p = {.kernel = kernel, .A = A, .ncols = width + vector * more[which % 4]};
    p.ld = p.ncols + vector;
    p.is_reordered = kind != ANY_MAGNITUDE && which % 2 == 0;
    p.a = random_values(&state, kind, true, kernel->semiring, A->nnz + 1);
    p.b = random_values(&state, kind, false, kernel->semiring, A->ncols * p.ld);
    p.old = random_values(&state, SMALL_INTEGERS, true, kernel->semiring, A->nrows * p.ld);
    torc_context *device = devices[kernel->products == 3 || type == TORC_FP64];
    torc_kernel_name(device->kernel, kernel);
    int64_t nbricks;
    char *found = multiply(device, &p, &nbricks), *again = multiply(device, &p, &nbricks);
    char *expected = multiply(reference, &p, NULL);
    compare(&p, found, again, expected, kind, which);
    free(found);
    free(again);
    free(expected);
    free(p.a);
    free(p.b);
    free(p.old);
}

static void walk(values_of_a_test kind)
{
    torc_context *devices[] = {open_context(TORC_BACKEND_CUDA, TORC_PRECISION_TF32),
        open_context(TORC_BACKEND_CUDA, TORC_PRECISION_FP32)};
    torc_context *reference = open_context(TORC_BACKEND_REFERENCE, TORC_PRECISION_EXACT);
    torc_kernel_cases cases = torc_brick_cases_build();
    enum { KINDS = NOT_FINITE + 1 };
    for (int which = 0; which < PATTERNS; which++) {
        torc_ugly_csr A = build_pattern(which);
        for (int i = 0; i < cases.count && A.nnz > 0; i++) {
            bool is_turn = which == BAND ? i % KINDS == (int)kind : (i + which) % TORC_UGLY_COUNT == 0;
            if (is_turn) {
                check(devices, reference, &cases.kernels[i], i, &A, kind);
            }
        }
        torc_ugly_csr_free(&A);
    }
    free(cases.kernels);
    torc_context_destroy(devices[0]);
    torc_context_destroy(devices[1]);
    torc_context_destroy(reference);
}

Test(device_bricks, products_of_small_integers_equal_the_reference)
{
    walk(SMALL_INTEGERS);
}

Test(device_bricks, products_of_any_magnitude_are_within_the_bounds)
{
    walk(ANY_MAGNITUDE);
}

Test(device_bricks, what_is_not_finite_or_overflows_goes_where_it_does_in_the_reference)
{
    walk(NOT_FINITE);
}
