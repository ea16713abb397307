/* stream.h: torc_spmm_host by several, each on a device of its own: each computes a share, and together they
 * leave the bits that one leaves. */
#ifndef TORC_STREAM_H
#define TORC_STREAM_H

#include "spmm.h"

/* Share number `share` of `shares`: some of the panels that travel where one computes all; there may be none
 * for it. Or all of C where all_rows is not NULL: A and C are rows of a product that has one panel, A is
 * torc_sparse_rows of all_rows, and not transposed. */
typedef struct torc_host_share {
    int share, shares;
    torc_sparse *all_rows;
} torc_host_share;

/* How many panels are there in all? The arguments are checked. */
torc_status torc_host_panels(int64_t *count, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options);

/* torc_spmm_host of a share. */
torc_status torc_spmm_host_share(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options,
    const torc_host_share *share);

#endif
