#include "floor.h"

torc_floor torc_floor_of(const torc_problem *problem)
{
    const torc_spmm_kernel *kernel = &problem->kernel;
    double nrows = (double)problem->rows->nrows, nnz = (double)problem->rows->nnz;
    double a_value = kernel->a_access == TORC_ACCESS_ARRAY ? (double)torc_type_size(kernel->a_type) : 0;
    double offset = kernel->wide_offsets ? sizeof(uint64_t) : sizeof(uint32_t);
    double a = offset * (nrows + 1) + nnz * (sizeof(uint32_t) + a_value);
    double c = nrows * (double)problem->ncols * (double)problem->c_size;
    double row_of_b = (double)problem->ncols * (double)problem->b_size;
    return (torc_floor){a + c + (double)problem->rows->ncols * row_of_b, a + c + nnz * row_of_b};
}
