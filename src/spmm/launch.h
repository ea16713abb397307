/* launch.h: a product, or part of one, by a kernel that was chosen. */
#ifndef TORC_LAUNCH_H
#define TORC_LAUNCH_H

#include "problem.h"
#include "spmm.h"

/* X, an operand of the part, as selection is to see it: with the columns of the whole, at an address that any
 * vector may have. */
torc_dense torc_as_whole(const torc_dense *X, const torc_part *part);

/* The problem is of some columns of C: without families that compute all of them or none. */
void torc_rule_out_whole(torc_problem *problem);

/* What one launch is given, workspace included. */
torc_status torc_launch_prepare(torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_dense *C,
    torc_sparse *A, const torc_dense *B, const torc_update *update, int64_t first_column);

/* B and C are row-major, A has the plan that the kernel needs. For want of memory it fails before it writes
 * to C.
 *  TORC_UNSUPPORTED  some rows of a product, by a kernel that computes all of them or none */
torc_status torc_launch_kernel(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_update *update, const torc_part *part);

/* The same with tiles, of a plain product: several launches (run_tiles.c). */
torc_status torc_launch_tiles(const torc_spmm_kernel *kernel, const torc_dense *C, torc_sparse *A,
    const torc_dense *B, const torc_part *part);

#endif
