/* stream.h: torc_spmm_host on several devices. Each computes a share of the product, and together they give
 * the bits that one device gives. */
#ifndef TORC_STREAM_H
#define TORC_STREAM_H

#include "spmm.h"

/* Share number `share` of `shares`: some of the panels that one device would compute, perhaps none. If
 * all_rows is not NULL, the product has a single panel and is shared by rows: C has the share's rows, and A,
 * which is not transposed, is torc_sparse_rows of all_rows. */
typedef struct torc_host_share {
    int share, shares;
    torc_sparse *all_rows;
} torc_host_share;

/* Check the arguments, and count the panels of the whole product. */
torc_status torc_host_panels(int64_t *count, const torc_dense *C, torc_semiring semiring, torc_sparse *A,
    bool transpose, const torc_dense *B, const torc_update *update, const torc_host_options *options);

/* torc_spmm_host for one share. */
torc_status torc_spmm_host_share(const torc_dense *C, torc_semiring semiring, torc_sparse *A, bool transpose,
    const torc_dense *B, const torc_update *update, const torc_host_options *options,
    const torc_host_share *share);

#endif
