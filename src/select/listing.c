#include "listing.h"
#include "candidates.h"

void torc_listing_add(torc_listing *listing, torc_spmm_kernel kernel)
{
    if (listing->count < TORC_MAX_CANDIDATES) {
        listing->list[listing->count++] = kernel;
    }
}

void torc_listing_add_ways(torc_listing *listing, torc_spmm_kernel kernel, int group)
{
    for (kernel.ways = 2; kernel.ways * kernel.shape.lanes <= TORC_WARP; kernel.ways *= 2) {
        if (kernel.ways * kernel.shape.lanes >= group) {
            torc_listing_add(listing, kernel);
        }
    }
}

/* Can one instruction move a vector of such values, at places that `alignment` divides? */
static bool vector_fits(int vector, size_t size, uint64_t alignment)
{
    size_t bytes = (size_t)vector * size;
    bool is_power_of_two = (bytes & (bytes - 1)) == 0; /* of an opaque type it need not be */
    return bytes <= TORC_VECTOR_BYTES && is_power_of_two && alignment % bytes == 0;
}

bool torc_is_legal_vector(int vector, const torc_problem *problem)
{
    return vector == 1 ||
           (problem->ncols % vector == 0 && vector_fits(vector, problem->c_size, problem->c_alignment) &&
               (problem->b_size == 0 || vector_fits(vector, problem->b_size, problem->b_alignment)));
}

bool torc_reaches_across(const torc_problem *problem, torc_shape shape)
{
    return (int64_t)shape.lanes * shape.vector >= problem->ncols;
}

bool torc_leaves_threads_idle(const torc_problem *problem, torc_shape shape)
{
    double threads = (double)problem->rows->nrows * (double)problem->ncols / shape.vector;
    return threads < (double)problem->device.threads * problem->device.multiprocessors &&
           (size_t)(shape.lanes * shape.vector) * problem->b_size >= TORC_LINE_BYTES;
}

bool torc_has_small_values(const torc_spmm_kernel *kernel, const torc_problem *problem)
{
    return vector_fits(kernel->shape.vector, problem->c_size, TORC_VECTOR_BYTES) &&
           torc_type_size(kernel->a_type) <= TORC_VECTOR_BYTES &&
           torc_type_size(kernel->b_type) <= TORC_VECTOR_BYTES;
}
