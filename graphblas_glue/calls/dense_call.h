/* dense_call.h: one element-wise operation or reduction of GraphBLAS on dense objects, from its arguments to
 * C. A call that torc does not cover, that is not worth it, or that fails leaves the caller's objects as they
 * were, and SuiteSparse computes it. */
#ifndef TORC_DENSE_CALL_H
#define TORC_DENSE_CALL_H

#include "finish.h"
#include "operations.h"
#include "user_operation.h"

/* One input: a matrix or vector, or one value for all places. */
typedef struct torc_input {
    GrB_Matrix matrix;
    bool transpose;
    bool is_value;
    torc_scalar value;
    torc_view view; /* filled in */
} torc_input;

typedef struct torc_dense_call {
    const char *name; /* of GraphBLAS's function */
    int threads;      /* that it may use */
    torc_output output;
    torc_operation operation;
    torc_user_semiring user; /* what operation or reduction borrows from (user_operation.h) */
    bool is_reduction;       /* of A's rows, by `reduction`, instead of the operation */
    torc_reduction reduction;
    int ninputs;
    torc_input inputs[2];
    bool is_oriented_by_input;     /* C is empty, and gets the first input's orientation */
    torc_index_list rows, columns; /* T(i,j) is of element (rows[i], columns[j]) of the first input, after its
                                      transposition; or */
    bool is_assignment;            /* T(i,j) goes to element (rows[i], columns[j]) of C, whose others stay */
    bool mask_is_of_part, transposes_mask; /* of an assignment: the mask has T's shape, and says what is
                                              replaced there alone */
} torc_dense_call;

/* Could the call run on a device at all? Cheap to ask: most calls of most programs could not. */
bool torc_dense_call_is_thinkable(GrB_Matrix C);

/* A call with this output; operation and inputs are the caller's to fill in. */
torc_dense_call torc_dense_call_begin(const torc_target *target);

/* Read the descriptor: what it says of the output, and whether each input is transposed. false: it is not a
 * descriptor. */
bool torc_dense_call_read_descriptor(torc_dense_call *call, GrB_Descriptor desc);

/* Does everything that can run on the device? */
bool torc_dense_is_forced(void);

/* true: C has the result, and the function returns GrB_SUCCESS. Releases `user`. */
bool torc_dense_call_try(torc_dense_call *call);

#endif
