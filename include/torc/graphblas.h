/* graphblas.h: torc for programs that use SuiteSparse:GraphBLAS.
 *
 * torc_mxm answers as GrB_mxm does and runs on the GPU where that is possible and worth it. It finds the
 * GraphBLAS library that the program has loaded and links to none itself. The drop-in (torc run PROGRAM)
 * gives unchanged programs the same through GrB_mxm.
 *
 * Threads: as GraphBLAS: distinct outputs from distinct threads at once; inputs may be shared when finished
 * (GrB_Matrix_wait). Environment variables are read at the first call: see docs/environment.md.
 */
#ifndef TORC_GRAPHBLAS_H
#define TORC_GRAPHBLAS_H

#include <GraphBLAS.h>
#include <torc/torc.h>

#ifdef __cplusplus
extern "C" {
#endif

/** C⟨M,r⟩ = accum (C, op(A) ⊕.⊗ op(B)): GrB_mxm, argument by argument, status by status, error text included.
 *  On error C is unchanged. Whatever the device cannot do, or fails at, SuiteSparse computes.
 *  @retval GrB_PANIC  no GraphBLAS library is loaded in this process. */
TORC_API GrB_Info torc_mxm(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum,
    const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc);

/** Promise that the content of A does not change until torc_matrix_release(A), so that its device copy is
 * kept and used by every multiplication in which A is the sparse operand, through GrB_mxm or torc_mxm. The
 * copy is made by the first of them. A must not be freed while held. Holding twice is holding once.
 *  @retval GrB_SUCCESS               also where there is no device: a hold is only ever a hint.
 *  @retval GrB_NULL_POINTER, GrB_OUT_OF_MEMORY */
TORC_API GrB_Info torc_matrix_hold(GrB_Matrix A);

/** End the promise and free the device copy. Releasing what is not held does nothing. */
TORC_API GrB_Info torc_matrix_release(GrB_Matrix A);

#ifdef __cplusplus
}
#endif

#endif
