/* reference_unary.c: unary and index-unary operators in C: the second, independent statement of what the
 * kernels' headers say. Integers wrap: signed ones are computed as unsigned.
 */
#include "reference.h"
#include <math.h>

/* ---- Unary operators by kind of type ------------------------------------------------------------------ */

#define OPERATION(name, TYPE, ctype, ztype, expression)                                                      \
    static void name##_##TYPE(void *z, const void *px)                                                       \
    {                                                                                                        \
        ctype x = *(const ctype *)px;                                                                        \
        (void)x;                                                                                             \
        *(ztype *)z = expression;                                                                            \
    }
#define OPERATOR(name, TYPE, ctype, expression) OPERATION(name, TYPE, ctype, ctype, expression)

#define ORDERED_OPERATORS(TYPE, ctype)                                                                       \
    OPERATOR(identity, TYPE, ctype, x)                                                                       \
    OPERATOR(one, TYPE, ctype, 1)                                                                            \
    OPERATOR(lnot, TYPE, ctype, x == 0)

#define SIGNED_OPERATORS(TYPE, ctype, wide, highest)                                                         \
    ORDERED_OPERATORS(TYPE, ctype)                                                                           \
    OPERATOR(ainv, TYPE, ctype, 0 - (wide)x)                                                                 \
    OPERATOR(minv, TYPE, ctype, x == 0 ? highest : x == 1 ? 1 : x == -1 ? -1 : 0)                            \
    OPERATOR(abs, TYPE, ctype, x < 0 ? 0 - (wide)x : (wide)x)                                                \
    OPERATOR(bnot, TYPE, ctype, ~x)

#define UNSIGNED_OPERATORS(TYPE, ctype, wide, highest)                                                       \
    ORDERED_OPERATORS(TYPE, ctype)                                                                           \
    OPERATOR(ainv, TYPE, ctype, 0 - (wide)x)                                                                 \
    OPERATOR(minv, TYPE, ctype, x == 0 ? highest : x == 1)                                                   \
    OPERATOR(abs, TYPE, ctype, x)                                                                            \
    OPERATOR(bnot, TYPE, ctype, ~x)

/* frexp leaves the exponent of what is not finite open; GraphBLAS gives 0. f: the suffix of <math.h>. */
#define REAL_OPERATORS(TYPE, ctype, f)                                                                       \
    static ctype fraction_##TYPE(ctype x, int *exponent)                                                     \
    {                                                                                                        \
        ctype fraction = frexp##f(x, exponent);                                                              \
        *exponent = isfinite(x) ? *exponent : 0;                                                             \
        return fraction;                                                                                     \
    }                                                                                                        \
    ORDERED_OPERATORS(TYPE, ctype)                                                                           \
    OPERATOR(ainv, TYPE, ctype, -x)                                                                          \
    OPERATOR(minv, TYPE, ctype, 1 / x)                                                                       \
    OPERATOR(abs, TYPE, ctype, fabs##f(x))                                                                   \
    OPERATOR(sqrt, TYPE, ctype, sqrt##f(x))                                                                  \
    OPERATOR(ceil, TYPE, ctype, ceil##f(x))                                                                  \
    OPERATOR(floor, TYPE, ctype, floor##f(x))                                                                \
    OPERATOR(round, TYPE, ctype, round##f(x))                                                                \
    OPERATOR(trunc, TYPE, ctype, trunc##f(x))                                                                \
    OPERATOR(signum, TYPE, ctype, isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0)                                 \
    OPERATOR(frexpx, TYPE, ctype, fraction_##TYPE(x, &(int){0}))                                             \
    static void frexpe_##TYPE(void *z, const void *x)                                                        \
    {                                                                                                        \
        int exponent;                                                                                        \
        fraction_##TYPE(*(const ctype *)x, &exponent);                                                       \
        *(ctype *)z = (ctype)exponent;                                                                       \
    }                                                                                                        \
    OPERATION(isinf, TYPE, ctype, uint8_t, isinf(x) != 0)                                                    \
    OPERATION(isnan, TYPE, ctype, uint8_t, isnan(x) != 0)                                                    \
    OPERATION(isfinite, TYPE, ctype, uint8_t, isfinite(x) != 0)

#define COMPLEX_OPERATORS(TYPE, ctype, real_type, f)                                                         \
    OPERATOR(identity, TYPE, ctype, x)                                                                       \
    OPERATOR(one, TYPE, ctype, ((ctype){1, 0}))                                                              \
    OPERATOR(ainv, TYPE, ctype, ((ctype){-x.real, -x.imag}))                                                 \
    static void minv_##TYPE(void *z, const void *x)                                                          \
    {                                                                                                        \
        torc_reference_multiply(TORC_DIV, TORC_##TYPE)(z, &(ctype){1, 0}, x);                                \
    }                                                                                                        \
    OPERATION(abs, TYPE, ctype, real_type, hypot##f(x.real, x.imag))                                         \
    OPERATOR(conj, TYPE, ctype, ((ctype){x.real, -x.imag}))                                                  \
    OPERATION(creal, TYPE, ctype, real_type, x.real)                                                         \
    OPERATION(cimag, TYPE, ctype, real_type, x.imag)                                                         \
    OPERATION(isinf, TYPE, ctype, uint8_t, isinf(x.real) || isinf(x.imag))                                   \
    OPERATION(isnan, TYPE, ctype, uint8_t, isnan(x.real) || isnan(x.imag))                                   \
    OPERATION(isfinite, TYPE, ctype, uint8_t, isfinite(x.real) && isfinite(x.imag))

/* Booleans are read as 0 or 1. */
ORDERED_OPERATORS(BOOL, bool)
SIGNED_OPERATORS(INT8, int8_t, uint32_t, INT8_MAX)
SIGNED_OPERATORS(INT16, int16_t, uint32_t, INT16_MAX)
SIGNED_OPERATORS(INT32, int32_t, uint32_t, INT32_MAX)
SIGNED_OPERATORS(INT64, int64_t, uint64_t, INT64_MAX)
UNSIGNED_OPERATORS(UINT8, uint8_t, uint32_t, UINT8_MAX)
UNSIGNED_OPERATORS(UINT16, uint16_t, uint32_t, UINT16_MAX)
UNSIGNED_OPERATORS(UINT32, uint32_t, uint32_t, UINT32_MAX)
UNSIGNED_OPERATORS(UINT64, uint64_t, uint64_t, UINT64_MAX)
REAL_OPERATORS(FP32, float, f)
REAL_OPERATORS(FP64, double, )
COMPLEX_OPERATORS(FC32, torc_fc32, float, f)
COMPLEX_OPERATORS(FC64, torc_fc64, double, )

/* ---- Tables ------------------------------------------------------------------------------------------- */

#define COMMON(TYPE)                                                                                         \
    [TORC_UNARY_IDENTITY] = identity_##TYPE, [TORC_UNARY_ONE] = one_##TYPE, [TORC_UNARY_AINV] = ainv_##TYPE, \
    [TORC_UNARY_MINV] = minv_##TYPE, [TORC_UNARY_ABS] = abs_##TYPE
#define INTEGERS(TYPE)                                                                                       \
    [TORC_##TYPE] = {COMMON(TYPE), [TORC_UNARY_LNOT] = lnot_##TYPE, [TORC_UNARY_BNOT] = bnot_##TYPE}
#define CLASSES(TYPE)                                                                                        \
    [TORC_UNARY_ISINF] = isinf_##TYPE, [TORC_UNARY_ISNAN] = isnan_##TYPE,                                    \
    [TORC_UNARY_ISFINITE] = isfinite_##TYPE
#define REALS(TYPE)                                                                                          \
    [TORC_##TYPE] = {COMMON(TYPE), CLASSES(TYPE), [TORC_UNARY_LNOT] = lnot_##TYPE,                           \
        [TORC_UNARY_SQRT] = sqrt_##TYPE, [TORC_UNARY_CEIL] = ceil_##TYPE, [TORC_UNARY_FLOOR] = floor_##TYPE, \
        [TORC_UNARY_ROUND] = round_##TYPE, [TORC_UNARY_TRUNC] = trunc_##TYPE,                                \
        [TORC_UNARY_SIGNUM] = signum_##TYPE, [TORC_UNARY_FREXPX] = frexpx_##TYPE,                            \
        [TORC_UNARY_FREXPE] = frexpe_##TYPE}
#define COMPLEXES(TYPE)                                                                                      \
    [TORC_##TYPE] = {COMMON(TYPE), CLASSES(TYPE), [TORC_UNARY_CONJ] = conj_##TYPE,                           \
        [TORC_UNARY_CREAL] = creal_##TYPE, [TORC_UNARY_CIMAG] = cimag_##TYPE}

static const torc_reference_unary unaries[TORC_TYPE_COUNT][TORC_UNARY_COUNT] = {
    [TORC_BOOL] = {[TORC_UNARY_IDENTITY] = identity_BOOL,
        [TORC_UNARY_ONE] = one_BOOL,
        [TORC_UNARY_AINV] = identity_BOOL,
        [TORC_UNARY_MINV] = one_BOOL,
        [TORC_UNARY_ABS] = identity_BOOL,
        [TORC_UNARY_LNOT] = lnot_BOOL},
    INTEGERS(INT8),
    INTEGERS(INT16),
    INTEGERS(INT32),
    INTEGERS(INT64),
    INTEGERS(UINT8),
    INTEGERS(UINT16),
    INTEGERS(UINT32),
    INTEGERS(UINT64),
    REALS(FP32),
    REALS(FP64),
    COMPLEXES(FC32),
    COMPLEXES(FC64),
};

torc_reference_unary torc_reference_apply(torc_unary unary, torc_type type)
{
    return unaries[type][unary];
}

/* ---- Index-unary operators ---------------------------------------------------------------------------- */

int64_t torc_reference_index(torc_index_unary index, int64_t i, int64_t j, int64_t thunk)
{
    uint64_t s = (uint64_t)thunk; /* positions wrap */
    switch (index) {
    case TORC_ROWINDEX:
        return (int64_t)((uint64_t)i + s);
    case TORC_COLINDEX:
        return (int64_t)((uint64_t)j + s);
    case TORC_DIAGINDEX:
        return (int64_t)((uint64_t)(j - i) - s);
    case TORC_TRIL:
        return j - i <= thunk;
    case TORC_TRIU:
        return j - i >= thunk;
    case TORC_DIAG:
        return j - i == thunk;
    case TORC_OFFDIAG:
        return j - i != thunk;
    case TORC_COLLE:
        return j <= thunk;
    case TORC_COLGT:
        return j > thunk;
    case TORC_ROWLE:
        return i <= thunk;
    default:
        return i > thunk;
    }
}

torc_reference_operator torc_reference_compare(torc_index_unary index, torc_type type)
{
    static const torc_multiply comparisons[TORC_INDEX_UNARY_COUNT] = {
        [TORC_VALUEEQ] = TORC_EQ,
        [TORC_VALUENE] = TORC_NE,
        [TORC_VALUELT] = TORC_LT,
        [TORC_VALUELE] = TORC_LE,
        [TORC_VALUEGT] = TORC_GT,
        [TORC_VALUEGE] = TORC_GE,
    };
    return torc_reference_multiply(comparisons[index], type);
}
