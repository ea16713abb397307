/* value_types.h: GraphBLAS's built-in types, one that a program defines, and random values of them. */
#ifndef TORC_VALUE_TYPES_H
#define TORC_VALUE_TYPES_H

#include "random_chance.h"
#include <torc/graphblas.h>

/* X(enumerator, handle, C type), in the order of torc_type. */
#define REAL_TYPE_MAP(X)                                                                                     \
    X(BOOL, GrB_BOOL, bool)                                                                                  \
    X(INT8, GrB_INT8, int8_t)                                                                                \
    X(INT16, GrB_INT16, int16_t)                                                                             \
    X(INT32, GrB_INT32, int32_t)                                                                             \
    X(INT64, GrB_INT64, int64_t)                                                                             \
    X(UINT8, GrB_UINT8, uint8_t)                                                                             \
    X(UINT16, GrB_UINT16, uint16_t)                                                                          \
    X(UINT32, GrB_UINT32, uint32_t)                                                                          \
    X(UINT64, GrB_UINT64, uint64_t)                                                                          \
    X(FP32, GrB_FP32, float)                                                                                 \
    X(FP64, GrB_FP64, double)

#define VALUE_TYPE_MAP(X)                                                                                    \
    REAL_TYPE_MAP(X)                                                                                         \
    X(FC32, GxB_FC32, GxB_FC32_t)                                                                            \
    X(FC64, GxB_FC64, GxB_FC64_t)

typedef enum value_type {
#define X(name, handle, ctype) VALUE_##name,
    VALUE_TYPE_MAP(X)
#undef X
        VALUE_TYPE_COUNT,
    VALUE_UDT = VALUE_TYPE_COUNT /* user-defined */
} value_type;

typedef struct value_path {
    double cost;
    int64_t hops;
} value_path;

/* That one too. */
#define ANY_TYPE_MAP(X)                                                                                      \
    VALUE_TYPE_MAP(X)                                                                                        \
    X(UDT, torc_value_path(), value_path)

GrB_Type torc_value_path(void);

typedef enum value_style {
    STYLE_EXACT,   /* integers of at most 4: sums of 8000 products are exact in every type */
    STYLE_WIDE,    /* the whole range of integers; finite reals that fit in FP32 */
    STYLE_SPECIAL, /* the same, with NaN, infinities, -0 and the largest FP64 */
} value_style;

GrB_Type torc_value_handle(value_type type);
size_t torc_value_size(value_type type);
const char *torc_value_type_name(value_type type);
bool torc_value_is_real(value_type type); /* FP32 or FP64 */
bool torc_value_is_complex(value_type type);

void torc_value_draw(void *value, value_type type, value_style style, uint64_t *stream);

/* NaN equals NaN, and 0 equals -0. */
bool torc_value_equal(value_type type, const void *x, const void *y);

/* The real part, or the cost. */
double torc_value_as_double(value_type type, const void *value);

/* Real part and imaginary part; how many of them the type has. */
int torc_value_get(double parts[2], value_type type, const void *value);

/* Of a floating-point type. */
void torc_value_set(void *value, value_type type, const double parts[2]);

#endif
