/* finish.h: C⟨M,r⟩ = accum (C, T), once T is known. */
#ifndef TORC_FINISH_H
#define TORC_FINISH_H

#include "pack.h"

/* The part of a GrB_mxm call that comes after the product. */
typedef struct torc_output {
    GrB_Matrix C;
    GrB_Matrix mask;
    GrB_BinaryOp accum;
    bool has_replace, has_complement, has_structure;
} torc_output;

/* T, of `type` and of C's shape, goes into C: packed in O(1) where it is C's new content already; otherwise
 * SuiteSparse applies mask, accumulator and cast. The arrays are consumed. On error C is unchanged, and the
 * error is not the caller's: GrB_mxm would report its own. */
GrB_Info torc_finish(const torc_output *output, const torc_binding *graphblas, const torc_view *C,
    GrB_Type type, bool is_content, torc_arrays *T);

/* The same by SuiteSparse, of a T that is a matrix already. */
GrB_Info torc_finish_matrix(const torc_output *output, const torc_binding *graphblas, GrB_Matrix T);

#endif
