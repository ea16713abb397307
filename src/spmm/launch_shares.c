/* launch_shares.c: a product of few columns on several devices: each has a share of the rows. Each share's
 * kernel is the whole's, and slices begin where they do in all of A: no bit depends on the number of devices.
 */
#include "cuts.h"
#include "multiply.h"
#include "row_shares.h"

/* Rows of C know themselves what numbers they have only where A's rows have names. */
static bool names_rows(torc_semiring semiring)
{
    return semiring.multiply == TORC_FIRSTI || semiring.multiply == TORC_FIRSTI1;
}

static int count_shares(const torc_spmm_kernel *kernel, const torc_dense *C, const torc_sparse *A)
{
    const torc_context *context = A->context;
    if (A->is_divided) {
        return A->shares->count;
    }
    bool may_share = context->executor->shares && !torc_families[kernel->family].is_of_all_rows &&
                     !names_rows(kernel->semiring) && !A->c_rows && C->nrows > 0;
    return may_share ? context->executor->shares(context->device, A->csr.nnz, C->ncols) : 1;
}

/* What the kernel needs of a share, on the device that alone has it. */
static torc_status cut_there(const torc_spmm_kernel *kernel, torc_sparse *rows, int number)
{
    const torc_context *context = rows->context;
    context->executor->keep_on(context->device, number);
    torc_status status = torc_sparse_cut(rows, torc_families[kernel->family].cut);
    context->executor->keep_on(context->device, -1);
    return status;
}

/* A share's rows of C, and of the mask. */
static torc_status prepare(
    torc_spmm_args *args, const torc_spmm_kernel *kernel, const torc_operands *all, int number)
{
    const torc_dense *C = all->C;
    const torc_row_shares *shares = all->A->shares;
    size_t skipped = (size_t)(shares->cuts[number] * C->ld);
    torc_dense rows = *C;
    torc_update own = *all->update;
    rows.nrows = shares->cuts[number + 1] - shares->cuts[number];
    rows.data = (char *)C->data + skipped * torc_type_size(C->type);
    rows.bitmap = C->bitmap ? C->bitmap + skipped : NULL;
    own.mask = own.mask ? own.mask + skipped : NULL;
    const torc_operands share = {&rows, shares->rows[number], all->B, &own, all->first_column};
    return torc_launch_prepare(args, kernel, &share);
}

torc_status torc_launch_shares(bool *is_shared, const torc_spmm_kernel *kernel, const torc_operands *operands)
{
    torc_sparse *A = operands->A;
    const torc_context *context = A->context;
    int count = count_shares(kernel, operands->C, A);
    torc_status status = count > 1 ? torc_sparse_share(A, count) : TORC_SUCCESS;
    if (status == TORC_OUT_OF_MEMORY) { /* each device computes all rows, which takes no more of it */
        status = TORC_SUCCESS;
        count = 1;
    }
    *is_shared = status == TORC_SUCCESS && count > 1 && A->shares->count > 0;
    if (!*is_shared) {
        return status;
    }
    for (int s = 0; s < count && A->is_divided && status == TORC_SUCCESS; s++) {
        status = cut_there(kernel, A->shares->rows[s], s);
    }
    torc_spmm_args args[TORC_MOST_DEVICES];
    for (int i = 0; i < 2 * count && status == TORC_SUCCESS; i++) { /* again: workspace that grew has moved */
        status = prepare(&args[i % count], kernel, operands, i % count);
    }
    for (int s = 0; s < count && status == TORC_SUCCESS; s++) {
        torc_share share = {s, A->shares->cuts};
        status = context->executor->spmm_share(context->device, kernel, &args[s], &share);
    }
    return status;
}
