#include "panel_family.h"

enum { PANEL_ROW_BYTES = 8 };

/* About the part of a block's shared memory that is left for a panel of B. */
static double panel_bytes(const torc_device_facts *device)
{
    static const double SHARE = 192. / 227; /* the rest has sums, and where rows begin */
    return SHARE * (double)device->block_shared;
}

/* A row of B is one vector, read from a panel. Worth considering if rows of A have entries in most panels. */
void torc_list_panels(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    const torc_statistics *rows = problem->rows;
    size_t columns = (size_t)kernel.shape.vector, row_of_b = columns * problem->b_size;
    bool is_narrow = kernel.shape.vector == problem->ncols && row_of_b <= PANEL_ROW_BYTES &&
                     columns * problem->c_size <= PANEL_ROW_BYTES;
    if (is_narrow && torc_has_small_values(&kernel, problem) &&
        rows->mean_row * panel_bytes(&problem->device) >= (double)rows->ncols * (double)row_of_b) {
        kernel.ways = TORC_PANEL_WAYS;
        torc_listing_add(listing, kernel);
    }
}

/* A block a multiprocessor reads all of B, panel by panel, and visits its rows in each: as many ways as one
 * flight of the entries there takes, were they spread evenly. Warps wait for a long row at the end. */
torc_prediction torc_predict_panels(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    double multiprocessors = problem->device.multiprocessors;
    double c_bytes = w->rows * (double)problem->ncols * (double)problem->c_size;
    double b_bytes = (double)problem->rows->ncols * (double)problem->ncols * (double)problem->b_size;
    double count = fmax(1, ceil(b_bytes / panel_bytes(&problem->device))), entries = w->entries / count,
           ways = w->ways;
    while (ways < TORC_WARP && TORC_FLIGHT * ways < entries) {
        ways *= 2;
    }
    double waiting = 1 + w->spread * rates->imbalance;
    double turns = torc_batches(entries, ways) * rates->turn;
    double visit = ways / TORC_WARP * (rates->visit + turns) * waiting;
    return (torc_prediction){
        .memory = (w->full_rows * w->entries * torc_size_of_a(kernel) + c_bytes) / rates->memory,
        .gather = b_bytes / rates->fill,
        .threads = w->full_rows * count * visit / multiprocessors + count * rates->panel +
                   (double)problem->rows->max_row / (TORC_FLIGHT * TORC_WARP) * rates->batch,
    };
}
