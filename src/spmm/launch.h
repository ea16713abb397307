/* launch.h: a product, or part of one, by a kernel that was chosen. */
#ifndef TORC_LAUNCH_H
#define TORC_LAUNCH_H

#include "problem.h"
#include "spmm.h"

/* X is an operand of the part. Returns what selection is to see: X with the columns of the whole product, at
 * an address that is aligned for any vector. */
torc_dense torc_as_whole(const torc_dense *X, const torc_part *part);

/* The problem is about some columns of C: rule out families that can only compute all of them. */
void torc_rule_out_whole(torc_problem *problem);

/* Fill in the arguments of one launch, workspace included. */
torc_status torc_launch_prepare(torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_dense *C,
    torc_sparse *A, const torc_dense *B, const torc_update *update, int64_t first_column);

/* B and C are row-major, and A has the plan that the kernel needs. If memory is lacking, it fails before it
 * writes to C. TORC_UNSUPPORTED  some rows of a product, by a kernel that can only compute all of them */
torc_status torc_launch_kernel(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part);

/* The same for a plain product with tiles, which takes several launches (launch_tiles.c). */
torc_status torc_launch_tiles(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_part *part);

#endif
