/* mxm_call.h: one product (GrB_mxm, GrB_mxv, GrB_vxm) on its way: planned (mxm_plan.c), decided
 * (mxm_decide.c), run on the device (mxm_run.c, mxm_panels.c). Each step says false where the call stays on
 * the CPU, and `why`; nothing of the caller's has changed then. */
#ifndef TORC_MXM_CALL_H
#define TORC_MXM_CALL_H

#include "burble.h"
#include "decision.h"
#include "epilogue.h"
#include "experience.h"
#include "upfront.h"
#include "user_semiring.h"

/* A vector is a matrix of one column: mxv is mxm of a matrix and one, and vxm that of the transposed matrix,
 * with multiply's arguments exchanged. GraphBLAS takes a vector's handle for a matrix's. */
typedef enum torc_product_name { TORC_MXM, TORC_MXV, TORC_VXM } torc_product_name;

typedef struct torc_mxm_call {
    torc_product_name name;
    const torc_binding *graphblas;
    torc_output output;
    GrB_Semiring semiring;
    GrB_Matrix A, B;
    GrB_Descriptor descriptor;
    bool transpose_a, transpose_b;
    torc_view view_a, view_b, view_c; /* nvec < 0: not read */
    torc_view view_mask;
    int64_t *lists; /* of an operand that is full, and read as a sparse one */
    torc_semiring known;
    bool is_known;
    torc_user_semiring user; /* what `known` borrows from, where it is user-defined */
    torc_product product;
    torc_epilogue epilogue;
    torc_epilogue alone; /* of T as a matrix of its own, where C is accumulated into apart (accumulate.h) */
    torc_view view_t;
    torc_workload work;
    torc_cost cost;
    torc_call_kind kind;
    torc_upfront_call upfront;
    int like_calls;
    bool has_cost;   /* and a kind */
    double patience; /* seconds that it waits for the device */
    bool defers_kernel, is_put_off;
    bool stays;     /* the result, on the device */
    uint64_t maker; /* of it */
    torc_times times;
    const char *why;
    int cancels; /* may the thread be cancelled, outside of torc? */
} torc_mxm_call;

/* What the kernel does where the result stays on the device. */
static inline const torc_epilogue *torc_mxm_epilogue_there(const torc_mxm_call *call)
{
    return call->alone.is_fused ? &call->alone : &call->epilogue;
}

/* false, with the reason: a static string. */
bool torc_mxm_decline(torc_mxm_call *call, const char *why);

/* Read the descriptor and the operands in place, recognise the semiring, plan the product and what follows
 * it. What is cheap to ask is asked first: most calls of most programs are not torc's. */
bool torc_mxm_plan(torc_mxm_call *call);

/* Of T. */
GrB_Type torc_mxm_result_type(const torc_mxm_call *call);

/* CPU or GPU: by what both are predicted to take, and by what the device is doing. */
bool torc_mxm_decide(torc_mxm_call *call);

/* What became of the last call with a semiring: its operands travel in vain once. */
typedef enum torc_kernel_state {
    TORC_KERNEL_UNKNOWN,
    TORC_KERNEL_COMPILING, /* while that is under way beside the program */
    TORC_KERNEL_MISSING,   /* and there is no compiler */
} torc_kernel_state;
_Atomic torc_kernel_state *torc_mxm_kernel_state(const torc_mxm_call *call);

/* Is anything sparse on the host dense on the device alone? */
bool torc_mxm_needs_to_stay(const torc_mxm_call *call);

/* What the call lost on the CPU, or gained on the device, by now: it took so many seconds. */
void torc_mxm_note_loss(const torc_mxm_call *call, double seconds);
void torc_mxm_note_gain(const torc_mxm_call *call, double seconds);

/* Looks at every value of the mask, which a call that stays on the CPU need not wait for. */
bool torc_mxm_mask_is_clear(torc_mxm_call *call);

/* On the device, up to C itself, with no more threads than GraphBLAS would take. */
bool torc_mxm_run(torc_mxm_call *call);

/* A part of that, in mxm_panels.c: the result lands in host memory. The caller has acquired the device. On
 * error T is empty. */
torc_status torc_mxm_run_in_panels(torc_mxm_call *call, torc_arrays *T, torc_context *context);

#endif
