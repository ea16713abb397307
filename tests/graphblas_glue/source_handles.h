/* source_handles.h: the built-in multiplies that torc has as C source, as GraphBLAS names them. */
#ifndef TORC_SOURCE_HANDLES_H
#define TORC_SOURCE_HANDLES_H

#include "operator_source.h"
#include "require.h"
#include <stdio.h>

enum { SOURCE_OPERATORS = 40 };

typedef struct source_handle {
    GrB_BinaryOp handle;
    const torc_operator_source *source;
} source_handle;

/* GraphBLAS has been initialised. */
static inline void find_source_handles(source_handle handles[SOURCE_OPERATORS])
{
    static const char *const reals[] = {"FMOD", "REMAINDER", "COPYSIGN", "LDEXP"};
    static const char *const integers[] = {"BGET", "BSET", "BCLR", "BSHIFT"};
    static const char *const types[] = {
        "FP32", "FP64", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"};
    int count = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        for (int i = 0; i < 4; i++) {
            char symbol[32];
            snprintf(symbol, sizeof symbol, "GxB_%s_%s", t < 2 ? reals[i] : integers[i], types[t]);
            GrB_BinaryOp handle = torc_binding_handle(torc_binding_get(), symbol);
            TORC_REQUIRE(handle);
            handles[count++] = (source_handle){handle, torc_operator_source_find(torc_binding_get(), handle)};
        }
    }
}

#endif
