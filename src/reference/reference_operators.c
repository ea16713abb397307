/* reference_operators.c: the operators in C: the second, independent statement of what
 * cuda/kernels/operators.cuh says. Integers wrap: signed ones are computed as unsigned. min and max are fmin
 * and fmax on floating point.
 */
#include "reference.h"
#include <math.h>
#include <string.h>

/* ---- Operators by kind of type ------------------------------------------------------------------------ */

#define OPERATION(name, TYPE, ctype, ztype, expression)                                                      \
    static void name##_##TYPE(void *z, const void *px, const void *py)                                       \
    {                                                                                                        \
        ctype x = *(const ctype *)px, y = *(const ctype *)py;                                                \
        (void)x;                                                                                             \
        (void)y;                                                                                             \
        *(ztype *)z = expression;                                                                            \
    }
#define OPERATOR(name, TYPE, ctype, expression) OPERATION(name, TYPE, ctype, ctype, expression)
#define COMPARISON(name, TYPE, ctype, expression) OPERATION(name, TYPE, ctype, uint8_t, expression)

#define ORDER_COMPARISONS(TYPE, ctype)                                                                       \
    COMPARISON(eq, TYPE, ctype, x == y)                                                                      \
    COMPARISON(ne, TYPE, ctype, x != y)                                                                      \
    COMPARISON(gt, TYPE, ctype, x > y)                                                                       \
    COMPARISON(lt, TYPE, ctype, x < y)                                                                       \
    COMPARISON(ge, TYPE, ctype, x >= y)                                                                      \
    COMPARISON(le, TYPE, ctype, x <= y)                                                                      \
    OPERATOR(lor, TYPE, ctype, x != 0 || y != 0)                                                             \
    OPERATOR(land, TYPE, ctype, x != 0 && y != 0)                                                            \
    OPERATOR(lxor, TYPE, ctype, (x != 0) != (y != 0))

#define COMMON_OPERATORS(TYPE, ctype, one)                                                                   \
    OPERATOR(first, TYPE, ctype, x)                                                                          \
    OPERATOR(second, TYPE, ctype, y)                                                                         \
    OPERATOR(pair, TYPE, ctype, one)

#define ORDERED_OPERATORS(TYPE, ctype)                                                                       \
    COMMON_OPERATORS(TYPE, ctype, 1)                                                                         \
    ORDER_COMPARISONS(TYPE, ctype)                                                                           \
    OPERATOR(iseq, TYPE, ctype, x == y)                                                                      \
    OPERATOR(isne, TYPE, ctype, x != y)                                                                      \
    OPERATOR(isgt, TYPE, ctype, x > y)                                                                       \
    OPERATOR(islt, TYPE, ctype, x < y)                                                                       \
    OPERATOR(isge, TYPE, ctype, x >= y)                                                                      \
    OPERATOR(isle, TYPE, ctype, x <= y)

#define INTEGER_OPERATORS(TYPE, ctype, wide)                                                                 \
    ORDERED_OPERATORS(TYPE, ctype)                                                                           \
    OPERATOR(plus, TYPE, ctype, (wide)x + (wide)y)                                                           \
    OPERATOR(minus, TYPE, ctype, (wide)x - (wide)y)                                                          \
    OPERATOR(rminus, TYPE, ctype, (wide)y - (wide)x)                                                         \
    OPERATOR(times, TYPE, ctype, (wide)x *(wide)y)                                                           \
    OPERATOR(div, TYPE, ctype, divide_##TYPE(x, y))                                                          \
    OPERATOR(rdiv, TYPE, ctype, divide_##TYPE(y, x))                                                         \
    OPERATOR(min, TYPE, ctype, x < y ? x : y)                                                                \
    OPERATOR(max, TYPE, ctype, x > y ? x : y)                                                                \
    OPERATOR(bor, TYPE, ctype, x | y)                                                                        \
    OPERATOR(band, TYPE, ctype, x &y)                                                                        \
    OPERATOR(bxor, TYPE, ctype, x ^ y)                                                                       \
    OPERATOR(bxnor, TYPE, ctype, ~(x ^ y))

#define SIGNED_OPERATORS(TYPE, ctype, wide, lowest, highest)                                                 \
    static ctype divide_##TYPE(ctype x, ctype y)                                                             \
    {                                                                                                        \
        if (y == 0) {                                                                                        \
            return x == 0 ? 0 : x < 0 ? lowest : highest;                                                    \
        }                                                                                                    \
        return y == -1 ? (ctype)(0 - (wide)x) : (ctype)(x / y);                                              \
    }                                                                                                        \
    INTEGER_OPERATORS(TYPE, ctype, wide)

#define UNSIGNED_OPERATORS(TYPE, ctype, wide, highest)                                                       \
    static ctype divide_##TYPE(ctype x, ctype y)                                                             \
    {                                                                                                        \
        if (y == 0) {                                                                                        \
            return x == 0 ? 0 : highest;                                                                     \
        }                                                                                                    \
        return (ctype)(x / y);                                                                               \
    }                                                                                                        \
    INTEGER_OPERATORS(TYPE, ctype, wide)

#define REAL_OPERATORS(TYPE, ctype, minimum, maximum)                                                        \
    ORDERED_OPERATORS(TYPE, ctype)                                                                           \
    OPERATOR(plus, TYPE, ctype, x + y)                                                                       \
    OPERATOR(minus, TYPE, ctype, x - y)                                                                      \
    OPERATOR(rminus, TYPE, ctype, y - x)                                                                     \
    OPERATOR(times, TYPE, ctype, x *y)                                                                       \
    OPERATOR(div, TYPE, ctype, x / y)                                                                        \
    OPERATOR(rdiv, TYPE, ctype, y / x)                                                                       \
    OPERATOR(min, TYPE, ctype, minimum(x, y))                                                                \
    OPERATOR(max, TYPE, ctype, maximum(x, y))

/* Smith's method, with the cases that GraphBLAS sets apart. R. L. Smith, Algorithm 116: Complex division
 * (1962). */
static torc_fc64 divide_complex(torc_fc64 x, torc_fc64 y)
{
    if (y.imag == 0) {
        return (torc_fc64){
            x.real == 0 && x.imag != 0 ? 0 : x.real / y.real, x.imag == 0 ? 0 : x.imag / y.real};
    }
    if (y.real == 0) {
        return (torc_fc64){
            x.imag == 0 && x.real != 0 ? 0 : x.imag / y.imag, x.real == 0 ? 0 : -x.real / y.imag};
    }
    if (isinf(y.real) && isinf(y.imag)) {
        double sign = signbit(y.real) == signbit(y.imag) ? 1 : -1, scale = y.real + sign * y.imag;
        return (torc_fc64){(x.real + sign * x.imag) / scale, (x.imag - sign * x.real) / scale};
    }
    if (fabs(y.real) < fabs(y.imag)) {
        double ratio = y.real / y.imag, scale = ratio * y.real + y.imag;
        return (torc_fc64){(x.real * ratio + x.imag) / scale, (x.imag * ratio - x.real) / scale};
    }
    double ratio = y.imag / y.real, scale = ratio * y.imag + y.real;
    return (torc_fc64){(x.imag * ratio + x.real) / scale, (x.imag - x.real * ratio) / scale};
}

#define COMPLEX_OPERATOR(name, TYPE, ctype, real_expression, imag_expression)                                \
    OPERATOR(name, TYPE, ctype, ((ctype){real_expression, imag_expression}))
#define COMPLEX_OPERATORS(TYPE, ctype, real_type)                                                            \
    static ctype divide_##TYPE(ctype x, ctype y)                                                             \
    {                                                                                                        \
        torc_fc64 z = divide_complex((torc_fc64){x.real, x.imag}, (torc_fc64){y.real, y.imag});              \
        return (ctype){(real_type)z.real, (real_type)z.imag};                                                \
    }                                                                                                        \
    COMMON_OPERATORS(TYPE, ctype, ((ctype){1, 0}))                                                           \
    COMPARISON(eq, TYPE, ctype, x.real == y.real && x.imag == y.imag)                                        \
    COMPARISON(ne, TYPE, ctype, x.real != y.real || x.imag != y.imag)                                        \
    COMPLEX_OPERATOR(iseq, TYPE, ctype, x.real == y.real && x.imag == y.imag, 0)                             \
    COMPLEX_OPERATOR(isne, TYPE, ctype, x.real != y.real || x.imag != y.imag, 0)                             \
    COMPLEX_OPERATOR(plus, TYPE, ctype, x.real + y.real, x.imag + y.imag)                                    \
    COMPLEX_OPERATOR(minus, TYPE, ctype, x.real - y.real, x.imag - y.imag)                                   \
    COMPLEX_OPERATOR(rminus, TYPE, ctype, y.real - x.real, y.imag - x.imag)                                  \
    COMPLEX_OPERATOR(                                                                                        \
        times, TYPE, ctype, x.real *y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)             \
    OPERATOR(div, TYPE, ctype, divide_##TYPE(x, y))                                                          \
    OPERATOR(rdiv, TYPE, ctype, divide_##TYPE(y, x))

/* Booleans are read as 0 or 1. */
COMMON_OPERATORS(BOOL, bool, 1)
ORDER_COMPARISONS(BOOL, bool)
SIGNED_OPERATORS(INT8, int8_t, uint32_t, INT8_MIN, INT8_MAX)
SIGNED_OPERATORS(INT16, int16_t, uint32_t, INT16_MIN, INT16_MAX)
SIGNED_OPERATORS(INT32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
SIGNED_OPERATORS(INT64, int64_t, uint64_t, INT64_MIN, INT64_MAX)
UNSIGNED_OPERATORS(UINT8, uint8_t, uint32_t, UINT8_MAX)
UNSIGNED_OPERATORS(UINT16, uint16_t, uint32_t, UINT16_MAX)
UNSIGNED_OPERATORS(UINT32, uint32_t, uint32_t, UINT32_MAX)
UNSIGNED_OPERATORS(UINT64, uint64_t, uint64_t, UINT64_MAX)
REAL_OPERATORS(FP32, float, fminf, fmaxf)
REAL_OPERATORS(FP64, double, fmin, fmax)
COMPLEX_OPERATORS(FC32, torc_fc32, float)
COMPLEX_OPERATORS(FC64, torc_fc64, double)

/* ---- Tables ------------------------------------------------------------------------------------------- */

#define ORDERED_ADDS(TYPE)                                                                                   \
    [TORC_PLUS_MONOID] = plus_##TYPE, [TORC_TIMES_MONOID] = times_##TYPE, [TORC_MIN_MONOID] = min_##TYPE,    \
    [TORC_MAX_MONOID] = max_##TYPE, [TORC_ANY_MONOID] = first_##TYPE
#define SIGNED_ADDS(TYPE) [TORC_##TYPE] = {ORDERED_ADDS(TYPE)}
#define UNSIGNED_ADDS(TYPE)                                                                                  \
    [TORC_##TYPE] = {ORDERED_ADDS(TYPE), [TORC_BOR_MONOID] = bor_##TYPE, [TORC_BAND_MONOID] = band_##TYPE,   \
        [TORC_BXOR_MONOID] = bxor_##TYPE, [TORC_BXNOR_MONOID] = bxnor_##TYPE}
#define COMPLEX_ADDS(TYPE)                                                                                   \
    [TORC_##TYPE] = {[TORC_PLUS_MONOID] = plus_##TYPE,                                                       \
        [TORC_TIMES_MONOID] = times_##TYPE,                                                                  \
        [TORC_ANY_MONOID] = first_##TYPE}

static const torc_reference_operator adds[TORC_TYPE_COUNT][TORC_MONOID_COUNT] = {
    [TORC_BOOL] = {[TORC_ANY_MONOID] = first_BOOL,
        [TORC_LOR_MONOID] = lor_BOOL,
        [TORC_LAND_MONOID] = land_BOOL,
        [TORC_LXOR_MONOID] = lxor_BOOL,
        [TORC_LXNOR_MONOID] = eq_BOOL},
    SIGNED_ADDS(INT8),
    SIGNED_ADDS(INT16),
    SIGNED_ADDS(INT32),
    SIGNED_ADDS(INT64),
    UNSIGNED_ADDS(UINT8),
    UNSIGNED_ADDS(UINT16),
    UNSIGNED_ADDS(UINT32),
    UNSIGNED_ADDS(UINT64),
    SIGNED_ADDS(FP32),
    SIGNED_ADDS(FP64),
    COMPLEX_ADDS(FC32),
    COMPLEX_ADDS(FC64),
};

#define COMMON_MULTIPLIES(TYPE)                                                                              \
    [TORC_FIRST] = first_##TYPE, [TORC_SECOND] = second_##TYPE, [TORC_PAIR] = pair_##TYPE,                   \
    [TORC_EQ] = eq_##TYPE, [TORC_NE] = ne_##TYPE
#define ORDER_MULTIPLIES(TYPE)                                                                               \
    [TORC_GT] = gt_##TYPE, [TORC_LT] = lt_##TYPE, [TORC_GE] = ge_##TYPE, [TORC_LE] = le_##TYPE,              \
    [TORC_LOR] = lor_##TYPE, [TORC_LAND] = land_##TYPE, [TORC_LXOR] = lxor_##TYPE
#define NUMBER_MULTIPLIES(TYPE)                                                                              \
    [TORC_PLUS] = plus_##TYPE, [TORC_MINUS] = minus_##TYPE, [TORC_RMINUS] = rminus_##TYPE,                   \
    [TORC_TIMES] = times_##TYPE, [TORC_DIV] = div_##TYPE, [TORC_RDIV] = rdiv_##TYPE,                         \
    [TORC_ISEQ] = iseq_##TYPE, [TORC_ISNE] = isne_##TYPE
#define ORDERED_MULTIPLIES(TYPE)                                                                             \
    COMMON_MULTIPLIES(TYPE), ORDER_MULTIPLIES(TYPE), NUMBER_MULTIPLIES(TYPE),                                \
        [TORC_MIN] = min_##TYPE, [TORC_MAX] = max_##TYPE, [TORC_ISGT] = isgt_##TYPE,                         \
        [TORC_ISLT] = islt_##TYPE, [TORC_ISGE] = isge_##TYPE, [TORC_ISLE] = isle_##TYPE
#define INTEGER_MULTIPLIES(TYPE)                                                                             \
    [TORC_##TYPE] = {ORDERED_MULTIPLIES(TYPE), [TORC_BOR] = bor_##TYPE, [TORC_BAND] = band_##TYPE,           \
        [TORC_BXOR] = bxor_##TYPE, [TORC_BXNOR] = bxnor_##TYPE}

static const torc_reference_operator multiplies[TORC_TYPE_COUNT][TORC_MULTIPLY_COUNT] = {
    [TORC_BOOL] = {COMMON_MULTIPLIES(BOOL), ORDER_MULTIPLIES(BOOL)},
    INTEGER_MULTIPLIES(INT8),
    INTEGER_MULTIPLIES(INT16),
    INTEGER_MULTIPLIES(INT32),
    INTEGER_MULTIPLIES(INT64),
    INTEGER_MULTIPLIES(UINT8),
    INTEGER_MULTIPLIES(UINT16),
    INTEGER_MULTIPLIES(UINT32),
    INTEGER_MULTIPLIES(UINT64),
    [TORC_FP32] = {ORDERED_MULTIPLIES(FP32)},
    [TORC_FP64] = {ORDERED_MULTIPLIES(FP64)},
    [TORC_FC32] = {COMMON_MULTIPLIES(FC32), NUMBER_MULTIPLIES(FC32)},
    [TORC_FC64] = {COMMON_MULTIPLIES(FC64), NUMBER_MULTIPLIES(FC64)},
};

torc_reference_operator torc_reference_add(torc_monoid add, torc_type type)
{
    return adds[type][add];
}

torc_reference_operator torc_reference_multiply(torc_multiply multiply, torc_type type)
{
    return multiplies[type][multiply];
}

int64_t torc_reference_position(torc_multiply multiply, int64_t i, int64_t k, int64_t j)
{
    switch (multiply) {
    case TORC_FIRSTI:
        return i;
    case TORC_FIRSTI1:
        return i + 1;
    case TORC_FIRSTJ:
    case TORC_SECONDI:
        return k;
    case TORC_FIRSTJ1:
    case TORC_SECONDI1:
        return k + 1;
    case TORC_SECONDJ:
        return j;
    default:
        return j + 1;
    }
}

/* ---- Identities --------------------------------------------------------------------------------------- */

static void lowest(void *z, torc_type type)
{
    double below_all = -INFINITY;
    torc_cast(z, type, &below_all, TORC_FP64); /* saturates to the lowest integer */
}

static void highest(void *z, torc_type type)
{
    double above_all = INFINITY;
    torc_cast(z, type, &above_all, TORC_FP64);
}

void torc_reference_identity(void *z, torc_reduction reduction)
{
    torc_type type = reduction.type;
    int64_t one = 1;
    memset(z, 0, torc_type_size(type));
    switch (reduction.add) {
    case TORC_USER_MONOID:
        if (reduction.definition->identity) {
            memcpy(z, reduction.definition->identity, torc_type_size(type));
        }
        break;
    case TORC_TIMES_MONOID:
    case TORC_LAND_MONOID:
    case TORC_LXNOR_MONOID:
        torc_cast(z, type, &one, TORC_INT64);
        break;
    case TORC_MIN_MONOID:
    case TORC_BAND_MONOID:
    case TORC_BXNOR_MONOID:
        highest(z, type);
        break;
    case TORC_MAX_MONOID:
        lowest(z, type);
        break;
    default:
        break;
    }
}
