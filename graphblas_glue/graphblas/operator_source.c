/* operator_source.c: see operator_source.h. Each text is compiled twice: here for the host, and as source for
 * the device. */
#include "operator_source.h"
#include <math.h>

/* X(GraphBLAS's name, type's name, type of x and z, of y, z) */
#define REAL_OPERATORS(X, TYPE, type, f)                                                                     \
    X(FMOD, TYPE, type, type, fmod##f(x, y))                                                                 \
    X(REMAINDER, TYPE, type, type, remainder##f(x, y))                                                       \
    X(COPYSIGN, TYPE, type, type, copysign##f(x, y))                                                         \
    X(LDEXP, TYPE, type, type, ldexp##f(x, y > -2147483649.0 && y < 2147483648.0 ? (int)y : -2147483647 - 1))

/* Bits are numbered from 1. bshift: to the left where y is positive; by all bits and the sign is left. */
#define INTEGER_OPERATORS(X, TYPE, type, unsigned_type, bits)                                                \
    X(BGET, TYPE, type, type, y >= 1 && y <= bits ? (x >> (y - 1)) & 1 : 0)                                  \
    X(BSET, TYPE, type, type, y >= 1 && y <= bits ? x | (type)((unsigned_type)1 << (y - 1)) : x)             \
    X(BCLR, TYPE, type, type, y >= 1 && y <= bits ? x & (type) ~((unsigned_type)1 << (y - 1)) : x)           \
    X(BSHIFT, TYPE, type, int8_t,                                                                            \
        y >= bits    ? 0                                                                                     \
        : y >= 0     ? (type)((unsigned_type)x << y)                                                         \
        : y <= -bits ? x >> (bits - 1) >> 1                                                                  \
                     : x >> -y)

#define OPERATORS(X)                                                                                         \
    REAL_OPERATORS(X, FP32, float, f)                                                                        \
    REAL_OPERATORS(X, FP64, double, )                                                                        \
    INTEGER_OPERATORS(X, INT8, int8_t, uint8_t, 8)                                                           \
    INTEGER_OPERATORS(X, INT16, int16_t, uint16_t, 16)                                                       \
    INTEGER_OPERATORS(X, INT32, int32_t, uint32_t, 32)                                                       \
    INTEGER_OPERATORS(X, INT64, int64_t, uint64_t, 64)                                                       \
    INTEGER_OPERATORS(X, UINT8, uint8_t, uint8_t, 8)                                                         \
    INTEGER_OPERATORS(X, UINT16, uint16_t, uint16_t, 16)                                                     \
    INTEGER_OPERATORS(X, UINT32, uint32_t, uint32_t, 32)                                                     \
    INTEGER_OPERATORS(X, UINT64, uint64_t, uint64_t, 64)

#define DEFINE(NAME, TYPE, xtype, ytype, expression)                                                         \
    static void on_host_##NAME##_##TYPE(void *z, const void *px, const void *py)                             \
    {                                                                                                        \
        xtype x = *(const xtype *)px;                                                                        \
        ytype y = *(const ytype *)py;                                                                        \
        *(xtype *)z = (xtype)(expression);                                                                   \
    }
OPERATORS(DEFINE)
#undef DEFINE

static const torc_operator_source operators[] = {
#define ENTRY(NAME, TYPE, xtype, ytype, expression)                                                          \
    {"GxB_" #NAME "_" #TYPE, "torc_" #NAME,                                                                  \
        "static void torc_" #NAME "(" #xtype " *z, const " #xtype " *px, const " #ytype " *py)\n"            \
        "{ " #xtype " x = *px; " #ytype " y = *py; *z = (" #xtype ")(" #expression "); }\n",                 \
        on_host_##NAME##_##TYPE},
    OPERATORS(ENTRY)
#undef ENTRY
};

const torc_operator_source *torc_operator_source_find(const torc_binding *graphblas, GrB_BinaryOp handle)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (torc_binding_handle(graphblas, operators[i].symbol) == (void *)handle) {
            return &operators[i];
        }
    }
    return NULL;
}
