/* cuts.h: what families of kernels need of a sparse operand beside its CSR arrays (family.h). */
#ifndef TORC_CUTS_H
#define TORC_CUTS_H

#include "sparse.h"

/* Make it, if that was not tried. A cut that is a plan may turn out not to be possible, or to have no room in
 * memory. */
torc_status torc_sparse_cut(torc_sparse *A, torc_cut cut);

/* Is it a plan, which takes as long as some products, and may be lacking for good? */
bool torc_cut_is_plan(torc_cut cut);

/* A plan: A has it; it was tried, and A has none. */
bool torc_sparse_has_plan(const torc_sparse *A, torc_cut cut);
bool torc_sparse_lacks_plan(const torc_sparse *A, torc_cut cut);

/* Give the memory of all plans back, and do without from now on; false: there are none. */
bool torc_sparse_give_up_plans(torc_sparse *A);

/* What a launch of that kernel is given of A's cut, which is made if it was not, and in how many rows of
 * partials it leaves its sums. */
torc_status torc_sparse_take_cut(
    torc_spmm_args *args, int64_t *npartials, torc_sparse *A, const torc_spmm_kernel *kernel);

#endif
