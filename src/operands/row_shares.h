/* row_shares.h: the rows of a sparse operand shared out among the devices of a context. */
#ifndef TORC_ROW_SHARES_H
#define TORC_ROW_SHARES_H

#include "sparse.h"

struct torc_row_shares {
    int count;                           /* 0: no cut of A is worth it */
    int64_t cuts[TORC_MOST_DEVICES + 1]; /* share s has rows cuts[s] .. cuts[s+1]-1 */
    torc_sparse *rows[TORC_MOST_DEVICES];
};

/* Make A->shares, so many, with about as many entries each, if they were not. */
torc_status torc_sparse_share(torc_sparse *A, int count);
void torc_sparse_unshare(torc_sparse *A);

#endif
