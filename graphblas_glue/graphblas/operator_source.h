/* operator_source.h: built-in multiplies of GraphBLAS that the engine has no operator for, as the C source
 * that it takes for a user-defined one: fmod, remainder, copysign and ldexp on floating point, bget, bset,
 * bclr and bshift on integers, exactly as GraphBLAS computes them. Not among them: pow, atan2 and hypot,
 * whose last bits are the mathematical library's own, and cmplx, of complex results. */
#ifndef TORC_OPERATOR_SOURCE_H
#define TORC_OPERATOR_SOURCE_H

#include "binding.h"

typedef struct torc_operator_source {
    const char *symbol;    /* "GxB_FMOD_FP32" */
    const char *name;      /* of the function in the source */
    const char *text;      /* its definition */
    torc_function on_host; /* the same */
} torc_operator_source;

/* NULL where there is none for the operator. Any thread. */
const torc_operator_source *torc_operator_source_find(const torc_binding *graphblas, GrB_BinaryOp handle);

#endif
