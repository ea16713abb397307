#include "slice_families.h"
#include "gathers.h"

enum { MAX_VECTOR = 4, LEAST_GROUP = 8 };

void torc_list_slices(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    (void)problem;
    torc_listing_add(listing, kernel);
}

static bool may_stream(const torc_problem *problem, const torc_spmm_kernel *kernel)
{
    return problem->is_everywhere && kernel->shape.lanes == 1 &&
           torc_reaches_across(problem, kernel->shape) && torc_has_small_values(kernel, problem);
}

void torc_list_streamed(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    if (may_stream(problem, &kernel)) {
        torc_listing_add(listing, kernel);
    }
}

/* Streamed where that can be. Several entries at once compete with that only where a vector fills 16 bytes:
 * below, at N = 1 on an H200, the best of them took 2 to 57 % longer on each of six matrices of the bench in
 * fp32 and fp64. And only of the widest vectors, in groups of 8 or more: others come within 6 % of the best
 * kernel on only 6 of 242 products (the sweep of src/select/measured_rates.c). */
void torc_list_parallel_slices(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    int vector = kernel.shape.vector;
    bool fills = (size_t)vector * problem->c_size == TORC_VECTOR_BYTES;
    bool is_widest = vector == MAX_VECTOR || !torc_is_legal_vector(2 * vector, problem);
    if (torc_reaches_across(problem, kernel.shape) && is_widest && (fills || !may_stream(problem, &kernel))) {
        torc_listing_add_ways(listing, kernel, LEAST_GROUP);
    }
}

double torc_slice_of(const torc_spmm_kernel *kernel)
{
    int together = torc_families[kernel->family].block_slices;
    return TORC_SLICE_NNZ * (together > 0 ? together : 1);
}

double torc_warp_slice_of(const torc_spmm_kernel *kernel)
{
    const torc_family_facts *family = &torc_families[kernel->family];
    return torc_slice_of(kernel) / (family->block_slices > 0 ? family->threads / TORC_WARP : 1);
}

static double seconds_of_slices(double *longest, const torc_work *w, const torc_spmm_kernel *kernel,
    double batch, const torc_rates *rates)
{
    double slice = torc_warp_slice_of(kernel), begin = (kernel->has_mask ? 2 : 1) * rates->row;
    *longest = begin + rates->scan * log2(w->ways) + torc_batches(slice, w->ways) * batch;
    return ceil(w->full_rows * w->entries / slice) * *longest + w->rows / w->ways * rates->slice_row;
}

double torc_slice_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    double batch = torc_shares_entries(kernel) ? rates->shared_batch : rates->batch;
    return seconds_of_slices(longest, w, kernel, batch + w->piece * rates->element, rates);
}

double torc_stream_seconds(
    double *longest, const torc_work *w, const torc_spmm_kernel *kernel, const torc_rates *rates)
{
    return seconds_of_slices(
        longest, w, kernel, rates->stream_byte * (torc_size_of_a(kernel) + w->piece), rates);
}
