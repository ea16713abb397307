/* ranks_written.c: products of a B in memory that others write to. */
#include "ranks_checks.h"
#include <stdlib.h>

enum { WIDE = 65 }; /* columns whose rows begin at any place within lines */

static double number_of(int64_t row, int64_t column, int step)
{
    return (double)((row * 7 + column * 3 + step) % 1001);
}

/* Row i of A names row i of B, and the same row of the next rank's. */
static torc_csr two_a_row(int64_t own)
{
    int64_t *row_ptr = malloc((size_t)(own + 1) * sizeof *row_ptr);
    int64_t *col_idx = malloc((size_t)own * 2 * sizeof *col_idx);
    double *values = malloc((size_t)own * 2 * sizeof *values);
    for (int64_t i = 0; i <= own; i++) {
        row_ptr[i] = 2 * i;
    }
    for (int64_t i = 0; i < own; i++) {
        int64_t here = rank * own + i, there = (rank + 1) % nranks * own + i;
        col_idx[2 * i] = here < there ? here : there;
        col_idx[2 * i + 1] = here < there ? there : here;
        values[2 * i] = values[2 * i + 1] = 1;
    }
    return (torc_csr){own, own * nranks, row_ptr, col_idx, values, 64, 64, TORC_FP64, false, NULL};
}

/* Products of a B that changes from one to the next, in memory that others write to. On GPUs its halo comes
 * in panels. */
void check_written(torc_ranks *ranks, torc_context *context, int64_t own)
{
    torc_semiring plus_times = {TORC_PLUS_MONOID, TORC_TIMES, TORC_FP64};
    torc_csr csr = two_a_row(own);
    torc_rank_sparse *A;
    torc_halo halo;
    require(torc_rank_sparse_create(&A, ranks, &csr, own), 0, "A");
    require(torc_rank_sparse_halo(&halo, A), 0, "halo");
    torc_dense B = {own + halo.needed, WIDE, WIDE, TORC_ROW_MAJOR, TORC_FP64, false, NULL, NULL}, C = B;
    C.nrows = own;
    size_t size = (size_t)(own * WIDE) * sizeof(double);
    double *x = malloc(size);
    require(torc_ranks_allocate(&B.data, ranks, size + (size_t)(halo.needed * WIDE) * sizeof *x), 0, "B");
    require(torc_memory_allocate(&C.data, context, size), 0, "C");
    for (int step = 0; step < 3; step++) {
        bool is_same = true;
        for (int64_t p = 0; p < own * WIDE; p++) {
            x[p] = number_of(rank * own + p / WIDE, p % WIDE, step);
        }
        require(torc_memory_upload(context, B.data, x, size), 0, "B");
        require(torc_ranks_spmm(&C, plus_times, A, &B, NULL), 0, "product");
        require(torc_memory_download(context, x, C.data, size), 0, "C");
        for (int64_t p = 0; p < own * WIDE; p++) {
            double here = number_of(rank * own + p / WIDE, p % WIDE, step);
            double there = number_of((rank + 1) % nranks * own + p / WIDE, p % WIDE, step);
            is_same = is_same && x[p] == here + there;
        }
        expect(is_same, (uint64_t)step, "another product of a B that others write to");
    }
    free(x);
    free((void *)csr.row_ptr);
    free((void *)csr.col_idx);
    free((void *)csr.values);
    torc_rank_sparse_destroy(A);
    torc_ranks_release(ranks, B.data);
    torc_memory_release(context, C.data);
}
