#include "brick_family.h"
#include "brick_height.h"
#include "gathers.h"

/* Products that one of values is made of on tensor cores; 0: they have none for it. */
static int products_of(torc_type type, torc_precision precision)
{
    enum { OF_SPLIT_VALUES = 3 };
    return precision == TORC_PRECISION_EXACT                       ? 0
           : type == TORC_FP32 && precision == TORC_PRECISION_FP32 ? OF_SPLIT_VALUES
           : type == TORC_FP32 || type == TORC_FP64                ? 1
                                                                   : 0;
}

/* A window at once, by tensor cores, where less than exact is asked for. */
void torc_list_bricks(torc_listing *listing, const torc_problem *problem, torc_spmm_kernel kernel)
{
    torc_semiring semiring = kernel.semiring;
    bool is_of_type = (kernel.a_access == TORC_ACCESS_NONE || kernel.a_type == semiring.type) &&
                      kernel.b_type == semiring.type;
    bool is_known = semiring.add == TORC_PLUS_MONOID &&
                    (semiring.multiply == TORC_TIMES || semiring.multiply == TORC_SECOND);
    kernel.products = products_of(semiring.type, problem->precision);
    kernel.height = problem->brick_height;
    bool is_too_tall = semiring.type == TORC_FP64 && kernel.height > 1;
    if (kernel.products == 0 || !is_known || !is_of_type || is_too_tall || problem->rows->nnz == 0 ||
        !torc_device_has_bricks(&problem->device)) {
        return;
    }
    for (int vector = TORC_VECTOR_BYTES / (int)problem->c_size; vector >= 1; vector /= 2) {
        if ((int64_t)TORC_BRICK_LANES * vector <= problem->ncols && torc_is_legal_vector(vector, problem)) {
            kernel.shape = (torc_shape){TORC_BRICK_LANES, vector};
            torc_listing_add(listing, kernel);
        }
    }
}

/* Each column that a window names is a row of B in every span. To begin and to end a window takes as long as
 * some bricks: a warp waits for its first loads, and stores its rows. Windows of neighbouring warps share L1.
 */
torc_prediction torc_predict_bricks(
    const torc_work *w, const torc_spmm_kernel *kernel, const torc_problem *problem, const torc_rates *rates)
{
    const torc_statistics *rows = problem->rows;
    int height = kernel->height;
    double nnz = (double)rows->nnz, windows = ceil(w->rows / (TORC_BRICK_ROWS * height));
    double bricks = torc_brick_count(rows, height);
    torc_footprint footprint = torc_footprint_of(rows);
    double of_block = fmax(1, TORC_BRICK_GROUP * TORC_BRICK_ROWS * height * rows->mean_row);
    double near =
        fmin(torc_brick_columns(rows, height), nnz * torc_footprint_columns(&footprint, of_block) / of_block);
    torc_spans b = torc_spans_of(kernel, problem);
    double bytes = (double)problem->ncols * (double)problem->b_size / b.count;
    double far = fmin(near, nnz * torc_misses_of_l2(&footprint, nnz, bytes, rates));
    double of_a = bricks * TORC_BRICK_PAIRS * sizeof(torc_brick_pair) +
                  nnz * (torc_size_of_a(kernel) - sizeof(uint32_t));
    double c_bytes = w->rows * (double)problem->ncols * (double)problem->c_size;
    double from_l2 =
        TORC_SECTOR * torc_units_of(&b, TORC_SECTOR) + rates->request * torc_units_of(&b, TORC_LINE_BYTES);
    double of_byte = kernel->products > 1                 ? rates->brick_split
                     : kernel->semiring.type == TORC_FP64 ? rates->brick_double
                                                          : rates->brick_byte;
    double span = (double)kernel->shape.lanes * kernel->shape.vector * (double)problem->b_size;
    return (torc_prediction){
        .memory = (b.count * of_a + c_bytes + far * TORC_LINE_BYTES * torc_units_of(&b, TORC_LINE_BYTES)) /
                  rates->memory,
        .gather = rates->brick_gather * near * from_l2 / rates->cache,
        .threads = (bricks + windows * rates->brick_window) * torc_brick_cost(height) * b.count *
                   (rates->brick + span * of_byte) / problem->device.multiprocessors,
    };
}
