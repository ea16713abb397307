#include "spmm_bound.h"
#include "offsets.h"
#include "reference.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double complex wide; /* holds a value of any type exactly */

/* CMPLXL, which not every compiler has. */
static wide from_parts(long double real, long double imag)
{
    const long double parts[2] = {real, imag};
    wide x;
    memcpy(&x, parts, sizeof x);
    return x;
}

static wide wide_value(torc_type type, const void *value)
{
    torc_fc64 x;
    if (type == TORC_INT64) {
        return (long double)*(const int64_t *)value;
    }
    if (type == TORC_UINT64) {
        return (long double)*(const uint64_t *)value;
    }
    torc_cast(&x, TORC_FC64, value, type);
    return from_parts(x.real, x.imag);
}

static bool is_complex(torc_type type)
{
    return type == TORC_FC32 || type == TORC_FC64;
}

static bool is_same_real(long double x, long double y)
{
    return (isnan(x) && isnan(y)) || x == y;
}

static bool is_same(torc_type type, const void *x, const void *y)
{
    wide a = wide_value(type, x), b = wide_value(type, y);
    return is_same_real(creall(a), creall(b)) && is_same_real(cimagl(a), cimagl(b)) &&
           (type != TORC_BOOL || *(const uint8_t *)x <= 1);
}

/* Both finite and `distance` apart at most, or the same component by component. */
static bool is_near(wide x, wide y, long double distance)
{
    bool is_finite = isfinite(creall(x)) && isfinite(cimagl(x)) && isfinite(creall(y)) && isfinite(cimagl(y));
    return is_finite ? cabsl(x - y) <= distance
                     : is_same_real(creall(x), creall(y)) && is_same_real(cimagl(x), cimagl(y));
}

static long double gamma_bound(torc_type type, int64_t nterms)
{
    bool is_single = type == TORC_FP32 || type == TORC_FC32;
    long double unit = (is_single ? FLT_EPSILON : DBL_EPSILON) / 2;
    long double k = (long double)(is_complex(type) ? 3 * nterms + 24 : nterms) * unit;
    return k / (1 - k);
}

/* ---- Terms -------------------------------------------------------------------------------------------- */

/* The terms of one C(i,j). */
typedef struct term_list {
    const torc_spmm_kernel *kernel;
    const torc_spmm_args *args;
    torc_type z_type;
    int64_t i, j, begin, end;
} term_list;

static void load(void *x, torc_type type, torc_access access, const void *values, torc_type stored, int64_t p)
{
    memset(x, 0, torc_type_size(type));
    if (access != TORC_ACCESS_NONE) {
        int64_t at = access == TORC_ACCESS_ISO ? 0 : p;
        torc_cast(x, type, (const char *)values + (size_t)at * torc_type_size(stored), stored);
    }
}

static torc_value term(const term_list *terms, int64_t p)
{
    const torc_spmm_kernel *kernel = terms->kernel;
    const torc_spmm_args *args = terms->args;
    torc_semiring semiring = kernel->semiring;
    torc_value x, y, z = {0};
    int64_t k = args->col_idx[p];
    if (torc_semiring_traits(semiring).is_positional) {
        int64_t row = args->row_names ? args->row_names[terms->i] : terms->i;
        int64_t position = torc_reference_position(semiring.multiply, row, k, terms->j);
        torc_cast(&z, semiring.type, &position, TORC_INT64);
        return z;
    }
    load(&x, semiring.type, kernel->a_access, args->a, kernel->a_type, p);
    load(&y, semiring.type, kernel->b_access, args->b, kernel->b_type, k * args->ldb + terms->j);
    torc_reference_multiply(semiring.multiply, semiring.type)(&z, &x, &y);
    return z;
}

/* ---- Judgements --------------------------------------------------------------------------------------- */

static bool is_a_term(const term_list *terms, const void *c)
{
    torc_value z = {0};
    if (terms->begin == terms->end) {
        return is_same(terms->z_type, &z, c);
    }
    wide result = wide_value(terms->z_type, c);
    for (int64_t p = terms->begin; p < terms->end; p++) {
        z = term(terms, p);
        wide value = wide_value(terms->z_type, &z);
        bool is_this = is_complex(terms->z_type)
                           ? is_near(result, value, gamma_bound(terms->z_type, 0) * cabsl(value))
                           : is_same(terms->z_type, &z, c);
        if (is_this) {
            return true;
        }
    }
    return false;
}

static bool is_near_the_total(const term_list *terms, const void *c)
{
    bool is_product = terms->kernel->semiring.add == TORC_TIMES_MONOID;
    torc_value z = {0};
    wide total = is_product, result = wide_value(terms->z_type, c);
    long double magnitude = 0;
    for (int64_t p = terms->begin; p < terms->end; p++) {
        z = term(terms, p);
        wide value = wide_value(terms->z_type, &z);
        bool is_first = p == terms->begin;
        if (is_product && is_complex(terms->z_type)) {
            total = is_first ? value
                             : from_parts(creall(total) * creall(value) - cimagl(total) * cimagl(value),
                                   creall(total) * cimagl(value) + cimagl(total) * creall(value));
        } else {
            total = is_first ? value : is_product ? creall(total) * creall(value) : total + value;
        }
        magnitude = is_product ? cabsl(total) : magnitude + cabsl(value);
    }
    if (terms->end - terms->begin == 1 && !is_complex(terms->z_type) && total == 0) {
        return result == 0 && !signbit(creall(result)) == !signbit(creall(wide_value(terms->z_type, &z)));
    }
    return is_near(result, total, gamma_bound(terms->z_type, terms->end - terms->begin) * magnitude);
}

static bool is_right(const term_list *terms, const void *c, const void *reference)
{
    torc_semiring semiring = terms->kernel->semiring;
    if (torc_semiring_traits(semiring).is_exact) {
        return is_same(terms->z_type, c, reference);
    }
    return semiring.add == TORC_ANY_MONOID ? is_a_term(terms, c) : is_near_the_total(terms, c);
}

int64_t torc_spmm_compare(
    char what[256], const torc_spmm_kernel *kernel, const torc_spmm_args *args, const void *expected)
{
    torc_type type = torc_semiring_traits(kernel->semiring).z_type;
    int bits = kernel->wide_offsets ? 64 : 32;
    int64_t wrong = 0;
    for (int64_t i = 0; i < args->nrows; i++) {
        int64_t begin = torc_offset(args->row_ptr, bits, i), end = torc_offset(args->row_ptr, bits, i + 1);
        for (int64_t j = 0; j < args->ncols; j++) {
            size_t at = (size_t)(i * args->ldc + j) * torc_type_size(type);
            const void *c = (const char *)args->c + at, *reference = (const char *)expected + at;
            const term_list terms = {kernel, args, type, i, j, begin, end};
            if (!is_right(&terms, c, reference) && wrong++ == 0) {
                wide x = wide_value(type, c), y = wide_value(type, reference);
                snprintf(what, 256, "C(%lld,%lld) of %lld terms is %.20Lg%+.20Lgi, not %.20Lg%+.20Lgi",
                    (long long)i, (long long)j, (long long)(end - begin), creall(x), cimagl(x), creall(y),
                    cimagl(y));
            }
        }
    }
    return wrong;
}
