#include "bench_floor.h"

bench_floor bench_floor_bytes(const bench_matrix *A, torc_semiring semiring, int64_t ncols)
{
    torc_traits traits = torc_semiring_traits(semiring);
    double size = (double)torc_type_size(semiring.type), index = sizeof(int32_t), row = size * (double)ncols;
    double a = index * ((double)A->nrows + 1) + (double)A->nnz * (index + (traits.reads_a ? size : 0));
    double c = (double)A->nrows * row, row_of_b = traits.reads_b ? row : 0;
    return (bench_floor){a + c + (double)A->ncols * row_of_b, a + c + (double)A->nnz * row_of_b};
}
