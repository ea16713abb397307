/* divided.c: a sparse operand that takes more than half of a device: each of several has some of its rows.
 *
 * It has shares, as one whose rows are shared out product by product has, but they do not borrow from it: it
 * has no arrays itself. So there is no transpose of it, no plan, and no other order of rows. */
#include "csr_rows.h"
#include "row_cuts.h"
#include "row_shares.h"
#include "sparse_parts.h"
#include <math.h>
#include <stdlib.h>

/* Rows begin .. end-1 of csr, on the device that memory is kept on. */
static torc_status put_rows(
    torc_sparse **rows, const torc_sparse *A, const torc_csr *csr, int64_t begin, int64_t end)
{
    int64_t *row_ptr = malloc(((size_t)(end - begin) + 1) * sizeof *row_ptr);
    if (!row_ptr) {
        return TORC_OUT_OF_MEMORY;
    }
    const torc_csr own = torc_csr_rows(csr, begin, end, row_ptr);
    torc_status status = torc_sparse_put(rows, A->context, &own, A->csr.wide_offsets);
    free(row_ptr);
    return status;
}

/* Of all rows, from those of the shares: footprints are their mean, by entries. */
static void add_up(torc_statistics *all, const torc_row_shares *shares)
{
    double squares = 0;
    for (int s = 0; s < shares->count; s++) {
        const torc_statistics *own = &shares->rows[s]->partition.statistics;
        double part = (double)own->nnz / (double)all->nnz, mean = own->mean_row, dev = own->deviation_row;
        all->empty_rows += own->empty_rows;
        all->max_row = own->max_row > all->max_row ? own->max_row : all->max_row;
        all->near_footprint += part * own->near_footprint;
        all->far_footprint += part * own->far_footprint;
        all->sector_footprint += part * own->sector_footprint;
        all->brick_footprint += part * own->brick_footprint;
        all->tall_brick_footprint += part * own->tall_brick_footprint;
        squares += (double)own->nrows * (dev * dev + mean * mean);
    }
    all->mean_row = (double)all->nnz / (double)all->nrows;
    all->deviation_row = sqrt(fmax(0, squares / (double)all->nrows - all->mean_row * all->mean_row));
}

/* The first share that does not fit ends it. */
static torc_status put_shares(torc_sparse *A, const torc_csr *csr, int devices)
{
    torc_context *context = A->context;
    torc_row_shares *shares = A->shares;
    torc_status status = TORC_SUCCESS;
    if (torc_cut_rows(shares->cuts, devices, csr->row_ptr, csr->row_ptr_bits, csr->nrows, 1) < 2) {
        return TORC_OUT_OF_MEMORY;
    }
    for (int s = 0; s < devices && status == TORC_SUCCESS; s++) {
        context->executor->keep_on(context->device, s);
        status = put_rows(&shares->rows[s], A, csr, shares->cuts[s], shares->cuts[s + 1]);
        shares->count += status == TORC_SUCCESS;
    }
    context->executor->keep_on(context->device, -1);
    return status;
}

torc_status torc_sparse_divide(torc_sparse **A, torc_context *context, const torc_csr *csr)
{
    const torc_executor *executor = context->executor;
    int devices = executor->devices ? executor->devices(context->device) : 1;
    torc_sparse *made = devices > 1 ? torc_sparse_like(context, csr, false) : NULL;
    if (!made) {
        return TORC_OUT_OF_MEMORY;
    }
    made->is_divided = made->is_listed = true;
    made->shares = calloc(1, sizeof *made->shares);
    torc_status status = made->shares ? put_shares(made, csr, devices) : TORC_OUT_OF_MEMORY;
    if (status != TORC_SUCCESS) {
        torc_sparse_destroy(made);
        return status;
    }
    made->partition.statistics =
        (torc_statistics){.nrows = csr->nrows, .ncols = csr->ncols, .nnz = made->csr.nnz};
    add_up(&made->partition.statistics, made->shares);
    *A = made;
    return TORC_SUCCESS;
}

torc_status torc_sparse_refuse_divided(const torc_sparse *A, const char *what)
{
    return A->is_divided ? torc_context_refuse(A->context, TORC_OUT_OF_MEMORY,
                               "%s of a matrix that is divided among devices", what)
                         : TORC_SUCCESS;
}
