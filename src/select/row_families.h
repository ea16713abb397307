/* row_families.h: row splits that gather rows of B: one entry after another, cached, several entries at once,
 * blocks for long rows, uniform, bundles of rows. */
#ifndef TORC_ROW_FAMILIES_H
#define TORC_ROW_FAMILIES_H

#include "families.h"

void torc_list_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_parallel_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_block_rows(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_uniform(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_bundles(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);

double torc_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);
double torc_cached_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);
double torc_block_row_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);
double torc_bundle_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);

#endif
