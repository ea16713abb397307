/* dropin_types.h: the types that functions of GraphBLAS are named after. */
#ifndef TORC_DROPIN_TYPES_H
#define TORC_DROPIN_TYPES_H

#include "dropin_real.h"

/* X(type, its C type, the prefix of functions) */
#define REAL_TYPES(X)                                                                                        \
    X(BOOL, bool, GrB)                                                                                       \
    X(INT8, int8_t, GrB)                                                                                     \
    X(INT16, int16_t, GrB)                                                                                   \
    X(INT32, int32_t, GrB)                                                                                   \
    X(INT64, int64_t, GrB)                                                                                   \
    X(UINT8, uint8_t, GrB)                                                                                   \
    X(UINT16, uint16_t, GrB)                                                                                 \
    X(UINT32, uint32_t, GrB)                                                                                 \
    X(UINT64, uint64_t, GrB)                                                                                 \
    X(FP32, float, GrB)                                                                                      \
    X(FP64, double, GrB)
#define ALL_TYPES(X)                                                                                         \
    REAL_TYPES(X)                                                                                            \
    X(FC32, GxB_FC32_t, GxB)                                                                                 \
    X(FC64, GxB_FC64_t, GxB)

#endif
