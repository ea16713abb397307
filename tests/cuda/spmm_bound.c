#include "spmm_bound.h"
#include "offsets.h"
#include "reference.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static long double real_value(torc_type type, const void *value)
{
    double x;
    if (type == TORC_INT64) {
        return (long double)*(const int64_t *)value;
    }
    torc_cast(&x, TORC_FP64, value, type);
    return x;
}

static bool is_same(torc_type type, const void *x, const void *y)
{
    long double a = real_value(type, x), b = real_value(type, y);
    return (isnan(a) && isnan(b)) || (a == b && (type != TORC_BOOL || *(const uint8_t *)x <= 1));
}

static void load(void *x, torc_type type, torc_access access, const void *values, torc_type stored, int64_t p)
{
    memset(x, 0, torc_type_size(type));
    if (access != TORC_ACCESS_NONE) {
        int64_t at = access == TORC_ACCESS_ISO ? 0 : p;
        torc_cast(x, type, (const char *)values + (size_t)at * torc_type_size(stored), stored);
    }
}

/* Term number p of C(i,j), in the semiring's type. */
static void term(void *z, const torc_spmm_kernel *kernel, const torc_spmm_args *args, int64_t p, int64_t j)
{
    double x, y; /* each as large as any type */
    torc_type type = kernel->semiring.type;
    load(&x, type, kernel->a_access, args->a, kernel->a_type, p);
    load(&y, type, kernel->b_access, args->b, kernel->b_type, args->col_idx[p] * args->ldb + j);
    torc_reference_multiply(kernel->semiring.multiply, type)(z, &x, &y);
}

static bool is_a_term(const torc_spmm_kernel *kernel, const torc_spmm_args *args, int64_t begin, int64_t end,
    int64_t j, const void *c)
{
    double z = 0;
    if (begin == end) {
        return is_same(kernel->semiring.type, &z, c);
    }
    for (int64_t p = begin; p < end; p++) {
        term(&z, kernel, args, p, j);
        if (is_same(kernel->semiring.type, &z, c)) {
            return true;
        }
    }
    return false;
}

static bool is_near_the_sum(const torc_spmm_kernel *kernel, const torc_spmm_args *args, int64_t begin,
    int64_t end, int64_t j, const void *c)
{
    torc_type type = kernel->semiring.type;
    double z = 0;
    long double sum = 0, magnitude = 0, unit = (type == TORC_FP32 ? FLT_EPSILON : DBL_EPSILON) / 2;
    for (int64_t p = begin; p < end; p++) {
        term(&z, kernel, args, p, j);
        sum += real_value(type, &z);
        magnitude += fabsl(real_value(type, &z));
    }
    long double result = real_value(type, c);
    if (end - begin == 1 && sum == 0) {
        return result == 0 && !signbit(result) == !signbit(real_value(type, &z));
    }
    if (!isfinite(sum)) {
        return isnan(sum) ? isnan(result) : sum == result;
    }
    long double k = (long double)(end - begin + 2) * unit;
    return fabsl(result - sum) <= k / (1 - k) * magnitude;
}

int64_t torc_spmm_check(
    char what[256], const torc_spmm_kernel *kernel, const torc_spmm_args *args, const void *expected)
{
    torc_type type = kernel->semiring.type;
    int bits = kernel->wide_offsets ? 64 : 32;
    bool is_exact = torc_semiring_traits(kernel->semiring).is_exact;
    int64_t wrong = 0;
    for (int64_t i = 0; i < args->nrows; i++) {
        int64_t begin = torc_offset(args->row_ptr, bits, i), end = torc_offset(args->row_ptr, bits, i + 1);
        for (int64_t j = 0; j < args->ncols; j++) {
            size_t at = (size_t)(i * args->ldc + j) * torc_type_size(type);
            const void *c = (const char *)args->c + at, *reference = (const char *)expected + at;
            bool is_right = is_exact ? is_same(type, c, reference)
                            : kernel->semiring.add == TORC_ANY_MONOID
                                ? is_a_term(kernel, args, begin, end, j, c)
                                : is_near_the_sum(kernel, args, begin, end, j, c);
            if (!is_right && wrong++ == 0) {
                snprintf(what, 256, "C(%lld,%lld) of %lld terms is %.20Lg, not %.20Lg", (long long)i,
                    (long long)j, (long long)(end - begin), real_value(type, c), real_value(type, reference));
            }
        }
    }
    return wrong;
}
