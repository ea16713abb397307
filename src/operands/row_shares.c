/* row_shares.c: the rows of a sparse operand shared out among the devices of a context. */
#include "row_shares.h"
#include "row_cuts.h"
#include "sparse_parts.h"
#include <stdlib.h>

void torc_sparse_unshare(torc_sparse *A)
{
    torc_row_shares *shares = A->shares;
    for (int s = 0; shares && s < shares->count; s++) {
        torc_sparse_destroy(shares->rows[s]);
    }
    free(shares);
    A->shares = NULL;
}

/* From A's offsets in host memory. One share of all entries is none. */
static torc_status make_shares(torc_row_shares *shares, torc_sparse *A, int count, const void *row_ptr)
{
    int bits = A->csr.wide_offsets ? 64 : 32;
    int64_t unit = (int64_t)TORC_SLICE_NNZ * TORC_STREAM_SLICES;
    torc_status status = TORC_SUCCESS;
    if (torc_cut_rows(shares->cuts, count, row_ptr, bits, A->csr.nrows, unit) < 2) {
        return status;
    }
    for (int s = 0; s < count && status == TORC_SUCCESS; s++) {
        status = torc_sparse_rows(&shares->rows[s], A, row_ptr, shares->cuts[s], shares->cuts[s + 1]);
        shares->count += status == TORC_SUCCESS;
    }
    return status;
}

torc_status torc_sparse_share(torc_sparse *A, int count)
{
    if (A->shares) {
        return TORC_SUCCESS;
    }
    size_t size = torc_offset_bytes(&A->csr);
    void *row_ptr = malloc(size);
    A->shares = calloc(1, sizeof *A->shares);
    torc_status status = row_ptr && A->shares ? TORC_SUCCESS : TORC_OUT_OF_MEMORY;
    if (status == TORC_SUCCESS) {
        status = torc_memory_download(A->context, row_ptr, A->csr.row_ptr, size);
    }
    if (status == TORC_SUCCESS) {
        status = make_shares(A->shares, A, count, row_ptr);
    }
    if (status != TORC_SUCCESS) {
        torc_sparse_unshare(A);
    }
    free(row_ptr);
    return status;
}
