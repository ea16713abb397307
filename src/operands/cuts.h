/* cuts.h: cuts: what a family of kernels needs of a sparse operand beside its CSR arrays (family.h). */
#ifndef TORC_CUTS_H
#define TORC_CUTS_H

#include "sparse.h"

/* What the kernel needs of A for a product of so many columns: its family's cut, or tiles of parts. */
torc_cut torc_sparse_cut_of(const torc_sparse *A, const torc_spmm_kernel *kernel, int64_t ncols);

/* Make the cut, unless that was tried before. A cut that is a plan may turn out to be impossible, or to have
 * no room in memory. */
torc_status torc_sparse_cut(torc_sparse *A, torc_cut cut);

/* Is the cut a plan? A plan takes as long to make as some products, and an operand may never get it. */
bool torc_cut_is_plan(torc_cut cut);

/* has: A has this plan. lacks: it was tried, and A has none. */
bool torc_sparse_has_plan(const torc_sparse *A, torc_cut cut);
bool torc_sparse_lacks_plan(const torc_sparse *A, torc_cut cut);

/* Release all plans, and do without them from now on; and the shares of rows. false: there are none. */
bool torc_sparse_give_up_plans(torc_sparse *A);

/* Fill in the arguments that describe A's cut for that kernel; the cut is made if it was not. *npartials:
 * rows of partials that the kernel writes. */
torc_status torc_sparse_take_cut(
    torc_spmm_args *args, int64_t *npartials, torc_sparse *A, const torc_spmm_kernel *kernel);

#endif
