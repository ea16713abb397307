/* gathers.h: the prediction of families that gather rows of B through L1. */
#ifndef TORC_GATHERS_H
#define TORC_GATHERS_H

#include "families.h"
#include "footprint.h"

torc_prediction torc_predict_gathers(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates);

/* The share of A's entries that miss L2. Each needs `bytes` of a row of B; every column is fetched at least
 * once. */
double torc_misses_of_l2(const torc_footprint *footprint, double nnz, double bytes, const torc_rates *rates);

/* Do the lanes of a group share A's entries through shared memory? */
bool torc_shares_entries(const torc_spmm_kernel *kernel);

#endif
