/* slice_families.h: nonzero splits: slices one entry after another, in parallel, and streamed by a block. */
#ifndef TORC_SLICE_FAMILIES_H
#define TORC_SLICE_FAMILIES_H

#include "families.h"

void torc_list_slices(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_streamed(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);
void torc_list_parallel_slices(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel);

double torc_slice_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);
double torc_stream_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates);

/* How many entries share partials; and how many of these one warp takes, where a block has several slices. */
double torc_slice_of(const torc_spmm_kernel *kernel);
double torc_warp_slice_of(const torc_spmm_kernel *kernel);

#endif
