/* accumulate.h: C⟨M,r⟩ = accum (C, T) with an accumulator that kernels do not have: a user-defined one, or
 * one that comes as source. T is a matrix of its own, which stays on the device. What follows is eWiseAdd:
 * accum where both have an element; elsewhere the one element that there is. */
#ifndef TORC_ACCUMULATE_H
#define TORC_ACCUMULATE_H

#include "dense_call.h"

/* Would the device do that? T's type is `type`; accum gives C's type, and takes it first. */
bool torc_accumulate_is_possible(const torc_output *output, const torc_view *C, GrB_Type type);

/* T's arrays are away, and are consumed. C has T's shape. SuiteSparse computes what the device does not. */
GrB_Info torc_accumulate(const torc_output *output, const torc_binding *graphblas, const torc_view *C,
    GrB_Type type, torc_arrays *T);

/* A dense operation with such an accumulator, in two passes. false: nothing has changed. Releases `user`. */
bool torc_accumulate_dense(torc_dense_call *call);

#endif
