/* traced_mxm.h: torc_mxm on a device whatever it costs, and where each call ran, by what torc itself says of
 * it on standard error. */
#ifndef TORC_TRACED_MXM_H
#define TORC_TRACED_MXM_H

#include <torc/graphblas.h>

/* Set torc's environment, before its first call in this process: TORC_BACKEND stays where it is set;
 * otherwise it is the GPU, or the reference executor where there is none. Every call is forced onto it. */
void torc_trace_begin(void);
bool torc_trace_is_reference(void);

typedef struct mxm_trace {
    char text[4096]; /* what was written */
    int nlines;
    char where[16]; /* "cpu", "reference" or "cuda": the first of these words; "" where there is none */
} mxm_trace;

/* What torc_traced_mxm calls: torc_mxm, unless a test makes the call in a manner of its own. */
typedef GrB_Info mxm_function(
    GrB_Matrix, GrB_Matrix, GrB_BinaryOp, GrB_Semiring, GrB_Matrix, GrB_Matrix, GrB_Descriptor);
extern mxm_function *torc_traced_function;

GrB_Info torc_traced_mxm(mxm_trace *trace, GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,
    GrB_Semiring semiring, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc);

#endif
