/* reference_operators.c: the operators in C: the second, independent statement of what cuda/operators.cuh
 * says. Integers wrap: signed ones are computed as unsigned. min and max are fmin and fmax on floating point.
 */
#include "reference.h"
#include <math.h>
#include <string.h>

#define OPERATOR(name, TYPE, ctype, expression)                                                              \
    static void name##_##TYPE(void *z, const void *px, const void *py)                                       \
    {                                                                                                        \
        ctype x = *(const ctype *)px, y = *(const ctype *)py;                                                \
        (void)x;                                                                                             \
        (void)y;                                                                                             \
        *(ctype *)z = (ctype)(expression);                                                                   \
    }

#define COMMON_OPERATORS(TYPE, ctype)                                                                        \
    OPERATOR(first, TYPE, ctype, x)                                                                          \
    OPERATOR(second, TYPE, ctype, y)                                                                         \
    OPERATOR(pair, TYPE, ctype, 1)

#define INTEGER_OPERATORS(TYPE, ctype, unsigned_type)                                                        \
    COMMON_OPERATORS(TYPE, ctype)                                                                            \
    OPERATOR(plus, TYPE, ctype, (unsigned_type)x + (unsigned_type)y)                                         \
    OPERATOR(times, TYPE, ctype, (unsigned_type)x *(unsigned_type)y)                                         \
    OPERATOR(min, TYPE, ctype, x < y ? x : y)                                                                \
    OPERATOR(max, TYPE, ctype, x > y ? x : y)

#define REAL_OPERATORS(TYPE, ctype, minimum, maximum)                                                        \
    COMMON_OPERATORS(TYPE, ctype)                                                                            \
    OPERATOR(plus, TYPE, ctype, x + y)                                                                       \
    OPERATOR(times, TYPE, ctype, x *y)                                                                       \
    OPERATOR(min, TYPE, ctype, minimum(x, y))                                                                \
    OPERATOR(max, TYPE, ctype, maximum(x, y))

COMMON_OPERATORS(BOOL, uint8_t)
OPERATOR(lor, BOOL, uint8_t, x || y)
OPERATOR(land, BOOL, uint8_t, x &&y)
INTEGER_OPERATORS(INT32, int32_t, uint32_t)
INTEGER_OPERATORS(INT64, int64_t, uint64_t)
INTEGER_OPERATORS(UINT32, uint32_t, uint32_t)
REAL_OPERATORS(FP32, float, fminf, fmaxf)
REAL_OPERATORS(FP64, double, fmin, fmax)

#define NUMBER_ADDS(TYPE)                                                                                    \
    [TORC_##TYPE] = {[TORC_PLUS_MONOID] = plus_##TYPE,                                                       \
        [TORC_MIN_MONOID] = min_##TYPE,                                                                      \
        [TORC_MAX_MONOID] = max_##TYPE,                                                                      \
        [TORC_ANY_MONOID] = first_##TYPE}

static const torc_reference_operator adds[TORC_TYPE_COUNT][TORC_MONOID_COUNT] = {
    [TORC_BOOL] = {[TORC_LOR_MONOID] = lor_BOOL, [TORC_ANY_MONOID] = first_BOOL},
    NUMBER_ADDS(INT32),
    NUMBER_ADDS(INT64),
    NUMBER_ADDS(UINT32),
    NUMBER_ADDS(FP32),
    NUMBER_ADDS(FP64),
};

#define COMMON_MULTIPLIES(TYPE)                                                                              \
    [TORC_FIRST] = first_##TYPE, [TORC_SECOND] = second_##TYPE, [TORC_PAIR] = pair_##TYPE

#define NUMBER_MULTIPLIES(TYPE)                                                                              \
    [TORC_##TYPE] = {[TORC_TIMES] = times_##TYPE,                                                            \
        [TORC_PLUS] = plus_##TYPE,                                                                           \
        [TORC_MIN] = min_##TYPE,                                                                             \
        [TORC_MAX] = max_##TYPE,                                                                             \
        COMMON_MULTIPLIES(TYPE)}

static const torc_reference_operator multiplies[TORC_TYPE_COUNT][TORC_MULTIPLY_COUNT] = {
    [TORC_BOOL] = {[TORC_LAND] = land_BOOL, COMMON_MULTIPLIES(BOOL)},
    NUMBER_MULTIPLIES(INT32),
    NUMBER_MULTIPLIES(INT64),
    NUMBER_MULTIPLIES(UINT32),
    NUMBER_MULTIPLIES(FP32),
    NUMBER_MULTIPLIES(FP64),
};

torc_reference_operator torc_reference_add(torc_monoid add, torc_type type)
{
    return adds[type][add];
}

torc_reference_operator torc_reference_multiply(torc_multiply multiply, torc_type type)
{
    return multiplies[type][multiply];
}

static void lowest(void *z, torc_type type)
{
    switch (type) {
    case TORC_INT32:
        *(int32_t *)z = INT32_MIN;
        break;
    case TORC_INT64:
        *(int64_t *)z = INT64_MIN;
        break;
    case TORC_FP32:
        *(float *)z = -INFINITY;
        break;
    case TORC_FP64:
        *(double *)z = -INFINITY;
        break;
    default: /* unsigned: 0 already */
        break;
    }
}

static void highest(void *z, torc_type type)
{
    switch (type) {
    case TORC_INT32:
        *(int32_t *)z = INT32_MAX;
        break;
    case TORC_INT64:
        *(int64_t *)z = INT64_MAX;
        break;
    case TORC_FP32:
        *(float *)z = INFINITY;
        break;
    case TORC_FP64:
        *(double *)z = INFINITY;
        break;
    default:
        *(uint32_t *)z = UINT32_MAX;
        break;
    }
}

void torc_reference_identity(void *z, torc_monoid add, torc_type type)
{
    memset(z, 0, torc_type_size(type));
    if (add == TORC_MIN_MONOID) {
        highest(z, type);
    } else if (add == TORC_MAX_MONOID) {
        lowest(z, type);
    }
}
