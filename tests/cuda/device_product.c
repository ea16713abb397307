#include "device_product.h"
#include "gpu.h"
#include "kernel_cases.h"
#include "spmm_bound.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------------- */

static const double ugly_reals[] = {0.0, -0.0, 1, -1, 0.5, 3, -7, 1e-3, 1234.5, NAN, INFINITY, -INFINITY, 3e9,
    -3e9, 1e19, -1e19, 1e30, 5e-324};
static const double tame_reals[] = {0.0, 1, -1, 0.5, 3, -7, 1e-3, 1234.5, 0.1, -0.3};
static const int64_t ugly_integers[] = {0, 1, -1, 2, 3, -7, 100, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX,
    INT64_MIN, (int64_t)1 << 53, 16777217};
static const uint8_t ugly_bytes[] = {0, 1, 2, 255};

/* Of which products of a thousand neither overflow nor lose digits. */
static const double unit_reals[] = {1, -1, 0.999, 1.001, -0.99, 1.01};
static const torc_fc64 unit_numbers[] = {{1, 0}, {0, -1}, {0.6, 0.8}, {-0.8, 0.6}, {0.96, -0.28}};

#define PICK(array) (array)[torc_random(state, sizeof(array) / sizeof(array)[0])]

typedef enum temper {
    UGLY,
    TAME, /* sums stay finite and normal, but for one in thousands that is infinite or NaN */
    UNIT, /* products likewise */
    MILD, /* complex ones likewise, without the infinite, of which some orders make NaN */
} temper;

/* What keeps a rounded result within reach of a bound. */
static temper temper_for(torc_semiring semiring, const torc_ugly_csr *A)
{
    torc_traits traits = torc_semiring_traits(semiring);
    bool is_complex = traits.z_type == TORC_FC32 || traits.z_type == TORC_FC64, has_sums = false;
    for (int64_t i = 0; i < A->nrows; i++) {
        has_sums = has_sums || A->row_ptr[i + 1] - A->row_ptr[i] > 1;
    }
    /* A complex product of huge parts may be NaN, and with a fused multiply-add infinite. */
    bool is_one_term =
        (semiring.add == TORC_ANY_MONOID || !has_sums) && !(is_complex && semiring.multiply == TORC_TIMES);
    if (traits.is_exact || is_one_term) {
        return UGLY;
    }
    if (is_complex) {
        return MILD;
    }
    return semiring.add == TORC_PLUS_MONOID ? TAME : UNIT;
}

static double pick_real(uint64_t *state, temper kind)
{
    if (kind == UGLY) {
        return PICK(ugly_reals);
    }
    if (torc_random(state, 3000) == 0) {
        return ugly_reals[9 + torc_random(state, 3)];
    }
    return kind == TAME ? PICK(tame_reals) : PICK(unit_reals);
}

static void *random_values(uint64_t *state, torc_type type, size_t count, temper kind)
{
    size_t size = torc_type_size(type);
    char *values = malloc(count * size + 1);
    for (size_t i = 0; i < count; i++) {
        torc_fc64 number = {pick_real(state, kind), pick_real(state, kind)};
        if (kind == MILD) {
            number = PICK(unit_numbers);
        }
        int64_t integer = PICK(ugly_integers);
        if (type == TORC_BOOL) {
            values[i] = (char)PICK(ugly_bytes);
        } else if (type >= TORC_FP32) {
            torc_cast(values + i * size, type, &number, TORC_FC64);
        } else {
            torc_cast(values + i * size, type, &integer, TORC_INT64);
        }
    }
    return values;
}

/* ---- A pattern on both sides -------------------------------------------------------------------------- */

torc_device_pattern torc_device_pattern_build(torc_device *device, int which)
{
    torc_device_pattern A = {.csr = torc_ugly_csr_build(which)};
    size_t n = (size_t)A.csr.nrows + 1;
    A.cuts = torc_device_cuts_build(device, &A.csr);
    A.row_ptr = torc_gpu_copy(device, A.csr.row_ptr, n * sizeof(uint32_t));
    A.wide_row_ptr = torc_gpu_copy(device, A.csr.wide_row_ptr, n * sizeof(uint64_t));
    A.col_idx = torc_gpu_copy(device, A.csr.col_idx, (size_t)A.csr.nnz * sizeof(uint32_t));
    return A;
}

void torc_device_pattern_free(torc_device *device, torc_device_pattern *A)
{
    void *on_device[] = {A->row_ptr, A->wide_row_ptr, A->col_idx};
    for (size_t i = 0; i < sizeof on_device / sizeof on_device[0]; i++) {
        torc_executor_cuda()->release(device, on_device[i]);
    }
    torc_device_cuts_free(device, &A->cuts);
    torc_ugly_csr_free(&A->csr);
}

/* ---- One product -------------------------------------------------------------------------------------- */

enum { FIRST_POISON = 0xA5, SECOND_POISON = 0x5A };

static size_t value_count(torc_access access, size_t array_count)
{
    return access == TORC_ACCESS_NONE ? 0 : access == TORC_ACCESS_ISO ? 1 : array_count;
}

/* The kernel's C over what it held before, into c on the host, where its rows are in A's order. Partials
 * start as rubbish of one kind. */
static void run_over(torc_device *device, const torc_spmm_kernel *kernel, torc_spmm_args args, void *c,
    const void *before, size_t c_size, size_t partials_size, int poison)
{
    const torc_executor *cuda = torc_executor_cuda();
    size_t one = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    void *rubbish = malloc(partials_size + 1);
    memset(rubbish, poison, partials_size + 1);
    size_t line = (size_t)args.ldc * one;
    memcpy(c, before, c_size);
    if (args.c_rows) {
        torc_reverse_lines(c, args.nrows, line);
    }
    args.c = torc_gpu_copy(device, c, c_size);
    void *iso = torc_gpu_copy(device, before, one);
    args.old_c = kernel->old_access == TORC_ACCESS_ISO ? iso : args.c;
    args.partials = torc_gpu_copy(device, rubbish, partials_size);
    TORC_GPU_TRY(device, cuda->spmm(device, kernel, &args));
    TORC_GPU_TRY(device, cuda->download(device, c, args.c, c_size));
    TORC_GPU_TRY(device, cuda->wait(device));
    if (args.c_rows) {
        torc_reverse_lines(c, args.nrows, line);
    }
    cuda->release(device, args.c);
    cuda->release(device, iso);
    cuda->release(device, args.partials);
    free(rubbish);
}

/* Elements that differ between two runs, and bytes of padding that were touched. before: of each run. */
static int64_t count_faults(const torc_spmm_args *args, size_t size, const unsigned char *first,
    const unsigned char *second, const unsigned char *before[2])
{
    int64_t faults = 0;
    for (int64_t i = 0; i < args->nrows; i++) {
        size_t row = (size_t)(i * args->ldc) * size, end = row + (size_t)args->ncols * size;
        faults += memcmp(first + row, second + row, end - row) != 0;
        for (size_t b = end; b < row + (size_t)args->ldc * size; b++) {
            faults += first[b] != before[0][b] || second[b] != before[1][b];
        }
    }
    return faults;
}

void torc_device_product_check(torc_device *device, torc_device *reference, const torc_spmm_kernel *kernel,
    const torc_device_pattern *A, int64_t ncols, uint64_t seed)
{
    uint64_t random = seed, *state = &random;
    size_t size = torc_type_size(torc_semiring_traits(kernel->semiring).z_type);
    temper kind = temper_for(kernel->semiring, &A->csr);
    torc_spmm_args args = {
        .nrows = A->csr.nrows,
        .ncols = ncols,
        .ldb = ncols + kernel->shape.vector,
        .ldc = ncols + 2 * kernel->shape.vector,
        .row_ptr = kernel->wide_offsets ? (void *)A->csr.wide_row_ptr : (void *)A->csr.row_ptr,
        .col_idx = A->csr.col_idx,
        .b_rows = A->csr.ncols,
    };
    size_t a_count = value_count(kernel->a_access, (size_t)A->csr.nnz);
    size_t b_count = value_count(kernel->b_access, (size_t)(A->csr.ncols * args.ldb));
    size_t c_size = (size_t)(args.nrows * args.ldc) * size;
    void *a = random_values(state, kernel->a_type, a_count, kind);
    void *b = random_values(state, kernel->b_type, b_count, kind);
    void *expected = malloc(c_size), *first = malloc(c_size), *second = malloc(c_size);
    /* Rubbish of two kinds, unless it is added to. */
    unsigned char *old =
        random_values(state, torc_semiring_traits(kernel->semiring).z_type, c_size / size, kind);
    unsigned char *rubbish[] = {malloc(c_size), malloc(c_size)};
    memset(rubbish[0], FIRST_POISON, c_size);
    memset(rubbish[1], SECOND_POISON, c_size);
    const unsigned char *before[] = {
        kernel->has_accum ? old : rubbish[0], kernel->has_accum ? old : rubbish[1]};
    args.a = a;
    args.b = b;
    args.c = expected;
    args.old_c = kernel->old_access == TORC_ACCESS_ISO ? (void *)old : expected;
    memcpy(expected, old, c_size);
    cr_assert_eq(torc_executor_reference()->spmm(reference, kernel, &args), TORC_SUCCESS);

    torc_spmm_args on_device = args;
    on_device.row_ptr = kernel->wide_offsets ? A->wide_row_ptr : A->row_ptr;
    on_device.col_idx = A->col_idx;
    int64_t nparts = torc_device_cuts_take(&on_device, kernel, &A->cuts);
    bool is_reversed = torc_device_cuts_are_reversed(&A->cuts, seed);
    if (is_reversed) {
        torc_device_cuts_reverse(device, &on_device);
    }
    on_device.a = torc_gpu_copy(device, a, a_count * torc_type_size(kernel->a_type));
    on_device.b = torc_gpu_copy(device, b, b_count * torc_type_size(kernel->b_type));
    size_t partials_size = (size_t)(nparts * ncols) * size;
    run_over(device, kernel, on_device, first, before[0], c_size, partials_size, FIRST_POISON);
    run_over(device, kernel, on_device, second, before[1], c_size, partials_size, SECOND_POISON);

    char name[128], what[256] = "";
    torc_kernel_describe(name, kernel);
    args.c = first;
    int64_t wrong = torc_spmm_compare(what, kernel, &args, expected);
    cr_expect_eq(wrong, 0, "%s on \"%s\", %lld columns, seed %llu: %lld wrong, first %s", name, A->csr.name,
        (long long)ncols, (unsigned long long)seed, (long long)wrong, what);
    int64_t faults = count_faults(&args, size, first, second, before);
    cr_expect_eq(faults, 0, "%s on \"%s\", %lld columns, seed %llu: two runs differ in %lld places", name,
        A->csr.name, (long long)ncols, (unsigned long long)seed, (long long)faults);

    if (is_reversed) {
        torc_device_cuts_unreverse(device, &on_device);
    }
    torc_executor_cuda()->release(device, (void *)on_device.a);
    torc_executor_cuda()->release(device, (void *)on_device.b);
    free(a);
    free(b);
    free(old);
    free(rubbish[0]);
    free(rubbish[1]);
    free(expected);
    free(first);
    free(second);
}
