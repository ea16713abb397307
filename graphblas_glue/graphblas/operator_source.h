/* operator_source.h: built-in multiplies of GraphBLAS that the engine lacks, as C source, which it takes as
 * it takes that of user-defined ones. They are fmod, remainder, copysign and ldexp on floating point, and
 * bget, bset, bclr and bshift on integers, exactly as GraphBLAS computes them. pow, atan2 and hypot are not
 * among them, since their last bits depend on the mathematical library; nor is cmplx, whose results are
 * complex. */
#ifndef TORC_OPERATOR_SOURCE_H
#define TORC_OPERATOR_SOURCE_H

#include "binding.h"

typedef struct torc_operator_source {
    const char *symbol;    /* "GxB_FMOD_FP32" */
    const char *name;      /* of the function in the source */
    const char *text;      /* its definition */
    torc_function on_host; /* the same */
} torc_operator_source;

/* NULL: there is no source for this operator. Any thread. */
const torc_operator_source *torc_operator_source_find(const torc_binding *graphblas, GrB_BinaryOp handle);

#endif
